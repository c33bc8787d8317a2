//! The gateway is killed: tasks go on, waiting ones wait, and nobody misses anything.

use axum::http::StatusCode;
use http_body_util::BodyExt as _;
use hyper::Method;
use serde_json::json;

use crate::{
    push::Ear,
    serving::{Serving, place},
    stage::{rpc, said, whole, words},
    support::stage::in_time,
};

/// How many are sent at once when the gateway is killed.
const SENT: usize = 48;
/// What `[steady]` says.
const TICKS: &str =
    "tick tick tick tick tick tick tick tick tick tick tick tick tick tick tick tick tick tick tick tick ";

#[tokio::test(flavor = "multi_thread")]
async fn a_waiting_task_is_answered_at_the_next_gateway() {
    in_time(async {
        let place = place().await;
        let serving = Serving::start(&place).await;
        let task = serving.say("[approve]", json!({})).await;
        assert_eq!(task["status"]["state"], "TASK_STATE_INPUT_REQUIRED");
        serving.kill().await;
        let serving = Serving::start(&place).await;
        let shown = serving.call("GetTask", json!({"id": task["id"]})).await;
        assert_eq!(shown["status"], task["status"], "it waits as before");
        let path = format!("/a2a/rest/tasks/{}:subscribe", task["id"].as_str().unwrap());
        let subscribed = serving.http.open(Method::GET, &path, None).await;
        let mut message = words("yes");
        message["taskId"] = task["id"].clone();
        let answered = serving.call("SendMessage", json!({"message": message})).await;
        assert_eq!(answered["task"]["status"]["state"], "TASK_STATE_COMPLETED");
        assert!(place.inside("work/approved.txt").exists());
        let heard = said(&whole(subscribed).await);
        let last = &heard.last().unwrap().1["statusUpdate"]["status"]["state"];
        assert_eq!(last, "TASK_STATE_COMPLETED", "who subscribed to it hears its end");
        serving.stop().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subscription_goes_on_at_the_next_gateway() {
    in_time(async {
        let place = place().await;
        let serving = Serving::start(&place).await;
        let task = serving.say("[steady]", json!({"returnImmediately": true})).await;
        let subscribe = bytes::Bytes::from(rpc("SubscribeToTask", json!({"id": task["id"]})).to_string());
        let mut cut = serving.http.open(Method::POST, "/a2a", Some(subscribe.clone())).await;
        let mut heard = Vec::new();
        while !text(&heard).contains("tick") {
            heard.extend(cut.frame().await.unwrap().unwrap().into_data().unwrap());
        }
        serving.kill().await;
        let serving = Serving::start(&place).await;
        let again = whole(serving.http.open(Method::POST, "/a2a", Some(subscribe)).await).await;
        if let Some((_, first)) = said(&again).first().filter(|(_, first)| first["error"].is_null()) {
            let begun = &first["result"]["task"]["artifacts"][0]["parts"][0]["text"];
            assert!(begun.as_str().unwrap().starts_with(&text(&heard)), "what was shown is there: {begun}");
            assert_eq!(text(&again), TICKS, "and it is told to its end");
        }
        let end = serving.call("GetTask", json!({"id": task["id"]})).await;
        assert_eq!(end["status"]["state"], "TASK_STATE_COMPLETED");
        assert_eq!(end["artifacts"][0]["parts"][0]["text"], TICKS);
        serving.stop().await;
    })
    .await;
}

/// What the answer is by what a stream told, as far as its last whole frame.
fn text(body: &[u8]) -> String {
    let end = body.windows(2).rposition(|two| two == b"\n\n").map_or(0, |end| end + 2);
    let mut text = String::new();
    for (_, frame) in said(&body[..end]) {
        let result = &frame["result"];
        let pieces = [&result["task"]["artifacts"][0], &result["artifactUpdate"]["artifact"]];
        if let Some(piece) = pieces.iter().find_map(|piece| piece["parts"][0]["text"].as_str()) {
            if result["artifactUpdate"]["append"] != true {
                text.clear();
            }
            text.push_str(piece);
        }
    }
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn a_send_that_was_cut_is_a_task_of_the_next_gateway() {
    in_time(async {
        let place = place().await;
        let serving = Serving::start(&place).await;
        let (http, sent) = (serving.http.clone(), rpc("SendMessage", json!({"message": words("[steady]")})));
        let mut waiting = tokio::task::JoinSet::new();
        waiting.spawn(async move { http.post("/a2a", sent).await });
        let working = json!({"status": "TASK_STATE_WORKING"});
        while serving.call("ListTasks", working.clone()).await["totalSize"] != 1 {}
        serving.kill().await;
        assert!(waiting.join_next().await.unwrap().is_err(), "who waited hears nothing more");
        let serving = Serving::start(&place).await;
        let listed = serving.call("ListTasks", json!({})).await;
        assert_eq!(listed["totalSize"], 1, "it is found");
        let id = listed["tasks"][0]["id"].clone();
        serving.http.post("/a2a", rpc("SubscribeToTask", json!({"id": id}))).await;
        let end = serving.call("GetTask", json!({"id": id})).await;
        assert_eq!(end["status"]["state"], "TASK_STATE_COMPLETED", "and goes on to its end: {end}");
        assert_eq!(end["artifacts"][0]["parts"][0]["text"], TICKS);
        serving.stop().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_notification_that_was_not_heard_is_told_by_the_next_gateway() {
    in_time(async {
        let place = place().await;
        let mut ear = Ear::open().await;
        ear.answer(StatusCode::BAD_GATEWAY);
        let serving = Serving::start(&place).await;
        let push = json!({"taskPushNotificationConfig": {"url": ear.url}});
        let task = serving.say("[stream]", push).await;
        let first = ear.heard.recv().await.unwrap();
        serving.kill().await;
        while ear.heard.try_recv().is_ok() {}
        ear.answer(StatusCode::OK);
        let serving = Serving::start(&place).await;
        let heard = ear.until_the_end().await;
        assert_eq!(heard[0].1, first.1, "it begins with what was not heard");
        let updates = heard.iter().map(|(_, update)| update);
        assert!(updates.clone().all(|update| {
            let update = update.as_object().unwrap().values().next().unwrap();
            update["taskId"] == task["id"]
        }));
        let mut states: Vec<_> =
            updates.clone().filter_map(|update| update["statusUpdate"]["status"]["state"].as_str()).collect();
        states.dedup();
        assert_eq!(states, ["SUBMITTED", "WORKING", "COMPLETED"].map(|state| format!("TASK_STATE_{state}")));
        let answers: Vec<_> = updates.filter_map(|update| update.get("artifactUpdate")).collect();
        assert_eq!(answers[0]["artifact"], task["artifacts"][0], "nothing is passed over");
        serving.stop().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_being_sent_is_a_task_or_nothing_at_the_next_gateway() {
    in_time(async {
        let place = place().await;
        let serving = Serving::start(&place).await;
        let first = serving.say("[stream]", json!({})).await;
        let mut sending = tokio::task::JoinSet::new();
        for _ in 0..SENT {
            let mut message = words("[stream]");
            message["contextId"] = first["contextId"].clone();
            let configuration = json!({"returnImmediately": true});
            let sent = rpc("SendMessage", json!({"message": message, "configuration": configuration}));
            let http = serving.http.clone();
            sending.spawn(async move { http.post("/a2a", sent).await });
        }
        // Some have their answer, and the others are somewhere on their way.
        sending.join_next().await.unwrap().unwrap();
        serving.kill().await;
        let mut answered = 1;
        while let Some(sent) = sending.join_next().await {
            answered += usize::from(sent.is_ok());
        }
        let serving = Serving::start(&place).await;
        let listed = serving.call("ListTasks", json!({"pageSize": 100})).await;
        let known = usize::try_from(listed["totalSize"].as_u64().unwrap()).unwrap();
        assert!(known > answered, "who was answered has its task: {known} of {answered} and the first");
        serving.stop().await;
        let config = selvedge_runtime::Config { data_dir: place.inside("data"), ..Default::default() };
        let runtime = selvedge_runtime::Runtime::open(config).await.unwrap();
        let tasks = runtime.notes("a2a/task/", None, 1_000).await.unwrap();
        assert_eq!(tasks.len(), known, "what is written down is a task: {tasks:?}");
        for task in tasks {
            let id = task.key.rsplit('/').next().unwrap().parse().unwrap();
            let session = runtime.session(task.session).await.unwrap();
            session.message(selvedge_session::MessageId(id)).await.expect("its message was accepted");
        }
        runtime.shut_down().await;
    })
    .await;
}
