//! What can be chosen, who is logged in, and what was used.

use selvedge_runtime::Filter;
use serde_json::{Value, json};

use crate::{
    following::{self, done},
    on_both,
    support::stage::Stage,
};

on_both!(models_account_and_backends_are_told, usage_adds_up_however_it_is_grouped);

async fn models_account_and_backends_are_told(stage: Stage) {
    let models = stage.http.get("/v1/models").await.expect(200);
    let items = models["items"].as_array().unwrap();
    assert_eq!(items.iter().filter(|model| model["is_default"] == true).count(), 1, "{models}");
    for model in items {
        assert!(model["id"].is_string() && model["name"].is_string(), "{model}");
    }
    let account = stage.http.get("/v1/account").await.expect(200);
    assert_eq!((&account["logged_in"], &account["login_needed"]), (&Value::Bool(false), &Value::Bool(false)));
    let backends = stage.http.get("/v1/backends").await.expect(200);
    let [first, second] = &backends["items"].as_array().unwrap()[..] else { panic!("{backends}") };
    let config = stage.runtime.config();
    let kind = if config.is_rehearsal() { "rehearsal" } else { "codex" };
    assert_eq!(
        (&first["kind"], &first["is_default"], &first["found"]),
        (&kind.into(), &true.into(), &true.into())
    );
    assert!(first["version"].as_str().is_some_and(|version| version.starts_with("0.")), "{first}");
    assert_ne!(second["kind"], first["kind"]);
    assert_eq!(stage.runtime.processes().len(), 1, "one app-server answered all of it");
    stage.close().await;
}

async fn usage_adds_up_however_it_is_grouped(stage: Stage) {
    let models = stage.http.get("/v1/models").await.expect(200);
    let standard =
        models["items"].as_array().unwrap().iter().find(|model| model["is_default"] == true).unwrap();
    for texts in [&["[stream]", "[think]"][..], &["[stream]"][..]] {
        let session = following::session(&stage).await;
        for text in texts {
            done(&session, text).await;
        }
    }
    let sessions = stage.runtime.sessions(&Filter::default()).await.unwrap().items;
    let wanted: u64 = sessions.iter().map(|session| session.usage.total).sum();
    assert_eq!(wanted, 2 * 120 + 150);
    for (group, keys) in [("day", 1), ("model", 1), ("session", 2)] {
        let usage = stage.http.get(&format!("/v1/usage?group={group}")).await.expect(200);
        let items = usage["items"].as_array().unwrap();
        assert_eq!((items.len(), &usage["total"]["usage"]["total"]), (keys, &wanted.into()), "{usage}");
        assert_eq!(usage["total"]["turns"], 3, "{usage}");
        let sum: u64 = items.iter().map(|item| item["usage"]["total"].as_u64().unwrap()).sum();
        assert_eq!(sum, wanted);
        if group == "model" {
            assert_eq!(items[0]["key"], standard["id"], "Codex took what was said to be the standard");
        }
    }
    assert_eq!(stage.http.get("/v1/usage?group=moon").await.problem(400), "query_invalid");
    let gone = &sessions[0];
    assert_eq!(stage.http.delete(&format!("/v1/sessions/{}", gone.id)).await.status, 204);
    let by_session = stage.http.get("/v1/usage?group=session").await.expect(200);
    assert_eq!(by_session["total"]["usage"]["total"], wanted, "what was used stays used");
    assert_eq!(
        (&by_session["items"][1]["key"], &by_session["items"][1]["turns"]),
        (&json!("removed"), &json!(2))
    );
    assert_eq!(by_session["items"][1]["usage"]["total"], gone.usage.total);
    for group in ["day", "model"] {
        let usage = stage.http.get(&format!("/v1/usage?group={group}")).await.expect(200);
        assert_eq!(usage["total"], by_session["total"], "{usage}");
    }
    stage.close().await;
}
