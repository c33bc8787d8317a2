//! Tasks in a list: newest change first, page by page, only one's own.

use std::fs;

use futures_util::{StreamExt as _, stream};
use hyper::Method;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::stage::{Stage, words};

on_the_stand_in!(
    tasks_are_listed_page_by_page,
    a_list_is_narrowed,
    a_page_of_many_tasks_costs_a_page,
    what_waits_is_in_the_list_and_moves_when_it_ends,
    a_task_whose_message_was_never_sent_is_none,
);

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

/// Every task, by pages of this size.
async fn by_pages(stage: &Stage, size: usize) -> Vec<Value> {
    let (mut tasks, mut token) = (Vec::new(), String::new());
    loop {
        let page = stage.call("ListTasks", json!({"pageSize": size, "pageToken": token})).await;
        tasks.extend(page["tasks"].as_array().unwrap().iter().cloned());
        token = page["nextPageToken"].as_str().unwrap().to_owned();
        if token.is_empty() {
            return tasks;
        }
    }
}

async fn a_page_of_many_tasks_costs_a_page(stage: Stage) {
    const MANY: usize = 300;
    let made: Vec<_> =
        stream::iter(0..MANY).map(|_| stage.say("[steered]")).buffer_unordered(8).collect().await;
    let waiting = stage.say("[approve]").await;
    let tasks = by_pages(&stage, 100).await;
    assert_eq!(tasks.len(), MANY + 1);
    let places = tasks.iter().map(|task| (task["status"]["timestamp"].as_str(), task["id"].as_str()));
    assert!(places.is_sorted_by(|newer, older| newer > older), "the newest change first, and none twice");
    assert!(made.iter().all(|task| tasks.iter().any(|listed| listed["id"] == task["id"])));
    let open = stage.runtime.notes("a2a/open/", None, 1_000).await.unwrap();
    assert!(
        open.len() == 1 && open[0].key.ends_with(waiting["id"].as_str().unwrap()),
        "what has ended is not read to be found again: {open:?}"
    );
    // While somebody turns pages, others go on: nothing of what was there is missed or told twice.
    let first = stage.call("ListTasks", json!({"pageSize": 100})).await;
    stage.say("[steered]").await;
    let next = stage.call("ListTasks", json!({"pageSize": 100, "pageToken": first["nextPageToken"]})).await;
    let seen: Vec<_> = ids(&first).into_iter().chain(ids(&next)).collect();
    let expected: Vec<_> = tasks.iter().map(|task| task["id"].as_str().unwrap()).take(200).collect();
    assert_eq!(seen, expected);
    stage.call("CancelTask", json!({"id": waiting["id"]})).await;
    let stage = stage.restarted().await;
    assert_eq!(by_pages(&stage, 37).await.len(), MANY + 2, "the same after a restart");
    let failed = stage.call("ListTasks", json!({"status": "TASK_STATE_FAILED"})).await;
    assert_eq!(failed["totalSize"], 0);
    let since = json!({"statusTimestampAfter": tasks[9]["status"]["timestamp"], "pageSize": 5});
    let since = stage.call("ListTasks", since).await;
    assert!(since["totalSize"].as_u64().unwrap() >= 11 && since["pageSize"] == 5, "{since}");
    stage.close().await;
}

async fn what_waits_is_in_the_list_and_moves_when_it_ends(stage: Stage) {
    let waiting = stage.say("[approve]").await;
    let done = stage.say("[stream]").await;
    let both = |list: &Value| ids(list) == [&done, &waiting].map(|task| task["id"].as_str().unwrap());
    assert!(both(&stage.call("ListTasks", json!({})).await));
    let asks = stage.call("ListTasks", json!({"status": "TASK_STATE_INPUT_REQUIRED"})).await;
    assert_eq!(ids(&asks), [waiting["id"].as_str().unwrap()]);
    stage.call("CancelTask", json!({"id": waiting["id"]})).await;
    let all = stage.call("ListTasks", json!({})).await;
    assert_eq!(
        ids(&all),
        [&waiting, &done].map(|task| task["id"].as_str().unwrap()),
        "its end is the newest"
    );
    assert_eq!(all["tasks"][0]["status"]["state"], "TASK_STATE_CANCELED");
    let session = done["contextId"].as_str().unwrap();
    stage.http.delete(&format!("/v1/sessions/{session}")).await;
    let left = stage.call("ListTasks", json!({})).await;
    assert_eq!((&left["totalSize"], ids(&left).len()), (&json!(1), 1), "a task goes with its conversation");
    stage.close().await;
}

/// Leaves what a gateway leaves that dies before it sends the message of a task: a copy of what it wrote down for another one.
async fn left_behind(stage: &Stage, like: &Value) -> String {
    let like = like["id"].as_str().unwrap();
    let notes = stage.runtime.notes("a2a/task/helper/", None, 10).await.unwrap();
    let note = notes.into_iter().find(|note| note.key.ends_with(like)).unwrap();
    let id = uuid::Uuid::now_v7().to_string();
    let task = note.key.replace(like, &id);
    let owner = task.split('/').nth(3).unwrap().to_owned();
    let push = format!("a2a/push/{id}/p");
    let name: String = Sha256::digest(&push).iter().map(|byte| format!("{byte:02x}")).collect();
    let secrets = stage.data().join("secrets/push");
    fs::create_dir_all(&secrets).unwrap();
    fs::write(secrets.join(name), r#"{"id": "p", "url": "http://127.0.0.1:9/nobody"}"#).unwrap();
    let kept = json!({"agent": "helper", "owner": owner, "told": 0});
    let open = task.replace("a2a/task/", "a2a/open/");
    let left = vec![(task, Some(note.value)), (open, Some(json!(true))), (push, Some(kept))];
    stage.runtime.note(note.session, left).await.unwrap();
    id
}

/// What is written down of a task, by kind.
async fn written_down(stage: &Stage, id: &str) -> Vec<String> {
    let notes = stage.runtime.notes("a2a/", None, 100).await.unwrap().into_iter().map(|note| note.key);
    let kind = |key: String| key.split('/').nth(1).unwrap().to_owned();
    notes.filter(|key| key.contains(id)).map(kind).collect()
}

async fn a_task_whose_message_was_never_sent_is_none(stage: Stage) {
    let done = stage.say("[stream]").await;
    let left = left_behind(&stage, &done).await;
    let listed = stage.call("ListTasks", json!({})).await;
    assert_eq!(ids(&listed), [done["id"].as_str().unwrap()], "it is not told as a task");
    assert_eq!(stage.refused("GetTask", json!({"id": left})).await.1, "TASK_NOT_FOUND");
    assert_eq!(
        written_down(&stage, &left).await,
        ["open", "push", "task"],
        "this gateway may be about to send its message"
    );
    let stage = stage.restarted().await;
    let listed = stage.call("ListTasks", json!({})).await;
    assert_eq!(
        (ids(&listed), &listed["totalSize"]),
        (vec![done["id"].as_str().unwrap().to_owned()], &json!(1))
    );
    assert_eq!(
        written_down(&stage, &left).await,
        Vec::<String>::new(),
        "the next one knows that nobody will"
    );
    // Nobody is told of it; its secrets go too, a moment later.
    while stage.data().join("secrets/push").read_dir().unwrap().next().is_some() {
        tokio::task::yield_now().await;
    }
    assert_eq!(stage.task(&done["id"]).await, done, "what was a task is one");
    stage.close().await;
}
