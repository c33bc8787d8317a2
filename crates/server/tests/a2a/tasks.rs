//! A task's life: sent, waited for, looked at, cancelled, gone on with.

use serde_json::{Value, json};

use crate::stage::{Stage, rpc, said, words};

const TEN: &str = "One two three four five six seven eight nine ten.";

on_both!(
    a_message_becomes_a_task_with_its_answer,
    a_context_is_one_conversation,
    a_running_task_is_cancelled,
    a_question_waits_for_its_answer,
    a_task_that_is_told_otherwise_asks_again_and_keeps_what_was_said,
    a_queued_task_is_taken_back,
    messages_of_several_senders_keep_their_order,
    a_busy_agent_rejects,
);

on_the_stand_in!(
    who_does_not_wait_is_told_at_once,
    history_is_as_long_as_wanted,
    a_no_and_other_words_are_no_consent,
    an_empty_message_is_answered_in_words,
    a_failure_is_told_in_words,
    an_answer_comes_as_data,
    a_context_may_have_any_name,
);

async fn a_message_becomes_a_task_with_its_answer(stage: Stage) {
    let sent = words("[stream]");
    let task = stage.call("SendMessage", json!({"message": sent})).await["task"].clone();
    assert_eq!(task["status"]["state"], "TASK_STATE_COMPLETED");
    assert_eq!(task["artifacts"][0]["parts"], json!([{"text": TEN}]));
    assert_eq!(task["metadata"]["usage"]["total"], 120);
    let said = &task["history"][0];
    assert_eq!((&said["messageId"], &said["role"]), (&sent["messageId"], &json!("ROLE_USER")));
    assert_eq!((&said["taskId"], &said["contextId"]), (&task["id"], &task["contextId"]));
    assert_eq!(stage.task(&task["id"]).await, task);
    let stage = stage.restarted().await;
    assert_eq!(stage.task(&task["id"]).await, task, "the same after a restart");
    let path = format!("/tasks/{}", task["id"].as_str().unwrap());
    assert_eq!(
        stage.rest(hyper::Method::GET, &path, None).await.expect(200),
        task,
        "the same by the other binding"
    );
    let again = stage.call("SendMessage", json!({"message": sent})).await["task"].clone();
    assert_ne!(again["id"], task["id"], "the same messageId twice is two messages");
    stage.close().await;
}

async fn a_context_is_one_conversation(stage: Stage) {
    let first = stage.say("[stream]").await;
    let mut more = words("[stream]");
    more["contextId"] = first["contextId"].clone();
    let second = stage.call("SendMessage", json!({"message": more})).await["task"].clone();
    assert_eq!(second["contextId"], first["contextId"]);
    assert_ne!(second["id"], first["id"]);
    let session =
        stage.http.get(&format!("/v1/sessions/{}", first["contextId"].as_str().unwrap())).await.expect(200);
    assert_eq!(
        (&session["labels"]["a2a_agent"], &session["usage"]["total"]),
        (&json!("helper"), &json!(240))
    );
    stage.close().await;
}

async fn a_running_task_is_cancelled(stage: Stage) {
    let task = stage.begin("[slow]").await;
    let cancelled = stage.call("CancelTask", json!({"id": task["id"]})).await;
    assert_eq!(cancelled["status"]["state"], "TASK_STATE_CANCELED");
    let (code, reason) = stage.refused("CancelTask", json!({"id": task["id"]})).await;
    assert_eq!((code, reason.as_str()), (-32002, "TASK_NOT_CANCELABLE"));
    stage.close().await;
}

/// A task that asks whether a command may run.
async fn asking(stage: &Stage) -> Value {
    let task = stage.say("[approve]").await;
    assert_eq!(task["status"]["state"], "TASK_STATE_INPUT_REQUIRED");
    let asked = task["status"]["message"]["parts"][0]["text"].as_str().unwrap();
    assert!(asked.starts_with("May I run `") && asked.contains("May I write approved.txt?"), "{asked}");
    task
}

/// Says something to a task, and waits.
async fn answer(stage: &Stage, task: &Value, text: &str) -> Value {
    let mut message = words(text);
    message["taskId"] = task["id"].clone();
    stage.call("SendMessage", json!({"message": message})).await["task"].clone()
}

async fn a_question_waits_for_its_answer(stage: Stage) {
    let task = asking(&stage).await;
    let done = answer(&stage, &task, "yes").await;
    assert_eq!((&done["id"], &done["status"]["state"]), (&task["id"], &json!("TASK_STATE_COMPLETED")));
    assert_eq!(done["artifacts"][0]["parts"][0]["text"], "The command was decided.");
    let roles: Vec<_> =
        done["history"].as_array().unwrap().iter().map(|said| said["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["ROLE_USER", "ROLE_AGENT", "ROLE_USER"]);
    assert!(stage.work("approved.txt").exists(), "what was allowed was done");
    let mut late = words("yes");
    late["taskId"] = task["id"].clone();
    let (code, reason) = stage.refused("SendMessage", json!({"message": late})).await;
    assert_eq!((code, reason.as_str()), (-32004, "UNSUPPORTED_OPERATION"));
    stage.close().await;
}

async fn a_no_and_other_words_are_no_consent(stage: Stage) {
    for words in ["no", "please do something else"] {
        let task = asking(&stage).await;
        let done = answer(&stage, &task, words).await;
        assert_eq!(done["status"]["state"], "TASK_STATE_COMPLETED", "{words}");
        assert!(!stage.work("approved.txt").exists(), "{words}");
    }
    stage.close().await;
}

async fn a_task_that_is_told_otherwise_asks_again_and_keeps_what_was_said(stage: Stage) {
    let mut task = asking(&stage).await;
    let said = ["[approve] rather in the morning", "[approve] or in the evening", "[steered] or never"];
    for (n, words) in said.into_iter().enumerate() {
        task = answer(&stage, &task, words).await;
        let state = if n < 2 { "TASK_STATE_INPUT_REQUIRED" } else { "TASK_STATE_COMPLETED" };
        assert_eq!(task["status"]["state"], state, "the agent goes on from what it was told: {task}");
        if let Some(asked) = stage.asked_last() {
            assert_eq!(asked, words, "its model has the words as soon as it has the no");
        }
    }
    assert_eq!(task["artifacts"][0]["parts"][0]["text"], "Steered.");
    assert_eq!(texts(&task, "ROLE_USER"), ["[approve]", said[0], said[1], said[2]]);
    let questions = texts(&task, "ROLE_AGENT");
    assert!(questions.len() == 3 && questions.iter().all(|it| it.starts_with("May I run ")), "{questions:?}");
    let roles: Vec<_> = task["history"].as_array().unwrap().iter().map(|said| &said["role"]).collect();
    assert_eq!(roles.len(), 7);
    assert!(roles.windows(2).all(|two| two[0] != two[1]), "they speak in turns: {roles:?}");
    if let Some(requests) = stage.asked_times() {
        assert_eq!(requests, 4, "it is not asked without the words");
    }
    assert!(!stage.work("approved.txt").exists());
    stage.close().await;
}

/// What one side said of a task, in its order.
fn texts<'task>(task: &'task Value, role: &str) -> Vec<&'task str> {
    let said = task["history"].as_array().unwrap().iter().filter(|said| said["role"] == role);
    said.map(|said| said["parts"][0]["text"].as_str().unwrap()).collect()
}

async fn who_does_not_wait_is_told_at_once(stage: Stage) {
    let task = stage.begin("[slow]").await;
    let state = task["status"]["state"].as_str().unwrap();
    assert!(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"].contains(&state), "{task}");
    stage.call("CancelTask", json!({"id": task["id"]})).await;
    stage.close().await;
}

async fn history_is_as_long_as_wanted(stage: Stage) {
    let task = asking(&stage).await;
    let done = answer(&stage, &task, "no").await;
    assert_eq!(done["history"].as_array().unwrap().len(), 3);
    for (length, left) in [(json!(0), 0), (json!(1), 1), (json!("2"), 2), (json!(99), 3)] {
        let shown = stage.call("GetTask", json!({"id": task["id"], "historyLength": length})).await;
        assert_eq!(shown["history"].as_array().map_or(0, Vec::len), left, "{length}");
    }
    let last = stage.call("GetTask", json!({"id": task["id"], "history_length": 1})).await;
    assert_eq!(last["history"][0]["parts"][0]["text"], "no", "the newest stay");
    let params = json!({"message": words("[stream]"), "configuration": {"historyLength": 0}});
    let told = stage.http.post("/a2a", rpc("SendStreamingMessage", params)).await;
    let first = &said(&told.body)[0].1["result"]["task"];
    assert!(first["id"].is_string() && first["history"].is_null(), "of a stream too: {first}");
    stage.close().await;
}

async fn a_queued_task_is_taken_back(stage: Stage) {
    let first = stage.begin("[slow]").await;
    let mut more = words("[stream]");
    more["contextId"] = first["contextId"].clone();
    let params = json!({"message": more, "configuration": {"returnImmediately": true}});
    let second = stage.call("SendMessage", params).await["task"].clone();
    assert_eq!(second["status"]["state"], "TASK_STATE_SUBMITTED");
    let cancelled = stage.call("CancelTask", json!({"id": second["id"]})).await;
    assert_eq!(cancelled["status"]["state"], "TASK_STATE_CANCELED");
    let state = stage.task(&first["id"]).await["status"]["state"].clone();
    assert_ne!(state, "TASK_STATE_CANCELED", "the other one is not concerned");
    stage.call("CancelTask", json!({"id": first["id"]})).await;
    stage.close().await;
}

async fn messages_of_several_senders_keep_their_order(stage: Stage) {
    let first = stage.begin("[steady]").await;
    let mut tasks = Vec::new();
    for _ in 0..3 {
        let mut more = words("[stream]");
        more["contextId"] = first["contextId"].clone();
        let params = json!({"message": more, "configuration": {"returnImmediately": true}});
        tasks.push(stage.call("SendMessage", params).await["task"]["id"].clone());
    }
    let mut last = words("[stream]");
    last["contextId"] = first["contextId"].clone();
    tasks.push(stage.call("SendMessage", json!({"message": last})).await["task"]["id"].clone());
    let mut ends = vec![stage.task(&first["id"]).await["status"]["timestamp"].clone()];
    for task in &tasks {
        let task = stage.task(task).await;
        assert_eq!(task["status"]["state"], "TASK_STATE_COMPLETED");
        ends.push(task["status"]["timestamp"].clone());
    }
    let ends: Vec<_> = ends.iter().map(|end| end.as_str().unwrap()).collect();
    assert!(ends.is_sorted(), "{ends:?}");
    stage.close().await;
}

async fn a_busy_agent_rejects(stage: Stage) {
    let begin = json!({"message": words("[slow]"), "configuration": {"returnImmediately": true}});
    let first = stage.ask("/a2a/strict", "SendMessage", begin).await["result"]["task"].clone();
    let mut more = words("[stream]");
    more["contextId"] = first["contextId"].clone();
    let second =
        stage.ask("/a2a/strict", "SendMessage", json!({"message": more})).await["result"]["task"].clone();
    assert_eq!(second["status"]["state"], "TASK_STATE_REJECTED");
    let shown = stage.ask("/a2a/strict", "GetTask", json!({"id": second["id"]})).await;
    assert_eq!(shown["result"], second, "that it was rejected is remembered");
    let other = stage.ask("/a2a", "GetTask", json!({"id": second["id"]})).await;
    assert_eq!(other["error"]["code"], -32001, "another agent does not know it");
    stage.ask("/a2a/strict", "CancelTask", json!({"id": first["id"]})).await;
    stage.close().await;
}

async fn an_empty_message_is_answered_in_words(stage: Stage) {
    let answer = stage.call("SendMessage", json!({"message": words("  \n")})).await;
    assert_eq!(answer["message"]["parts"][0]["text"], "(empty prompt — nothing to do)");
    stage.close().await;
}

async fn a_failure_is_told_in_words(stage: Stage) {
    let task = stage.say("[fail usage]").await;
    assert_eq!(task["status"]["state"], "TASK_STATE_FAILED");
    let words = task["status"]["message"]["parts"][0]["text"].as_str().unwrap();
    assert!(words.starts_with("[codex error] "), "{words}");
    assert_eq!(task["metadata"]["error"]["code"], "usage_limit_exceeded");
    stage.close().await;
}

async fn an_answer_comes_as_data(stage: Stage) {
    let mut message = words("[answer fixed]");
    let schema = json!({
        "type": "object", "additionalProperties": false,
        "properties": {"verdict": {"type": "string"}, "score": {"type": "integer"}},
        "required": ["verdict", "score"],
    });
    message["metadata"] = json!({"outputSchema": schema});
    let task = stage.call("SendMessage", json!({"message": message})).await["task"].clone();
    assert_eq!(task["artifacts"][0]["parts"], json!([{"data": {"verdict": "right", "score": 7}}]));
    stage.close().await;
}

async fn a_context_may_have_any_name(stage: Stage) {
    let mut message = words("[stream]");
    message["contextId"] = json!("tickets/42 ü");
    let (first, second) = tokio::join!(
        stage.call("SendMessage", json!({"message": message})),
        stage.call("SendMessage", json!({"message": message})),
    );
    assert_eq!(first["task"]["contextId"], "tickets/42 ü");
    let sessions = stage.http.get("/v1/sessions").await.expect(200);
    assert_eq!(sessions["items"].as_array().unwrap().len(), 1, "both are of one conversation");
    assert_eq!(second["task"]["contextId"], first["task"]["contextId"]);
    let stage = stage.restarted().await;
    stage.call("SendMessage", json!({"message": message})).await;
    let sessions = stage.http.get("/v1/sessions").await.expect(200);
    assert_eq!(sessions["items"].as_array().unwrap().len(), 1, "also after a restart");
    stage.close().await;
}
