//! Every way to bring a token, and that nothing is answered without one.

use http_body_util::BodyExt as _;
use hyper::Method;

use crate::{
    gate::{Gate, OWN, settings, token_of},
    support::{http::Http, stage::in_time},
};

/// What says nothing about anybody.
const OPEN: [&str; 2] = ["/healthz", "/readyz"];

#[tokio::test]
async fn every_address_but_health_needs_one() {
    in_time(async {
        let gate = Gate::open().await;
        let described = serde_json::to_value(selvedge_server::openapi()).unwrap();
        let mut asked = 0;
        for (path, item) in described["paths"].as_object().unwrap() {
            for method in item.as_object().unwrap().keys() {
                let Ok(method) = method.to_uppercase().parse::<Method>() else { continue };
                let path = path.replace(['{', '}'], "");
                let answer = gate.stranger.ask(method.clone(), &path, None).await;
                if OPEN.contains(&path.as_str()) {
                    assert_eq!(answer.status, 200, "{method} {path}");
                } else {
                    assert_eq!(answer.problem(401), "unauthenticated", "{method} {path}");
                    assert_eq!(answer.headers["www-authenticate"], "Bearer");
                }
                let version = answer.headers.contains_key(selvedge_server::VERSION_HEADER);
                assert!(!version, "a stranger does not learn it: {method} {path}");
                asked += 1;
            }
        }
        assert!(asked >= 4, "the description names its addresses");
        for path in ["/", "/docs/docs.js", "/v1/nothing", "/nothing", "/v1/sessions/../../healthz"] {
            assert_eq!(gate.stranger.get(path).await.problem(401), "unauthenticated", "{path}");
        }
        gate.close().await;
    })
    .await;
}

#[tokio::test]
async fn whoever_has_one_learns_the_version_also_with_a_refusal() {
    in_time(async {
        let gate = Gate::open().await;
        let known = gate.stranger.clone().with("authorization", format!("Bearer {OWN}"));
        for path in ["/v1/sessions", "/v1/nothing", "/v1/sessions?limit=0"] {
            let answer = known.get(path).await;
            assert_eq!(answer.headers[selvedge_server::VERSION_HEADER], env!("CARGO_PKG_VERSION"), "{path}");
        }
        gate.close().await;
    })
    .await;
}

#[tokio::test]
async fn it_is_taken_from_the_head_and_from_the_address() {
    in_time(async {
        let gate = Gate::open().await;
        assert_eq!(gate.owner().get("/docs").await.status, 200);
        assert_eq!(gate.stranger.get(&format!("/metrics?token={OWN}")).await.status, 200);
        for wrong in ["", "x", "the-owner's-toke", "the-owner's-tokenx"] {
            let answer = gate.as_one_with(wrong).get("/docs").await;
            assert_eq!(answer.problem(401), "unauthenticated", "{wrong:?}");
        }
        let basic = gate.stranger.clone().with("authorization", format!("Basic {OWN}"));
        assert_eq!(basic.get("/docs").await.problem(401), "unauthenticated");
        gate.close().await;
    })
    .await;
}

#[tokio::test]
async fn the_page_gets_a_cookie_and_an_address_without_the_token() {
    in_time(async {
        let gate = Gate::open().await;
        let welcome = gate.stranger.get(&format!("/?a=1&token={OWN}&b=2")).await;
        assert_eq!(welcome.status, 303);
        assert_eq!(welcome.headers["location"], "/?a=1&b=2");
        let set = welcome.headers["set-cookie"].to_str().unwrap().to_owned();
        assert!(
            set.contains("; HttpOnly") && set.contains("; SameSite=Strict") && set.contains("; Path=/"),
            "{set}"
        );
        let cookie = set.split(';').next().unwrap().to_owned();
        assert!(!cookie.contains(OWN), "the cookie is not the token");
        let page = gate.stranger.clone().with("cookie", format!("other=1; {cookie}"));
        assert_eq!(page.get("/docs").await.status, 200);
        let value = cookie.split_once('=').unwrap().1;
        assert_eq!(gate.as_one_with(value).get("/docs").await.problem(401), "unauthenticated");
        let elsewhere = gate.stranger.get(&format!("//evil.example/?token={OWN}")).await;
        assert_eq!(elsewhere.headers["location"], "/evil.example/", "nobody is sent to another site");
        gate.close().await;
    })
    .await;
}

#[tokio::test]
async fn ten_wrong_ones_a_minute_are_enough() {
    in_time(async {
        let gate = Gate::with_tokens(&[("other", "'read'")]).await;
        assert_eq!(gate.owner().get("/docs").await.status, 200);
        for _ in 0..10 {
            assert_eq!(gate.as_one_with("guess").get("/docs").await.problem(401), "unauthenticated");
        }
        let answer = gate.as_one_with("guess").get("/docs").await;
        assert_eq!(answer.problem(429), "too_many_attempts");
        assert!(answer.headers.contains_key("retry-after"));
        let guessed = gate.as_one_with(&token_of("other")).get("/docs").await;
        assert_eq!(guessed.problem(429), "too_many_attempts", "a guess that is right looks like a wrong one");
        assert_eq!(gate.owner().get("/docs").await.status, 200, "who was in before stays in");
        assert_eq!(gate.stranger.get("/healthz").await.status, 200);
        gate.close().await;
    })
    .await;
}

#[tokio::test]
async fn without_tokens_only_this_machine_may_ask() {
    in_time(async {
        let open = selvedge_server::Settings { no_auth: true, token: None, ..settings() };
        let gate = Gate::with(open.clone()).await;
        assert_eq!(gate.stranger.get("/docs").await.status, 200);
        let foreign = gate.stranger.clone().with("host", "evil.example");
        assert_eq!(foreign.get("/docs").await.problem(421), "host_refused");
        gate.close().await;
        let folder = tempfile::tempdir().unwrap();
        let everywhere = selvedge_server::Settings { listen: "0.0.0.0:0".parse().unwrap(), ..open };
        let config = crate::gate::config(folder.path().join("data"));
        let error = selvedge_server::Listening::open(everywhere, config).await.err().unwrap();
        assert!(error.message.contains("0.0.0.0") && error.hint.unwrap().contains("--no-auth"));
    })
    .await;
}

#[tokio::test]
async fn one_that_is_taken_out_stops_working_and_a_new_one_begins() {
    in_time(async {
        let gate = Gate::with_tokens(&[("wall", "'read'"), ("desk", "'read'")]).await;
        let [wall, desk, late] = ["wall", "desk", "late"].map(|name| gate.as_one_with(&token_of(name)));
        let follow = async |reader: &Http| {
            let reader = reader.clone().with("accept", "text/event-stream");
            let stream = reader.open(Method::GET, "/v1/events", None).await;
            assert_eq!(stream.status(), 200);
            stream.into_body()
        };
        let (cut, mut stays) = (follow(&wall).await, follow(&desk).await);
        stays.frame().await.expect("it is open").unwrap();
        gate.name_tokens(&[("desk", "'read'"), ("late", "'read'")]);
        let said = cut.collect().await.expect("it is not cut").to_bytes();
        let said = String::from_utf8(said.to_vec()).unwrap();
        assert!(said.ends_with(": unauthenticated: the token is no longer known\n\n"), "{said}");
        assert_eq!(wall.get("/docs").await.problem(401), "unauthenticated");
        for known in [&desk, &late] {
            assert_eq!(known.get("/docs").await.status, 200);
        }
        assert_eq!(gate.owner().get("/docs").await.status, 200, "the owner's own is not in the file");
        let cwd = serde_json::json!({"cwd": gate.work()});
        gate.owner().post("/v1/sessions", cwd).await.expect(201);
        let more = stays.frame().await.expect("it goes on").unwrap().into_data().unwrap();
        assert!(String::from_utf8_lossy(&more).contains("event: session.created"), "{more:?}");
        gate.close().await;
    })
    .await;
}
