//! Nobody is logged in: a task waits for it, over restarts too, and goes on or is given up.

use std::process::Stdio;

use futures_util::future::join_all;
use hyper::Method;
use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt as _, process::Command};

use crate::{
    push::Ear,
    stage::{Stage, said, whole, words},
    support::stage::{codex, in_time},
};

on_the_stand_in!(a_task_that_waits_for_a_login_is_given_up, a_task_that_waited_for_a_login_goes_on);

const WAITS: &str = "TASK_STATE_AUTH_REQUIRED";

/// What a stream that has ended said last.
fn last_state(body: &[u8]) -> Value {
    said(body).last().unwrap().1["statusUpdate"]["status"]["state"].clone()
}

async fn subscribed(stage: &Stage, task: &Value) -> hyper::Response<hyper::body::Incoming> {
    let path = format!("/a2a/rest/tasks/{}:subscribe", task["id"].as_str().unwrap());
    stage.http.open(Method::GET, &path, None).await
}

fn more(task: &Value, text: &str) -> Value {
    let mut message = words(text);
    message["taskId"] = task["id"].clone();
    json!({"message": message})
}

async fn a_task_that_waits_for_a_login_is_given_up(stage: Stage) {
    let mut ear = Ear::open().await;
    let configuration = json!({"taskPushNotificationConfig": {"url": ear.url}});
    let sent = json!({"message": words("[fail 401]"), "configuration": configuration});
    let task = stage.call("SendMessage", sent).await["task"].clone();
    assert_eq!(task["status"]["state"], WAITS, "{task}");
    let (first, second) = (subscribed(&stage, &task).await, subscribed(&stage, &task).await);
    let cancelled = stage.call("CancelTask", json!({"id": task["id"]})).await;
    assert_eq!(cancelled["status"]["state"], "TASK_STATE_CANCELED");
    for subscribed in [first, second] {
        assert_eq!(last_state(&whole(subscribed).await), "TASK_STATE_CANCELED", "who listened hears its end");
    }
    let told = ear.until("TASK_STATE_CANCELED").await;
    assert!(told.iter().any(|(_, told)| told["statusUpdate"]["status"]["state"] == WAITS));
    let stage = stage.restarted().await;
    assert_eq!(stage.task(&task["id"]).await, cancelled, "that it was given up is remembered");
    let (code, _) = stage.refused("SendMessage", more(&task, "[stream]")).await;
    assert_eq!(code, -32004);
    let listed = stage.call("ListTasks", json!({"status": "TASK_STATE_CANCELED"})).await;
    assert_eq!((&listed["totalSize"], &listed["tasks"][0]["id"]), (&json!(1), &task["id"]));
    stage.close().await;
}

async fn a_task_that_waited_for_a_login_goes_on(stage: Stage) {
    let task = stage.say("[fail 401]").await;
    assert_eq!(task["status"]["state"], WAITS);
    let stage = stage.restarted().await;
    assert_eq!(stage.task(&task["id"]).await, task, "it waits as before");
    let listening = subscribed(&stage, &task).await;
    let done = stage.call("SendMessage", more(&task, "[stream]")).await["task"].clone();
    assert_eq!((&done["id"], &done["status"]["state"]), (&task["id"], &json!("TASK_STATE_COMPLETED")));
    assert_eq!(last_state(&whole(listening).await), "TASK_STATE_COMPLETED");
    stage.close().await;
}

/// As a person logs in, at another terminal.
async fn log_in(stage: &Stage) {
    log_in_with(stage, "sk-of-the-agent").await;
}

async fn log_in_with(stage: &Stage, key: &str) {
    let mut login = Command::new(codex());
    login.args(["login", "--with-api-key"]).env("CODEX_HOME", stage.home()).kill_on_drop(true);
    login.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut login = login.spawn().unwrap();
    login.stdin.take().unwrap().write_all(key.as_bytes()).await.unwrap();
    assert!(login.wait().await.unwrap().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_is_waited_for_on_the_real_codex() {
    in_time(async {
        let stage = Stage::locked().await;
        let task = stage.say("[stream]").await;
        assert_eq!(task["status"]["state"], WAITS, "{task}");
        let again = stage.call("SendMessage", more(&task, "[stream]")).await["task"].clone();
        assert_eq!(again["status"]["state"], WAITS, "as long as nobody logs in, it waits");
        let listening = subscribed(&stage, &task).await;
        log_in(&stage).await;
        let done = stage.call("SendMessage", more(&task, "[stream]")).await["task"].clone();
        assert_eq!((&done["id"], &done["status"]["state"]), (&task["id"], &json!("TASK_STATE_COMPLETED")));
        assert_eq!(last_state(&whole(listening).await), "TASK_STATE_COMPLETED");
        let other = stage.say("[stream]").await;
        assert_eq!(other["status"]["state"], "TASK_STATE_COMPLETED", "and so does everybody else");
        stage.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_while_the_gateway_is_away_is_used_on_the_real_codex() {
    in_time(async {
        let stage = Stage::locked().await;
        let task = stage.say("[stream]").await;
        assert_eq!(task["status"]["state"], WAITS, "{task}");
        log_in(&stage).await;
        let stage = stage.restarted().await;
        let done = stage.call("SendMessage", more(&task, "[stream]")).await["task"].clone();
        assert_eq!((&done["id"], &done["status"]["state"]), (&task["id"], &json!("TASK_STATE_COMPLETED")));
        stage.close().await;
    })
    .await;
}

/// So many conversations, all awake on one Codex that nobody is logged in to.
async fn waiting(stage: &Stage, many: usize) -> Vec<Value> {
    let mut tasks = Vec::new();
    for _ in 0..many {
        let task = stage.say("[stream]").await;
        assert_eq!(task["status"]["state"], WAITS, "{task}");
        tasks.push(task);
    }
    assert_eq!(stage.runtime.processes().len(), 1, "they share it");
    tasks
}

async fn goes_on(stage: &Stage, task: &Value) {
    let done = stage.call("SendMessage", more(task, "[stream]")).await["task"].clone();
    let state = &done["status"]["state"];
    assert_eq!((&done["id"], state), (&task["id"], &json!("TASK_STATE_COMPLETED")), "{done}");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_who_wait_for_a_login_go_on_one_after_the_other_on_the_real_codex() {
    for the_first_comes_last in [false, true] {
        in_time(async {
            let stage = Stage::locked().await;
            let mut tasks = waiting(&stage, 2).await;
            if the_first_comes_last {
                tasks.reverse();
            }
            log_in(&stage).await;
            for task in &tasks {
                goes_on(&stage, task).await;
            }
            stage.close().await;
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn five_who_wait_for_a_login_go_on_at_the_same_time_on_the_real_codex() {
    in_time(async {
        let stage = Stage::locked().await;
        let tasks = waiting(&stage, 5).await;
        log_in(&stage).await;
        join_all(tasks.iter().map(|task| goes_on(&stage, task))).await;
        stage.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_runs_ends_with_its_login_and_nobody_waits_for_it_on_the_real_codex() {
    in_time(async {
        let stage = Stage::locked().await;
        log_in_with(&stage, "sk-one").await;
        let idle = stage.say("[stream]").await;
        let working = stage.say("[approve]").await;
        assert_eq!(working["status"]["state"], "TASK_STATE_INPUT_REQUIRED", "{working}");
        log_in_with(&stage, "sk-two").await;
        let mut next = words("[stream]");
        next["contextId"] = idle["contextId"].clone();
        let done = stage.call("SendMessage", json!({"message": next})).await["task"].clone();
        assert_eq!(done["status"]["state"], "TASK_STATE_COMPLETED", "{done}");
        assert_eq!(stage.asked_by().as_deref(), Some("Bearer sk-two"));
        let done = stage.call("SendMessage", more(&working, "yes")).await["task"].clone();
        assert_eq!(done["status"]["state"], "TASK_STATE_COMPLETED", "{done}");
        assert_eq!(stage.asked_by().as_deref(), Some("Bearer sk-one"), "it ends as whoever began it");
        let mut next = words("[stream]");
        next["contextId"] = working["contextId"].clone();
        let done = stage.call("SendMessage", json!({"message": next})).await["task"].clone();
        assert_eq!(done["status"]["state"], "TASK_STATE_COMPLETED", "{done}");
        assert_eq!(stage.asked_by().as_deref(), Some("Bearer sk-two"));
        stage.close().await;
    })
    .await;
}
