//! The inbox: words in by whoever has only HTTP, what came of them out, each once.

use serde_json::json;

use crate::stage::Stage;

on_the_stand_in!(words_wake_the_agent_and_its_answer_is_waited_for, an_inbox_outlives_the_gateway);

async fn words_wake_the_agent_and_its_answer_is_waited_for(stage: Stage) {
    let path = "/v1/agents/helper/inbox";
    let first = stage.http.post(path, json!({"text": "[stream]", "context": "work"})).await.expect(202);
    let heard = stage.http.get(&format!("{path}?wait=60")).await.expect(200);
    let answer = &heard["items"][0];
    assert_eq!((&answer["task_id"], &answer["context_id"]), (&first["task_id"], &json!("work")));
    assert_eq!(
        (&answer["state"], &answer["text"]),
        (&json!("TASK_STATE_COMPLETED"), &json!("One two three four five six seven eight nine ten."))
    );
    let after = answer["cursor"].as_str().unwrap();
    let nothing = stage.http.get(&format!("{path}?after={after}")).await.expect(200);
    assert_eq!(nothing["items"], json!([]), "each is heard once");
    stage.http.post(path, json!({"text": "[approve]", "context": "work"})).await.expect(202);
    let asked = stage.http.get(&format!("{path}?after={after}&wait=60")).await.expect(200);
    assert_eq!(asked["items"][0]["state"], "TASK_STATE_INPUT_REQUIRED");
    assert_eq!(stage.http.get("/v1/agents/nobody/inbox").await.problem(404), "not_found");
    assert_eq!(stage.http.post(path, json!({"text": " "})).await.problem(400), "invalid_argument");
    stage.close().await;
}

async fn an_inbox_outlives_the_gateway(stage: Stage) {
    let path = "/v1/agents/helper/inbox";
    let put = stage.http.clone().with("idempotency-key", "k");
    let first = put.post(path, json!({"text": "[stream]"})).await.expect(202);
    let again = put.post(path, json!({"text": "[stream]"})).await.expect(202);
    assert_eq!(again, first, "the same key is one message");
    let stage = stage.restarted().await;
    let heard = stage.http.get(&format!("{path}?wait=60")).await.expect(200);
    assert_eq!(
        (&heard["items"][0]["task_id"], heard["items"].as_array().unwrap().len()),
        (&first["task_id"], 1)
    );
    stage.close().await;
}
