//! What a browser of The Companion's asks before it opens a session.

use serde_json::json;

use crate::{on_both, support::stage::Stage};

on_both!(backends_and_their_models_are_listed);

async fn backends_and_their_models_are_listed(stage: Stage) {
    let backends = stage.http.get("/api/backends").await.expect(200);
    assert_eq!(backends, json!([{"id": "codex", "name": "Codex", "available": true}]));
    let models = stage.http.get("/api/backends/codex/models").await.expect(200);
    let first = &models[0];
    assert!(["value", "label", "description"].iter().all(|field| first[field].is_string()), "{first}");
    assert_eq!(stage.http.get("/api/backends/claude/models").await.problem(404), "not_found");
    stage.close().await;
}
