//! A scripted model under test, a bare HTTP client for it, and requests in the shape Codex sends them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{net::SocketAddr, sync::Arc};

use selvedge_rehearsal::{model::ModelServer, scenario::Scenario};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// A server on a free port that plays this scenario.
pub(crate) async fn serve(scenario: &str) -> ModelServer {
    let scenario = Scenario::parse(scenario).unwrap();
    ModelServer::start(Arc::new(scenario), "127.0.0.1:0".parse().unwrap()).await.unwrap()
}

/// A scenario whose one rule is for everything and has these steps.
pub(crate) fn steps(steps: &[&str]) -> String {
    let steps: String = steps.iter().map(|actions| format!("[[rule.step]]\ndo = [ {actions} ]\n")).collect();
    format!("name = \"test\"\n[[rule]]\n{steps}")
}

/// A response as it came over the wire.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: String,
    /// The body stopped before its end.
    pub(crate) cut: bool,
}

impl Answer {
    /// The events of the stream.
    pub(crate) fn events(&self) -> Vec<Value> {
        let data = self.body.lines().filter_map(|line| line.strip_prefix("data: "));
        data.map(|json| serde_json::from_str(json).unwrap()).collect()
    }

    /// The finished items, in order.
    pub(crate) fn items(&self) -> Vec<Value> {
        let done = self.events().into_iter().filter(|event| event["type"] == "response.output_item.done");
        done.map(|mut event| event["item"].take()).collect()
    }

    /// The texts of the messages.
    pub(crate) fn messages(&self) -> Vec<String> {
        let messages = self.items().into_iter().filter(|item| item["type"] == "message");
        messages.map(|item| item["content"][0]["text"].as_str().unwrap().to_owned()).collect()
    }

    /// The tool calls.
    pub(crate) fn calls(&self) -> Vec<Value> {
        self.items().into_iter().filter(|item| item["type"].as_str().unwrap().ends_with("_call")).collect()
    }

    pub(crate) fn usage(&self) -> Value {
        self.events().last().unwrap()["response"]["usage"].clone()
    }
}

/// Posts a request and reads the whole answer.
pub(crate) async fn post(server: &ModelServer, request: &Value) -> Answer {
    exchange(server.addr(), "POST", "/v1/responses", &request.to_string()).await
}

/// One HTTP exchange on a connection of its own.
pub(crate) async fn exchange(addr: SocketAddr, method: &str, path: &str, body: &str) -> Answer {
    let mut stream = open(addr, method, path, body).await;
    let mut bytes = Vec::new();
    // A cut connection may end in an error; what came before it counts.
    let _end_or_reset = stream.read_to_end(&mut bytes).await;
    let text = String::from_utf8(bytes).unwrap();
    let (head, rest) = text.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
    let (body, cut) = if chunked { dechunk(rest) } else { (rest.to_owned(), false) };
    Answer { status, body, cut }
}

/// A connection on which the request is sent and nothing is read yet.
pub(crate) async fn open(addr: SocketAddr, method: &str, path: &str, body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(addr).await.unwrap();
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(body.as_bytes()).await.unwrap();
    stream
}

fn dechunk(mut rest: &str) -> (String, bool) {
    let mut body = String::new();
    while let Some((length, after)) = rest.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).unwrap();
        if length == 0 {
            return (body, false);
        }
        let Some(chunk) = after.get(..length) else { break };
        body.push_str(chunk);
        rest = after[length..].trim_start_matches("\r\n");
    }
    (body, true)
}

/// A request of a classic model: the texts a person said, after what Codex says for itself.
pub(crate) fn classic(user_text: &str) -> Value {
    let tools = ["exec_command", "apply_patch", "update_plan", "request_user_input", "lookup"];
    let tools: Vec<Value> = tools.iter().map(|name| json!({"type": "function", "name": name})).collect();
    json!({"prompt_cache_key": "thread-1", "tools": tools, "input": [
        user("<environment_context>\n<cwd>/w</cwd></environment_context>"), user(user_text)]})
}

/// A request of a code-mode model.
pub(crate) fn code_mode(user_text: &str) -> Value {
    let description =
        "Run JavaScript\n### `exec_command`\n### `apply_patch`\n### `update_plan`\n### `lookup`\n";
    let functions = json!([{"type": "custom", "name": "exec", "description": description}, {"type": "function", "name": "wait"},
        {"type": "function", "name": "request_user_input"}]);
    let collaboration =
        json!([{"type": "function", "name": "spawn_agent"}, {"type": "function", "name": "wait_agent"}]);
    let tools = json!([{"type": "namespace", "name": "functions", "tools": functions},
        {"type": "namespace", "name": "collaboration", "tools": collaboration}]);
    json!({"prompt_cache_key": "thread-1", "input": [{"type": "additional_tools", "role": "developer", "tools": tools},
        user(user_text)]})
}

pub(crate) fn user(text: &str) -> Value {
    json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]})
}

pub(crate) fn developer(text: &str) -> Value {
    json!({"type": "message", "role": "developer", "content": [{"type": "input_text", "text": text}]})
}

/// The request that follows: the conversation with these items added.
pub(crate) fn with(mut request: Value, items: impl IntoIterator<Item = Value>) -> Value {
    request["input"].as_array_mut().unwrap().extend(items);
    request
}

/// The request that follows an answer: its calls, each with this output.
pub(crate) fn answered(request: Value, answer: &Answer, output: &str) -> Value {
    let calls = answer.calls();
    let outputs = calls
        .iter()
        .map(|call| json!({"type": "function_call_output", "call_id": call["call_id"], "output": output}));
    let outputs: Vec<Value> = outputs.collect();
    with(request, calls.into_iter().chain(outputs))
}
