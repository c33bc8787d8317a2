//! A message that comes while the agent works, without `taskId`: what becomes of it is said by its own `busyPolicy`.

use serde_json::{Value, json};

use crate::stage::{Stage, words};

on_both!(
    it_waits_for_its_turn,
    it_joins_the_turn,
    it_takes_the_turn_s_place_and_knows_of_it,
    it_is_rejected,
    the_same_message_twice_is_two,
);

const TEN: &str = "One two three four five six seven eight nine ten.";

/// A task in the middle of its turn: it has said something.
async fn at_work(stage: &Stage, text: &str) -> Value {
    let task = stage.begin(text).await;
    stage.until(&task, "item.delta").await;
    task
}

/// Says something in the context of a task, with this policy, and waits.
async fn meanwhile(stage: &Stage, first: &Value, text: &str, policy: &str) -> Value {
    let mut message = words(text);
    message["contextId"] = first["contextId"].clone();
    message["metadata"] = json!({"busyPolicy": policy});
    let task = stage.call("SendMessage", json!({"message": message})).await["task"].clone();
    assert_eq!(task["contextId"], first["contextId"]);
    assert_ne!(task["id"], first["id"], "it is a task of its own");
    task
}

fn state(task: &Value) -> &str {
    task["status"]["state"].as_str().unwrap().trim_start_matches("TASK_STATE_")
}

fn text(task: &Value) -> &str {
    task["artifacts"][0]["parts"][0]["text"].as_str().unwrap()
}

async fn it_waits_for_its_turn(stage: Stage) {
    let first = at_work(&stage, "[steady]").await;
    let second = meanwhile(&stage, &first, "[stream]", "queue").await;
    assert_eq!((state(&second), text(&second)), ("COMPLETED", TEN));
    let first = stage.task(&first["id"]).await;
    assert_eq!(
        (state(&first), text(&first)),
        ("COMPLETED", "tick ".repeat(20).as_str()),
        "nothing of it is lost"
    );
    stage.close().await;
}

async fn it_joins_the_turn(stage: Stage) {
    let first = at_work(&stage, "[steady]").await;
    let second = meanwhile(&stage, &first, "[steered]", "steer").await;
    assert_eq!((state(&second), text(&second)), ("COMPLETED", "Steered."));
    assert_eq!(second["metadata"]["steeredInto"], first["id"], "{second}");
    assert_eq!(state(&stage.task(&first["id"]).await), "COMPLETED");
    stage.close().await;
}

async fn it_takes_the_turn_s_place_and_knows_of_it(stage: Stage) {
    let first = at_work(&stage, "[slow]").await;
    let second = meanwhile(&stage, &first, "[stream]", "interrupt").await;
    assert_eq!((state(&second), text(&second)), ("COMPLETED", TEN));
    assert_eq!(state(&stage.task(&first["id"]).await), "CANCELED");
    if let Some(asked) = stage.asked_last() {
        for known in ["[slow]", "tick", "[stream]"] {
            assert!(asked.contains(known), "the agent is told what was cut: {asked}");
        }
    }
    stage.close().await;
}

async fn it_is_rejected(stage: Stage) {
    let first = at_work(&stage, "[slow]").await;
    let second = meanwhile(&stage, &first, "[stream]", "reject").await;
    assert_eq!(state(&second), "REJECTED");
    assert_eq!(state(&stage.task(&first["id"]).await), "WORKING", "the other one is not disturbed");
    stage.call("CancelTask", json!({"id": first["id"]})).await;
    stage.close().await;
}

async fn the_same_message_twice_is_two(stage: Stage) {
    let first = at_work(&stage, "[steady]").await;
    let mut message = words("[stream]");
    message["contextId"] = first["contextId"].clone();
    let send = || stage.call("SendMessage", json!({"message": message}));
    let (one, other) = tokio::join!(send(), send());
    let (one, other) = (&one["task"], &other["task"]);
    assert_ne!(one["id"], other["id"]);
    assert_eq!((state(one), state(other), text(one), text(other)), ("COMPLETED", "COMPLETED", TEN, TEN));
    assert_eq!(one["history"][0]["messageId"], other["history"][0]["messageId"]);
    assert_eq!(stage.call("ListTasks", json!({"contextId": first["contextId"]})).await["totalSize"], 3);
    stage.close().await;
}
