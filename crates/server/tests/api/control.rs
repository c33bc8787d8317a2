//! Interrupt, force, stop, start, fork, archive.

use serde_json::json;

use crate::{
    on_both,
    support::stage::Stage,
    ways::{ended, say, send, talking},
};

on_both!(
    a_turn_is_interrupted_and_the_session_goes_on,
    a_turn_is_interrupted_by_force,
    a_stopped_session_goes_on_when_it_is_started,
    a_fork_has_the_history_up_to_a_message,
    an_archived_session_is_put_away_and_comes_back,
    a_conversation_is_summed_up,
);

on_the_stand_in!(what_cannot_be_done_now_says_so);

async fn a_turn_is_interrupted_and_the_session_goes_on(stage: Stage) {
    let (session, message) = talking(&stage).await;
    let path = format!("/v1/sessions/{session}/interrupt");
    stage.http.post(&path, json!({})).await.expect(202);
    let end = ended(&stage, &session, &message).await;
    assert_eq!(end["state"], "interrupted");
    assert!(end["text"].as_str().unwrap().starts_with("tick"), "what had been said is kept: {end}");
    assert_eq!(stage.http.post(&path, json!({})).await.problem(409), "idle", "there is nothing left to stop");
    assert_eq!(say(&stage, &session, "[stream]").await["state"], "completed");
    stage.close().await;
}

async fn a_turn_is_interrupted_by_force(stage: Stage) {
    let (session, message) = talking(&stage).await;
    let path = format!("/v1/sessions/{session}/interrupt");
    stage.http.post(&path, json!({"force": true})).await.expect(202);
    let end = ended(&stage, &session, &message).await;
    assert!(["interrupted", "lost"].contains(&end["state"].as_str().unwrap()), "{end}");
    stage.http.post(&format!("/v1/sessions/{session}/start"), json!({})).await.expect(202);
    assert_eq!(say(&stage, &session, "[stream]").await["state"], "completed", "the session goes on");
    stage.close().await;
}

async fn a_stopped_session_goes_on_when_it_is_started(stage: Stage) {
    let (session, message) = talking(&stage).await;
    let waits = send(&stage, &session, json!({"text": "[think]"})).await;
    let path = format!("/v1/sessions/{session}");
    stage.http.post(&format!("{path}/stop"), json!({})).await.expect(202);
    for message in [&message, &waits] {
        assert_eq!(ended(&stage, &session, message).await["state"], "interrupted");
    }
    let refused = stage.http.post(&format!("{path}/messages"), json!({"text": "[stream]"})).await;
    assert_eq!(refused.problem(409), "not_running");
    stage.http.post(&format!("{path}/start"), json!({})).await.expect(202);
    assert_eq!(say(&stage, &session, "[stream]").await["state"], "completed");
    stage.close().await;
}

async fn a_fork_has_the_history_up_to_a_message(stage: Stage) {
    let session = stage.session(json!({"labels": {"team": "a"}})).await;
    let path = format!("/v1/sessions/{session}/fork");
    let bare = stage.http.post(&path, json!({})).await.expect(201);
    assert_eq!(bare["labels"], json!({"team": "a"}), "nothing was said yet: how it works is forked");
    assert_eq!(say(&stage, bare["id"].as_str().unwrap(), "[stream]").await["state"], "completed");
    let first = say(&stage, &session, "[stream]").await;
    say(&stage, &session, "[think]").await;
    let forked = stage.http.post(&path, json!({"after_message_id": first["message_id"]})).await.expect(201);
    assert_eq!(
        (&forked["forked_from"]["session_id"], &forked["labels"]),
        (&json!(session), &json!({"team": "a"}))
    );
    assert_eq!(forked["forked_from"]["turn_id"], first["turn_id"]);
    let of_fork = format!("/v1/sessions/{}/fork", forked["id"].as_str().unwrap());
    let again = stage.http.post(&of_fork, json!({})).await.expect(201);
    assert_eq!(again["forked_from"]["turn_id"], first["turn_id"], "it begins where the fork does");
    let fork = forked["id"].as_str().unwrap();
    assert_eq!(say(&stage, fork, "[steered]").await["text"], "Steered.");
    let shown = stage.http.get(&format!("/v1/sessions/{session}")).await.expect(200);
    let shown_fork = stage.http.get(&format!("/v1/sessions/{fork}")).await.expect(200);
    assert_ne!(shown["thread_id"], shown_fork["thread_id"]);
    stage.close().await;
}

async fn an_archived_session_is_put_away_and_comes_back(stage: Stage) {
    let session = stage.session(json!({})).await;
    say(&stage, &session, "[stream]").await;
    let path = format!("/v1/sessions/{session}");
    let away = stage.http.post(&format!("{path}/archive"), json!({})).await.expect(202);
    assert_eq!(away["archived"], true);
    assert_eq!(stage.http.get("/v1/sessions").await.expect(200)["items"], json!([]));
    let all = stage.http.get("/v1/sessions?archived=true").await.expect(200);
    assert_eq!(all["items"][0]["id"], json!(session));
    let refused = stage.http.post(&format!("{path}/messages"), json!({"text": "[stream]"})).await;
    assert_eq!(refused.problem(409), "archived");
    stage.http.post(&format!("{path}/unarchive"), json!({})).await.expect(202);
    assert_eq!(say(&stage, &session, "[stream]").await["state"], "completed");
    stage.close().await;
}

async fn a_conversation_is_summed_up(stage: Stage) {
    let session = stage.session(json!({})).await;
    say(&stage, &session, "[stream]").await;
    stage.http.post(&format!("/v1/sessions/{session}/compact"), json!({})).await.expect(202);
    assert_eq!(say(&stage, &session, "[think]").await["state"], "completed", "what comes after waits for it");
    stage.close().await;
}

async fn what_cannot_be_done_now_says_so(stage: Stage) {
    let session = stage.session(json!({})).await;
    let path = format!("/v1/sessions/{session}");
    assert_eq!(stage.http.post(&format!("{path}/interrupt"), json!({})).await.problem(409), "idle");
    stage.http.post(&format!("{path}/stop"), json!({})).await.expect(202);
    for deed in ["compact", "review"] {
        assert_eq!(stage.http.post(&format!("{path}/{deed}"), json!({})).await.problem(409), "not_running");
    }
    stage.close().await;
}
