//! The JSON-RPC binding: one address, the operation in `method`.

use axum::{
    http::{HeaderMap, Uri},
    response::Response,
};
use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::{
    desk::Desk,
    head,
    words::{Fault, Kind},
};

/// A call.
struct Call {
    id: Value,
    method: String,
    params: Value,
}

/// Answers a call.
pub(crate) async fn call(desk: &Desk, uri: &Uri, headers: &HeaderMap, body: &Bytes) -> Response {
    if let Err(fault) = head::content_type(headers) {
        return refuse(&fault, headers);
    }
    let call = match Call::read(body) {
        Ok(call) => call,
        Err((id, fault)) => return head::answer(200, &failed(&id, &fault), headers),
    };
    let id = call.id.clone();
    let answered = match head::version(headers, uri).and_then(|()| head::extensions(&desk.agent, headers)) {
        Ok(()) => dispatch(desk, call, headers).await,
        Err(fault) => Err(fault),
    };
    answered.unwrap_or_else(|fault| head::answer(200, &failed(&id, &fault), headers))
}

/// Refuses what was not read: no call is known, so HTTP says it too.
pub(crate) fn refuse(fault: &Fault, headers: &HeaderMap) -> Response {
    head::answer(fault.status(), &failed(&Value::Null, fault), headers)
}

async fn dispatch(desk: &Desk, call: Call, headers: &HeaderMap) -> Result<Response, Fault> {
    let Call { id, method, params } = call;
    let wrap = {
        let id = id.clone();
        Box::new(move |said| match said {
            Ok(result) => done(&id, &result),
            Err(fault) => failed(&id, &fault),
        })
    };
    let params = &params;
    let result = match method.as_str() {
        "SendStreamingMessage" => return desk.send_and_follow(params, wrap).await,
        "SubscribeToTask" => return desk.subscribe(params, wrap).await,
        "SendMessage" => desk.send_and_wait(params).await?,
        "GetTask" => desk.get(params).await?,
        "ListTasks" => desk.list(params).await?,
        "CancelTask" => desk.cancel(params).await?,
        "CreateTaskPushNotificationConfig" => desk.create_push(params).await?,
        "GetTaskPushNotificationConfig" => desk.get_push(params).await?,
        "ListTaskPushNotificationConfigs" => desk.list_pushes(params).await?,
        "DeleteTaskPushNotificationConfig" => desk.delete_push(params).await?,
        "GetExtendedAgentCard" => desk.extended_card(),
        _ => {
            let message = format!("there is no method {method:?}");
            return Err(Fault::new(Kind::NoMethod, message).about("method", &method));
        }
    };
    Ok(head::answer(200, &done(&id, &result), headers))
}

impl Call {
    fn read(body: &[u8]) -> Result<Self, (Value, Fault)> {
        let read: Value = serde_json::from_slice(body).map_err(|error| {
            (Value::Null, Fault::new(Kind::Parse, format!("the body is no JSON: {error}")))
        })?;
        let refuse = |id: &Value, why: &str| (id.clone(), Fault::new(Kind::InvalidRequest, why));
        let Value::Object(mut call) = read else {
            return Err(refuse(&Value::Null, "a request is one object"));
        };
        let id = call.remove("id").unwrap_or_default();
        if !(id.is_null() || id.is_string() || id.is_number()) {
            return Err(refuse(&Value::Null, "`id` has to be a text or a number"));
        }
        if call.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return Err(refuse(&id, "`jsonrpc` has to be \"2.0\""));
        }
        let Some(Value::String(method)) = call.remove("method") else {
            return Err(refuse(&id, "`method` has to be a text"));
        };
        let params = call.remove("params").filter(|params| !params.is_null());
        let params = params.unwrap_or_else(|| Value::Object(Map::new()));
        if !params.is_object() {
            return Err((id, Fault::invalid("params", "they have to be an object")));
        }
        Ok(Self { id, method, params })
    }
}

fn done(id: &Value, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

fn failed(id: &Value, fault: &Fault) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": fault.rpc()})
}
