//! Budgets and deadlines, given with a message or a session.

use serde_json::json;

use crate::{
    on_both,
    support::stage::Stage,
    ways::{ended, send, until},
};

on_both!(a_budget_stops_a_turn, a_deadline_stops_a_turn);

async fn a_budget_stops_a_turn(stage: Stage) {
    let session =
        stage.session(json!({"approval_policy": "on-request", "budget": {"max_total_tokens": 1}})).await;
    let message = send(&stage, &session, json!({"text": "[approve twice]"})).await;
    let asked = until(&stage, &session, "approval.requested").await;
    let approval = format!("/v1/approvals/{}", asked["data"]["approval_id"].as_str().unwrap());
    stage.http.post(&approval, json!({"decision": "accept"})).await.expect(200);
    let end = ended(&stage, &session, &message).await;
    assert_eq!((&end["state"], &end["error"]["phase"]), (&json!("failed"), &json!("budget")));
    assert_eq!(end["error"]["code"], "budget_exceeded");
    stage.close().await;
}

async fn a_deadline_stops_a_turn(stage: Stage) {
    let session = stage.session(json!({})).await;
    let message = send(&stage, &session, json!({"text": "[slow]", "deadline_seconds": 1})).await;
    let end = ended(&stage, &session, &message).await;
    assert_eq!((&end["state"], &end["error"]["code"]), (&json!("failed"), &json!("deadline_exceeded")));
    stage.close().await;
}
