//! What a browser could be made to ask by another site, and what every answer tells it.

use crate::{
    gate::{Gate, OWN},
    support::{http::Http, stage::in_time},
};

#[tokio::test]
async fn only_our_own_names_are_answered() {
    in_time(async {
        let gate = Gate::open().await;
        let port = gate.stranger.address.port();
        let called = |name: String| gate.owner().with("host", name);
        for name in
            [format!("localhost:{port}"), "localhost:1".into(), "[::1]:1".into(), "Agents.example".into()]
        {
            assert_eq!(called(name.clone()).get("/docs").await.status, 200, "{name}");
        }
        for name in ["evil.example", "localhost.evil.example", "192.0.2.1", "0.0.0.0"] {
            for path in ["/docs", "/healthz"] {
                assert_eq!(called(name.into()).get(path).await.problem(421), "host_refused", "{name}");
            }
        }
        gate.close().await;
    })
    .await;
}

#[tokio::test]
async fn another_site_asks_nothing() {
    in_time(async {
        let gate = Gate::open().await;
        let own = format!("http://{}", gate.stranger.address);
        let from = |origin: &str| gate.owner().with("origin", origin);
        assert_eq!(from(&own).get("/docs").await.status, 200);
        assert_eq!(from("https://agents.example").get("/docs").await.status, 200);
        let port = gate.stranger.address.port();
        let others =
            ["https://evil.example", "null", "", "http://127.0.0.1", "http://localhost:3000", "file://"];
        for origin in others {
            assert_eq!(from(origin).get("/docs").await.problem(403), "origin_refused", "{origin}");
        }
        let named = from(&format!("http://localhost:{port}")).with("host", format!("localhost:{port}"));
        assert_eq!(named.get("/docs").await.status, 200);
        let upgrade = from("https://evil.example").with("connection", "upgrade").with("upgrade", "websocket");
        assert_eq!(upgrade.get("/ws/browser/1").await.problem(403), "origin_refused");
        gate.close().await;
    })
    .await;
}

#[tokio::test]
async fn a_link_is_followed_and_a_picture_is_not() {
    in_time(async {
        let gate = Gate::open().await;
        let fetched = |http: Http, site: &str, mode: &str, dest: &str| {
            http.with("sec-fetch-site", site).with("sec-fetch-mode", mode).with("sec-fetch-dest", dest)
        };
        let link = fetched(gate.stranger.clone(), "cross-site", "navigate", "document");
        assert_eq!(link.get(&format!("/?token={OWN}")).await.status, 303);
        for (mode, dest) in [("no-cors", "image"), ("navigate", "iframe"), ("cors", "empty")] {
            for site in ["cross-site", "same-site"] {
                let answer = fetched(gate.owner(), site, mode, dest).get("/docs").await;
                assert_eq!(answer.problem(403), "origin_refused", "{site} {mode} {dest}");
            }
        }
        assert_eq!(fetched(gate.owner(), "same-origin", "cors", "empty").get("/docs").await.status, 200);
        gate.close().await;
    })
    .await;
}

#[tokio::test]
async fn every_answer_says_what_a_browser_may_do_with_it() {
    in_time(async {
        let gate = Gate::open().await;
        for (http, path) in [
            (gate.owner(), "/docs"),
            (gate.stranger.clone(), "/docs"),
            (gate.stranger.clone(), "/healthz"),
            (gate.owner(), "/nothing"),
        ] {
            let headers = http.get(path).await.headers;
            let policy = headers["content-security-policy"].to_str().unwrap().to_owned();
            assert!(policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'"));
            assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
            assert_eq!(headers["x-content-type-options"], "nosniff");
            assert_eq!(headers["x-frame-options"], "DENY");
            assert_eq!(headers["referrer-policy"], "no-referrer");
            assert_eq!(headers["cache-control"], "no-store");
            assert!(!headers.contains_key("access-control-allow-origin"));
        }
        gate.close().await;
    })
    .await;
}
