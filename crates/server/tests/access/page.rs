//! The page: what a browser opens, what it may keep, and what a person sees who is not let in.

use hyper::Method;

use crate::{
    gate::{Gate, OWN},
    support::{
        http::{Answer, Http},
        stage::in_time,
    },
};

/// As a browser asks when a person goes to an address.
fn browser(http: Http) -> Http {
    http.with("accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
}

fn text(answer: &Answer) -> String {
    String::from_utf8(answer.body.to_vec()).unwrap()
}

/// Our policy takes neither scripts nor styles that stand in the page itself, and nothing of another host.
fn keeps_the_policy(html: &str) {
    for forbidden in ["<style", "style=\"", " onclick", "src=\"http", "href=\"http", "src=\"//", "href=\"//"]
    {
        assert!(!html.contains(forbidden), "{forbidden}: {html}");
    }
    for script in html.split("<script").skip(1) {
        assert!(script.split('>').next().unwrap().contains("src=\"/"), "{script}");
    }
}

/// What a page names in its own files.
fn named(html: &str) -> Vec<String> {
    let attributes = html.split(['"', '\'']).filter(|value| value.starts_with('/'));
    attributes.filter(|path| path.contains('.')).map(str::to_owned).collect()
}

#[tokio::test]
async fn it_is_answered_at_each_of_its_addresses() {
    in_time(async {
        let gate = Gate::open().await;
        let owner = browser(gate.owner());
        let first = owner.get("/").await;
        assert_eq!(first.status, 200);
        assert_eq!(first.headers["content-type"], "text/html; charset=utf-8");
        assert_eq!(first.headers["cache-control"], "no-cache");
        keeps_the_policy(&text(&first));
        for path in ["/inbox", "/new", "/usage", "/s/0195-anything", "/s/one/changes?turn=2"] {
            assert_eq!(owner.get(path).await.body, first.body, "{path}");
        }
        let head = owner.ask(Method::HEAD, "/", None).await;
        assert_eq!((head.status.as_u16(), head.body.len()), (200, 0));
        assert_eq!(head.headers["content-length"], first.body.len().to_string());
        let again = owner.with("if-none-match", first.headers["etag"].to_str().unwrap()).get("/").await;
        assert_eq!((again.status.as_u16(), again.body.len()), (304, 0));
        gate.close().await;
    })
    .await;
}

#[tokio::test]
async fn what_it_loads_is_there_and_may_be_kept() {
    in_time(async {
        let gate = Gate::open().await;
        let owner = gate.owner().with("accept-encoding", "gzip, br");
        let files = named(&text(&browser(gate.owner()).get("/").await));
        assert!(!files.is_empty());
        for path in files {
            let answer = owner.get(&path).await;
            assert_eq!(answer.status, 200, "{path}");
            if path.starts_with("/assets/") {
                let kept = answer.headers["cache-control"].to_str().unwrap();
                assert_eq!(kept, "public, max-age=31536000, immutable", "{path}");
            }
        }
        gate.close().await;
    })
    .await;
}

#[tokio::test]
async fn what_is_not_there_stays_a_problem_also_for_a_browser() {
    in_time(async {
        let gate = Gate::open().await;
        let owner = browser(gate.owner());
        for path in
            ["/nothing", "/assets/nothing.js", "/assets/../index.html", "/s", "/index.html", "/v1/inbox"]
        {
            assert_eq!(owner.get(path).await.problem(404), "not_found", "{path}");
        }
        let sent = owner.ask(Method::POST, "/inbox", None).await;
        assert_eq!(sent.problem(405), "method_not_allowed");
        gate.close().await;
    })
    .await;
}

#[tokio::test]
async fn a_person_without_a_token_is_told_how_to_get_in() {
    in_time(async {
        let gate = Gate::open().await;
        let person = browser(gate.stranger.clone());
        for path in ["/", "/s/0195-anything", "/docs"] {
            let answer = person.get(path).await;
            assert_eq!(answer.status, 401, "{path}");
            assert_eq!(answer.headers["content-type"], "text/html; charset=utf-8");
            assert_eq!(answer.headers["www-authenticate"], "Bearer");
            assert_eq!(answer.headers["cache-control"], "no-store");
            let page = text(&answer);
            assert!(
                page.contains("name=\"token\"") && page.contains("<code>selvedge serve</code>"),
                "{page}"
            );
            assert!(!page.contains("role=\"alert\""), "nothing went wrong yet: {page}");
            keeps_the_policy(&page);
        }
        assert_eq!(gate.stranger.get("/door.css").await.status, 200, "its style needs no token");
        assert_eq!(person.get("/v1/sessions").await.problem(401), "unauthenticated");
        assert_eq!(gate.stranger.get("/").await.problem(401), "unauthenticated");
        gate.close().await;
    })
    .await;
}

#[tokio::test]
async fn a_person_with_a_wrong_token_is_told_so() {
    in_time(async {
        let gate = Gate::open().await;
        let person = browser(gate.stranger.clone());
        let wrong = person.get("/?token=wrong-and-secret").await;
        assert_eq!(wrong.status, 401);
        assert!(text(&wrong).contains("Nobody has this token."), "{}", text(&wrong));
        assert!(!text(&wrong).contains("wrong-and-secret"), "it is not shown again");
        let cookie = format!("selvedge_{}=old", gate.stranger.address.port());
        let old = person.clone().with("cookie", cookie).get("/").await;
        assert!(text(&old).contains("is no longer known."), "{}", text(&old));
        let foreign = person.with("host", "evil.example").get("/").await;
        assert_eq!(foreign.problem(421), "host_refused", "nobody gives a token to another site's name");
        let right = browser(gate.stranger.clone()).get(&format!("/s/one?token={OWN}")).await;
        assert_eq!((right.status.as_u16(), &right.headers["location"]), (303, &"/s/one".parse().unwrap()));
        gate.close().await;
    })
    .await;
}
