//! Every operation by both bindings: what it gives, and each error that it can have.

use hyper::Method;
use serde_json::{Value, json};

use crate::{
    push::Ear,
    stage::{Stage, rpc, said, words},
    support::http::{Answer, Http},
};

on_the_stand_in!(
    both_bindings_give_the_same,
    another_version_is_refused_everywhere,
    an_extension_that_is_needed_is_needed_everywhere,
    an_unknown_task_is_unknown_to_all,
    a_request_without_what_it_needs_is_refused,
    who_notifies_nobody_says_so_everywhere,
    another_content_type_is_refused_wherever_there_is_a_body,
);

const UNKNOWN: &str = "00000000-0000-7000-8000-000000000000";

/// One operation, as it is asked by both bindings.
struct Operation {
    method: &'static str,
    params: Value,
    verb: Method,
    path: String,
    body: Option<Value>,
    about_a_task: bool,
    pushes: bool,
}

impl Operation {
    /// Over JSON-RPC, at an agent's address.
    async fn call(&self, http: &Http, agent: &str) -> Answer {
        http.post(&format!("/a2a/{agent}"), rpc(self.method, self.params.clone())).await
    }

    /// Over HTTP+JSON.
    async fn ask(&self, http: &Http, agent: &str) -> Answer {
        http.ask(self.verb.clone(), &format!("/a2a/{agent}/rest{}", self.path), self.body.clone()).await
    }

    /// By both it is refused with this code, status and reason.
    async fn is_refused(&self, http: &Http, agent: &str, (code, status, reason): (i64, u16, &str)) {
        let over_rpc = self.call(http, agent).await.json()["error"].clone();
        assert_eq!(over_rpc["code"], code, "{}: {over_rpc}", self.method);
        assert_eq!(over_rpc["data"][0]["reason"], reason, "{}", self.method);
        let over_rest = self.ask(http, agent).await;
        let place = format!("{} {}", self.verb, self.path);
        assert_eq!(over_rest.status.as_u16(), status, "{place}");
        let error = &over_rest.json()["error"];
        assert_eq!(
            (&error["code"], &error["details"][0]["reason"]),
            (&json!(status), &json!(reason)),
            "{place}"
        );
    }
}

fn operation(method: &'static str, params: Value, http: &str, body: Option<Value>) -> Operation {
    let (verb, path) = http.split_once(' ').unwrap();
    Operation {
        method,
        verb: verb.parse().unwrap(),
        path: path.to_owned(),
        body,
        about_a_task: params.get("id").is_some() || params.get("taskId").is_some(),
        pushes: method.contains("PushNotification"),
        params,
    }
}

/// All of them, on a task and one who is told of it.
fn operations(task: &str, url: &str) -> Vec<Operation> {
    let send = || json!({"message": words("[stream]")});
    let (id, config) = (json!({"id": task}), json!({"taskId": task, "id": "a"}));
    let mut create = config.clone();
    create["url"] = json!(url);
    let pushes = format!("/tasks/{task}/pushNotificationConfigs");
    let at = |verb: &str, path: &str| format!("{verb} {path}");
    vec![
        operation("SendMessage", send(), "POST /message:send", Some(send())),
        operation("SendStreamingMessage", send(), "POST /message:stream", Some(send())),
        operation("GetTask", id.clone(), &at("GET", &format!("/tasks/{task}")), None),
        operation("ListTasks", json!({}), "GET /tasks", None),
        operation("SubscribeToTask", id.clone(), &at("POST", &format!("/tasks/{task}:subscribe")), None),
        operation("SubscribeToTask", id.clone(), &at("GET", &format!("/tasks/{task}:subscribe")), None),
        operation("CreateTaskPushNotificationConfig", create.clone(), &at("POST", &pushes), Some(create)),
        operation("ListTaskPushNotificationConfigs", json!({"taskId": task}), &at("GET", &pushes), None),
        operation("GetTaskPushNotificationConfig", config.clone(), &at("GET", &format!("{pushes}/a")), None),
        operation("DeleteTaskPushNotificationConfig", config, &at("DELETE", &format!("{pushes}/a")), None),
        operation("CancelTask", id, &at("POST", &format!("/tasks/{task}:cancel")), None),
        operation("GetExtendedAgentCard", json!({}), "GET /extendedAgentCard", None),
    ]
}

/// A task that waits for an answer, so that everything can be done with it.
async fn waiting(stage: &Stage) -> String {
    let task = stage.say("[approve]").await;
    assert_eq!(task["status"]["state"], "TASK_STATE_INPUT_REQUIRED");
    task["id"].as_str().unwrap().to_owned()
}

async fn both_bindings_give_the_same(stage: Stage) {
    let (task, ear) = (waiting(&stage).await, Ear::open().await);
    for it in operations(&task, &ear.url) {
        match it.method {
            // Each makes a task of its own; what they come to is shown elsewhere.
            "SendMessage" => {
                let over_rpc = it.call(&stage.http, "helper").await.expect(200);
                let over_rest = it.ask(&stage.http, "helper").await.expect(200);
                assert_eq!(over_rpc["result"]["task"]["artifacts"], over_rest["task"]["artifacts"]);
            }
            "SendStreamingMessage" => {
                let over_rpc = said(&it.call(&stage.http, "helper").await.body);
                let over_rest = said(&it.ask(&stage.http, "helper").await.body);
                let end = "TASK_STATE_COMPLETED";
                assert_eq!(over_rpc.last().unwrap().1["result"]["statusUpdate"]["status"]["state"], end);
                assert_eq!(over_rest.last().unwrap().1["statusUpdate"]["status"]["state"], end);
            }
            // Neither ends before the task does; the second cannot be done after the first.
            "SubscribeToTask" | "CancelTask" => {}
            _ => {
                let over_rpc = it.call(&stage.http, "helper").await.expect(200);
                let over_rest = it.ask(&stage.http, "helper").await.expect(200);
                assert_eq!(over_rpc["result"], over_rest, "{}", it.method);
            }
        }
    }
    let cancelled = stage.rest(Method::POST, &format!("/tasks/{task}:cancel"), None).await.expect(200);
    assert_eq!(cancelled["status"]["state"], "TASK_STATE_CANCELED");
    stage.close().await;
}

async fn another_version_is_refused_everywhere(stage: Stage) {
    let (task, ear) = (waiting(&stage).await, Ear::open().await);
    let http = stage.http.clone().with("a2a-version", "0.3");
    for it in operations(&task, &ear.url) {
        it.is_refused(&http, "helper", (-32009, 400, "VERSION_NOT_SUPPORTED")).await;
    }
    stage.close().await;
}

async fn an_extension_that_is_needed_is_needed_everywhere(stage: Stage) {
    let ear = Ear::open().await;
    for it in operations(UNKNOWN, &ear.url) {
        it.is_refused(&stage.http, "picky", (-32008, 400, "EXTENSION_SUPPORT_REQUIRED")).await;
    }
    let knows = stage.http.clone().with("a2a-extensions", "https://example.org/a, https://example.org/known");
    let sent = rpc("SendMessage", json!({"message": words("[stream]")}));
    let answer = knows.post("/a2a/picky", sent).await.expect(200);
    assert_eq!(answer["result"]["task"]["status"]["state"], "TASK_STATE_COMPLETED");
    let card = stage.http.get("/a2a/picky/.well-known/agent-card.json").await.expect(200);
    assert_eq!(card["capabilities"]["extensions"][0]["required"], true);
    stage.close().await;
}

async fn an_unknown_task_is_unknown_to_all(stage: Stage) {
    let ear = Ear::open().await;
    for unknown in [UNKNOWN, "nonsense"] {
        let all = operations(unknown, &ear.url);
        for it in all.iter().filter(|it| it.about_a_task) {
            it.is_refused(&stage.http, "helper", (-32001, 404, "TASK_NOT_FOUND")).await;
        }
    }
    stage.close().await;
}

async fn a_request_without_what_it_needs_is_refused(stage: Stage) {
    for it in operations(UNKNOWN, "http://example.org") {
        if it.about_a_task || it.body.is_some() {
            let bare = rpc(it.method, json!({}));
            let error = stage.http.post("/a2a", bare).await.expect(200)["error"].clone();
            assert_eq!(
                (&error["code"], &error["data"][0]["reason"]),
                (&json!(-32602), &json!("INVALID_PARAMS"))
            );
        }
    }
    let task = waiting(&stage).await;
    for (path, field) in [
        ("/message:send".to_owned(), "message"),
        ("/message:stream".to_owned(), "message"),
        (format!("/tasks/{task}/pushNotificationConfigs"), "url"),
    ] {
        let answer = stage.rest(Method::POST, &path, Some(json!({}))).await;
        assert_eq!(answer.status.as_u16(), 400, "{path}");
        assert_eq!(answer.json()["error"]["details"][1]["fieldViolations"][0]["field"], field, "{path}");
        let broken = stage.http.open(Method::POST, &format!("/a2a/rest{path}"), Some("{".into())).await;
        assert_eq!(broken.status().as_u16(), 400, "{path}");
    }
    for nothing in
        ["GET /message:send", "POST /tasks", "GET /nothing", "PUT /tasks/x", "POST /tasks/x:nothing"]
    {
        let (verb, path) = nothing.split_once(' ').unwrap();
        let answer = stage.rest(verb.parse().unwrap(), path, None).await;
        assert_eq!((answer.status.as_u16(), &answer.json()["error"]["status"]), (404, &json!("NOT_FOUND")));
    }
    stage.close().await;
}

async fn who_notifies_nobody_says_so_everywhere(stage: Stage) {
    let all = operations(UNKNOWN, "http://example.org");
    for it in all.iter().filter(|it| it.pushes) {
        it.is_refused(&stage.http, "strict", (-32003, 400, "PUSH_NOTIFICATION_NOT_SUPPORTED")).await;
    }
    let push = json!({"taskPushNotificationConfig": {"url": "http://example.org"}});
    let sent = json!({"message": words("[stream]"), "configuration": push});
    let sending = [
        operation("SendMessage", sent.clone(), "POST /message:send", Some(sent.clone())),
        operation("SendStreamingMessage", sent.clone(), "POST /message:stream", Some(sent)),
    ];
    for it in sending {
        it.is_refused(&stage.http, "strict", (-32003, 400, "PUSH_NOTIFICATION_NOT_SUPPORTED")).await;
    }
    let card = stage.http.get("/a2a/strict/.well-known/agent-card.json").await.expect(200);
    assert_eq!(card["capabilities"]["pushNotifications"], false, "and its card says so");
    stage.close().await;
}

async fn another_content_type_is_refused_wherever_there_is_a_body(stage: Stage) {
    let http = stage.http.clone().with("content-type", "text/plain");
    for it in operations(UNKNOWN, "http://example.org") {
        let answer = it.call(&http, "helper").await;
        assert_eq!(
            (answer.status.as_u16(), &answer.json()["error"]["code"]),
            (415, &json!(-32005)),
            "{}",
            it.method
        );
        // What needs no body may have one.
        if it.verb == Method::POST {
            let it = Operation { body: it.body.clone().or(Some(json!({}))), ..it };
            let answer = it.ask(&http, "helper").await;
            let reason = answer.json()["error"]["details"][0]["reason"].clone();
            assert_eq!(
                (answer.status.as_u16(), reason),
                (415, json!("CONTENT_TYPE_NOT_SUPPORTED")),
                "{}",
                it.path
            );
        }
    }
    stage.close().await;
}
