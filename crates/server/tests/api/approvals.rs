//! Approvals over HTTP: listed, answered once, whoever asks twice learns who was first.

use serde_json::{Value, json};

use crate::{
    on_both,
    support::stage::Stage,
    ways::{ended, send, until},
};

on_both!(two_clients_answer_and_one_of_them_wins, a_command_for_good_is_not_asked_about_again);
on_the_real!(a_question_is_answered_by_its_id, a_decision_that_is_not_offered_is_refused);
on_the_stand_in!(only_what_waits_is_listed);

/// A session that waits for a person, its message, and where the answer goes.
async fn asking(stage: &Stage, settings: Value, words: &str) -> (String, String, String) {
    let session = stage.session(settings).await;
    let message = send(stage, &session, json!({"text": words})).await;
    until(stage, &session, "approval.requested").await;
    let list = stage.http.get("/v1/approvals?state=pending").await.expect(200);
    let [asked] = &list["items"].as_array().unwrap()[..] else { panic!("{list}") };
    assert_eq!(asked["session_id"], json!(session));
    assert!(asked["at"].is_string() && asked["turn_id"].is_string());
    (session, message, format!("/v1/approvals/{}", asked["approval_id"].as_str().unwrap()))
}

async fn two_clients_answer_and_one_of_them_wins(stage: Stage) {
    let settings = json!({"approval_policy": "on-request"});
    let (session, message, approval) = asking(&stage, settings, "[approve]").await;
    let (ann, bob) = tokio::join!(
        stage.http.post(&approval, json!({"decision": "accept"})),
        stage.http.post(&approval, json!({"decision": "accept"})),
    );
    let (won, lost) = if ann.status == 200 { (ann, bob) } else { (bob, ann) };
    assert_eq!(won.expect(200)["by"], "local/http");
    assert_eq!(lost.problem(409), "already_answered");
    assert!(lost.json()["detail"].as_str().unwrap().contains("local/http"), "{:?}", lost.json());
    assert_eq!(ended(&stage, &session, &message).await["text"], "The command was decided.");
    assert_eq!(std::fs::read_to_string(stage.work("approved.txt")).unwrap(), "approved\n");
    let late = stage.http.post(&approval, json!({"decision": "decline"})).await;
    assert_eq!(late.problem(409), "already_answered", "also when the turn is over");
    assert!(late.json()["detail"].as_str().unwrap().contains("local/http"));
    assert_eq!(stage.http.get("/v1/approvals").await.expect(200)["items"], json!([]));
    stage.close().await;
}

async fn a_command_for_good_is_not_asked_about_again(stage: Stage) {
    let settings = json!({"approval_policy": "on-request"});
    let (session, message, approval) = asking(&stage, settings, "[approve twice]").await;
    stage.http.post(&approval, json!({"decision": "accept_for_session"})).await.expect(200);
    assert_eq!(ended(&stage, &session, &message).await["text"], "Said twice.");
    stage.close().await;
}

async fn a_question_is_answered_by_its_id(stage: Stage) {
    let (session, message, approval) = asking(&stage, json!({"permission_mode": "plan"}), "[ask]").await;
    let answer = json!({"decision": "accept", "answers": {"colour": "Blue, and dark"}});
    for (field, wrong) in [
        ("answers", json!({"decision": "accept"})),
        ("answers.color", json!({"decision": "accept", "answers": {"color": "Blue"}})),
        ("content", json!({"decision": "accept", "content": {}})),
    ] {
        let refused = stage.http.post(&approval, wrong).await;
        assert_eq!(
            (refused.problem(400).as_str(), &refused.json()["field"]),
            ("invalid_argument", &json!(field))
        );
    }
    stage.http.post(&approval, answer).await.expect(200);
    assert_eq!(ended(&stage, &session, &message).await["text"], "Asked.");
    stage.close().await;
}

async fn a_decision_that_is_not_offered_is_refused(stage: Stage) {
    let (session, message, approval) = asking(&stage, json!({"permission_mode": "plan"}), "[ask]").await;
    let refused = stage.http.post(&approval, json!({"decision": "accept_for_session"})).await;
    assert_eq!(refused.problem(422), "decision_not_offered");
    assert_eq!(refused.json()["field"], "decision");
    stage.http.post(&approval, json!({"decision": "decline"})).await.expect(200);
    assert_eq!(ended(&stage, &session, &message).await["text"], "Asked.");
    stage.close().await;
}

async fn only_what_waits_is_listed(stage: Stage) {
    for list in ["/v1/approvals", "/v1/tool-calls"] {
        let answer = stage.http.get(&format!("{list}?state=resolved")).await;
        assert_eq!(
            (answer.problem(400).as_str(), &answer.json()["field"]),
            ("query_invalid", &json!("state"))
        );
        assert_eq!(stage.http.get(list).await.expect(200), json!({"items": []}));
    }
    stage.close().await;
}
