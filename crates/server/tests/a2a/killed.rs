//! The gateway is killed: tasks go on, waiting ones wait, and nobody misses anything.

use axum::http::StatusCode;
use hyper::Method;
use serde_json::json;

use crate::{
    push::Ear,
    serving::{Serving, place},
    stage::{rpc, said, whole, words},
    support::stage::in_time,
};

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
        let body = bytes::Bytes::from(rpc("SubscribeToTask", json!({"id": task["id"]})).to_string());
        let cut = serving.http.open(Method::POST, "/a2a", Some(body)).await;
        serving.kill().await;
        drop(cut);
        let serving = Serving::start(&place).await;
        let shown = serving.call("GetTask", json!({"id": task["id"]})).await;
        if shown["status"]["state"] != "TASK_STATE_COMPLETED" {
            let answer = serving.http.post("/a2a", rpc("SubscribeToTask", json!({"id": task["id"]}))).await;
            assert!(!said(&answer.body).is_empty());
        }
        let end = serving.call("GetTask", json!({"id": task["id"]})).await;
        assert_eq!(end["status"]["state"], "TASK_STATE_COMPLETED");
        assert_eq!(end["artifacts"][0]["parts"][0]["text"].as_str().unwrap(), "tick ".repeat(20));
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
        assert!(heard.iter().all(|(_, update)| {
            let update = update.as_object().unwrap().values().next().unwrap();
            update["taskId"] == task["id"]
        }));
        serving.stop().await;
    })
    .await;
}
