//! Tasks in a list: newest change first, page by page, only one's own.

use hyper::Method;
use serde_json::{Value, json};

use crate::stage::{Stage, words};

on_the_stand_in!(tasks_are_listed_page_by_page, a_list_is_narrowed);

fn ids(list: &Value) -> Vec<String> {
    list["tasks"].as_array().unwrap().iter().map(|task| task["id"].as_str().unwrap().to_owned()).collect()
}

async fn tasks_are_listed_page_by_page(stage: Stage) {
    let mut made = Vec::new();
    for _ in 0..5 {
        made.push(stage.say("[stream]").await["id"].as_str().unwrap().to_owned());
    }
    made.reverse();
    let all = stage.call("ListTasks", json!({})).await;
    assert_eq!(ids(&all), made);
    assert_eq!(
        (&all["totalSize"], &all["nextPageToken"], &all["pageSize"]),
        (&json!(5), &json!(""), &json!(5))
    );
    assert!(all["tasks"][0]["artifacts"].is_null(), "what it came to is not in a list, unless wanted");
    let mut seen = Vec::new();
    let mut token = String::new();
    loop {
        let page = stage.call("ListTasks", json!({"pageSize": 2, "pageToken": token})).await;
        assert_eq!(page["totalSize"], 5);
        seen.extend(ids(&page));
        token = page["nextPageToken"].as_str().unwrap().to_owned();
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(seen, made);
    let answer = stage
        .rest(Method::GET, "/tasks?pageSize=2&includeArtifacts=true&historyLength=0", None)
        .await
        .expect(200);
    assert_eq!(ids(&answer), made[..2]);
    assert!(answer["tasks"][0]["artifacts"].is_array() && answer["tasks"][0]["history"].is_null());
    stage.close().await;
}

async fn a_list_is_narrowed(stage: Stage) {
    let done = stage.say("[stream]").await;
    let failed = stage.say("[fail usage]").await;
    let by_state = stage.call("ListTasks", json!({"status": "TASK_STATE_FAILED"})).await;
    assert_eq!(ids(&by_state), [failed["id"].as_str().unwrap()]);
    let by_context = stage.call("ListTasks", json!({"contextId": done["contextId"]})).await;
    assert_eq!(ids(&by_context), [done["id"].as_str().unwrap()]);
    let after = stage.call("ListTasks", json!({"statusTimestampAfter": failed["status"]["timestamp"]})).await;
    assert_eq!(ids(&after), [failed["id"].as_str().unwrap()]);
    let other = stage.ask("/a2a/plain", "ListTasks", json!({})).await;
    assert_eq!(other["result"]["totalSize"], 0, "another agent has none");
    let message = words("[stream]");
    stage.ask("/a2a/hasty", "SendMessage", json!({"message": message})).await;
    assert_eq!(stage.call("ListTasks", json!({})).await["totalSize"], 2);
    stage.close().await;
}
