//! What a message brings beside words, and words for what came to nothing.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use crate::stage::{Stage, words};

on_both!(data_and_files_reach_the_agent);

on_the_stand_in!(
    what_is_too_large_or_unreadable_is_refused,
    a_file_s_name_leads_nowhere_else,
    files_of_one_name_are_kept_apart,
    an_agent_that_was_lost_is_told_in_words,
);

/// The smallest picture there is.
const PICTURE: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

fn with_parts(parts: Value) -> Value {
    let mut message = words("");
    message["parts"] = parts;
    json!({"message": message})
}

/// What the agent was told with a task's first message.
async fn told(stage: &Stage, task: &Value) -> Vec<Value> {
    let session = task["contextId"].as_str().unwrap();
    let events = stage.http.get(&format!("/v1/sessions/{session}/events")).await.expect(200);
    let events = events["events"].as_array().unwrap().clone();
    let accepted = events.into_iter().find(|event| event["type"] == "message.accepted").unwrap();
    accepted["data"]["input"].as_array().unwrap().clone()
}

async fn data_and_files_reach_the_agent(stage: Stage) {
    let parts = json!([
        {"text": "[stream]"},
        {"data": {"answer": 42}},
        {"raw": BASE64_STANDARD.encode("a,b"), "filename": "table.csv", "mediaType": "text/csv"},
        {"raw": PICTURE, "mediaType": "image/png"},
        {"url": "https://example.org/far.pdf", "filename": "far.pdf"},
    ]);
    let task = stage.call("SendMessage", with_parts(parts.clone())).await["task"].clone();
    assert_eq!(task["status"]["state"], "TASK_STATE_COMPLETED", "{task}");
    assert_eq!(task["history"][0]["parts"], parts, "what was said is kept as it was said");
    let input = told(&stage, &task).await;
    let text = |n: usize| input[n]["text"].as_str().unwrap();
    assert_eq!(text(1), "```json\n{\n  \"answer\": 42\n}\n```");
    let path = text(2).strip_prefix("A file (text/csv) was put at ").unwrap();
    assert!(
        path.starts_with(stage.work(".selvedge/inbox").to_str().unwrap()) && path.ends_with("/table.csv")
    );
    assert_eq!(std::fs::read_to_string(path).unwrap(), "a,b");
    assert_eq!(input[3]["type"], "image", "the model sees it: {}", input[3]);
    assert_eq!(text(4), "A file to look at (far.pdf): https://example.org/far.pdf", "and nothing is fetched");
    stage.close().await;
}

async fn what_is_too_large_or_unreadable_is_refused(stage: Stage) {
    let nine = json!([{"text": "look"}, {"raw": BASE64_STANDARD.encode("123456789"), "filename": "a"}]);
    let eight = json!([{"text": "[stream]"}, {"raw": BASE64_STANDARD.encode("12345678"), "filename": "a"}]);
    let none = json!([{"raw": "what is this?"}]);
    for (agent, parts, field) in [("small", nine, "message.parts[1]"), ("helper", none, "message.parts[0]")] {
        let answer = stage.ask(&format!("/a2a/{agent}"), "SendMessage", with_parts(parts)).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        assert_eq!(answer["error"]["data"][1]["fieldViolations"][0]["field"], field);
    }
    let taken = stage.ask("/a2a/small", "SendMessage", with_parts(eight)).await;
    assert_eq!(taken["result"]["task"]["status"]["state"], "TASK_STATE_COMPLETED", "{taken}");
    assert_eq!(stage.call("ListTasks", json!({})).await["totalSize"], 0, "what was refused is no task");
    for kind in ["a2a/task/helper/", "a2a/open/helper/"] {
        let left = stage.runtime.notes(kind, None, 10).await.unwrap();
        assert!(left.is_empty(), "and nobody looks for it again: {left:?}");
    }
    stage.close().await;
}

async fn a_file_s_name_leads_nowhere_else(stage: Stage) {
    for name in ["../../../escaped.txt", "/etc/escaped.txt", "..", "", "a/b"] {
        let parts = json!([{"text": "[stream]"}, {"raw": BASE64_STANDARD.encode("x"), "filename": name}]);
        let task = stage.call("SendMessage", with_parts(parts)).await["task"].clone();
        let input = told(&stage, &task).await;
        let path = input[1]["text"].as_str().unwrap().rsplit(' ').next().unwrap();
        let inbox = stage.work(".selvedge/inbox").join(task["id"].as_str().unwrap());
        assert_eq!(std::path::Path::new(path).parent(), Some(inbox.as_path()), "{name:?}");
    }
    stage.close().await;
}

async fn files_of_one_name_are_kept_apart(stage: Stage) {
    let file = |text: &str, name: &str| json!({"raw": BASE64_STANDARD.encode(text), "filename": name});
    let long = "x".repeat(250);
    let parts = json!([{"text": "[stream]"}, file("one", "a.txt"), file("two", "sub/a.txt"), file("3", &long), file("4", "a\nb")]);
    let task = stage.call("SendMessage", with_parts(parts)).await["task"].clone();
    let input = told(&stage, &task).await;
    let kept = |n: usize| {
        let told = input[n]["text"].as_str().unwrap();
        std::fs::read_to_string(told.rsplit(' ').next().unwrap()).unwrap()
    };
    assert_eq!([1, 2, 3, 4].map(kept), ["one", "two", "3", "4"]);
    stage.close().await;
}

async fn an_agent_that_was_lost_is_told_in_words(stage: Stage) {
    let task = stage.say("[crash]").await;
    assert_eq!(task["status"]["state"], "TASK_STATE_FAILED", "{task}");
    let said = task["status"]["message"]["parts"][0]["text"].as_str().unwrap();
    assert!(said.starts_with("[codex unreachable] ") && said.ends_with("is not known"), "{said}");
    assert_eq!(task["metadata"]["outcome"], "unknown");
    let mut next = words("[stream]");
    next["contextId"] = task["contextId"].clone();
    let next = stage.call("SendMessage", json!({"message": next})).await["task"].clone();
    assert_eq!(next["status"]["state"], "TASK_STATE_COMPLETED", "the next message is answered");
    stage.close().await;
}
