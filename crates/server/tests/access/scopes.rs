//! A token may do what its scopes say, and no more.

use serde_json::json;

use crate::{
    gate::{Gate, token_of},
    support::stage::in_time,
};

#[tokio::test]
async fn each_request_needs_its_scope() {
    in_time(async {
        let all = ["read", "write", "approve", "admin"];
        let named: Vec<_> = all.iter().map(|scope| (*scope, format!("'{scope}'"))).collect();
        let named: Vec<_> = named.iter().map(|(name, scope)| (*name, scope.as_str())).collect();
        let gate = Gate::with_tokens(&named).await;
        let nobody = "00000000-0000-0000-0000-000000000000";
        for (method, path, needed) in [
            ("GET", "/docs".to_owned(), "read"),
            ("POST", "/v1/sessions".to_owned(), "write"),
            ("POST", format!("/v1/approvals/{nobody}"), "approve"),
            ("DELETE", format!("/v1/sessions/{nobody}"), "admin"),
        ] {
            for name in all {
                let http = gate.as_one_with(&token_of(name));
                let answer = http.ask(method.parse().unwrap(), &path, Some(json!({}))).await;
                if name == needed || name == "admin" {
                    assert!(![401, 403].contains(&answer.status.as_u16()), "{name}: {method} {path}");
                } else {
                    assert_eq!(answer.problem(403), "forbidden", "{name}: {method} {path}");
                    assert!(answer.json()["detail"].as_str().unwrap().contains(needed));
                }
            }
        }
        gate.close().await;
    })
    .await;
}
