//! The HTTP+JSON binding. Its addresses have colons inside their last part, so they are taken apart by hand.

use axum::{
    http::{HeaderMap, Method, Uri},
    response::Response,
};
use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::{
    desk::Desk,
    head,
    words::{Fault, Kind},
};

/// What is asked.
pub(crate) struct Request<'a> {
    pub(crate) method: &'a Method,
    /// After `rest/`.
    pub(crate) path: &'a str,
    pub(crate) uri: &'a Uri,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) body: &'a Bytes,
}

pub(crate) async fn answer(desk: &Desk, request: &Request<'_>) -> Response {
    match dispatch(desk, request).await {
        Ok(response) => response,
        Err(fault) => refuse(&fault, request.headers),
    }
}

pub(crate) fn refuse(fault: &Fault, headers: &HeaderMap) -> Response {
    head::answer(fault.status(), &fault.body(), headers)
}

async fn dispatch(desk: &Desk, request: &Request<'_>) -> Result<Response, Fault> {
    head::version(request.headers, request.uri)?;
    head::extensions(&desk.agent, request.headers)?;
    let wrap = Box::new(|said: Result<Value, Fault>| said.unwrap_or_else(|fault| fault.body()));
    let parts = parts(request.path);
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let (post, get) = (*request.method == Method::POST, *request.method == Method::GET);
    let said = match parts.as_slice() {
        ["message:send"] if post => desk.send_and_wait(&request.said()?).await?,
        ["message:stream"] if post => return desk.send_and_follow(&request.said()?, wrap).await,
        ["extendedAgentCard"] if get => desk.extended_card(),
        ["tasks"] if get => desk.list(&request.asked()).await?,
        ["tasks", task] => match task.rsplit_once(':') {
            None if get => desk.get(&request.about(task)?).await?,
            Some((task, "cancel")) if post => desk.cancel(&request.about(task)?).await?,
            Some((task, "subscribe")) if post || get => {
                return desk.subscribe(&request.about(task)?, wrap).await;
            }
            _ => return Err(nothing(request)),
        },
        ["tasks", task, "pushNotificationConfigs"] if post => {
            let mut params = request.said()?;
            if params.is_object() {
                params["taskId"] = json!(task);
            }
            desk.create_push(&params).await?
        }
        ["tasks", task, "pushNotificationConfigs"] if get => {
            desk.list_pushes(&json!({"taskId": task})).await?
        }
        ["tasks", task, "pushNotificationConfigs", id] if get => {
            desk.get_push(&json!({"taskId": task, "id": id})).await?
        }
        ["tasks", task, "pushNotificationConfigs", id] if *request.method == Method::DELETE => {
            desk.delete_push(&json!({"taskId": task, "id": id})).await?
        }
        _ => return Err(nothing(request)),
    };
    Ok(head::answer(200, &said, request.headers))
}

/// The parts of a path, decoded; without the tenant that may stand before them, for there is none here.
fn parts(path: &str) -> Vec<String> {
    let parts: Vec<String> = path.trim_matches('/').split('/').map(str::to_owned).collect();
    let known = |part: &str| matches!(part, "tasks" | "extendedAgentCard") || part.starts_with("message:");
    match parts.as_slice() {
        [first, rest @ ..] if !known(first) && rest.first().is_some_and(|part| known(part)) => rest.to_vec(),
        _ => parts,
    }
}

fn nothing(request: &Request<'_>) -> Fault {
    let message = format!("there is no {} {}", request.method, request.uri.path());
    Fault::new(Kind::NoMethod, message)
}

impl Request<'_> {
    /// The body.
    fn said(&self) -> Result<Value, Fault> {
        head::content_type(self.headers)?;
        serde_json::from_slice(self.body)
            .map_err(|error| Fault::new(Kind::Parse, format!("the body is no JSON: {error}")))
    }

    /// What stands after `?`.
    fn asked(&self) -> Value {
        let uri = self.uri;
        let pairs = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(uri);
        let pairs = pairs.map(|axum::extract::Query(pairs)| pairs).unwrap_or_default();
        // In an address everything is text; flags are the only ones that are not read so.
        let value = |text: String| match text.as_str() {
            "true" => json!(true),
            "false" => json!(false),
            _ => json!(text),
        };
        let pairs: Map<String, Value> = pairs.into_iter().map(|(name, text)| (name, value(text))).collect();
        Value::Object(pairs)
    }

    /// The same about a task. A body is not needed; if there is one, it is as bodies have to be.
    fn about(&self, task: &str) -> Result<Value, Fault> {
        if !self.body.is_empty() {
            self.said()?;
        }
        let mut asked = self.asked();
        asked["id"] = json!(task);
        Ok(asked)
    }
}
