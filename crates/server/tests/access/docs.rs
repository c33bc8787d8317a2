//! The page about the API is ours, and whole.

use crate::{gate::Gate, support::stage::in_time};

#[tokio::test]
async fn it_loads_nothing_from_elsewhere() {
    in_time(async {
        let gate = Gate::open().await;
        let owner = gate.owner();
        for (path, kind) in
            [("/docs", "text/html"), ("/docs/docs.js", "text/javascript"), ("/docs/docs.css", "text/css")]
        {
            let answer = owner.get(path).await;
            assert_eq!(answer.status, 200, "{path}");
            assert!(answer.headers["content-type"].to_str().unwrap().starts_with(kind), "{path}");
            let text = String::from_utf8(answer.body.to_vec()).unwrap();
            assert!(!text.contains("http://") && !text.contains("https://"), "{path}");
            assert!(!text.contains("<script>") && !text.contains("style=\""), "the policy forbids it inline");
        }
        gate.close().await;
    })
    .await;
}
