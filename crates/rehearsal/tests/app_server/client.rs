//! A minimal client of an app-server, simulated or real: it writes requests, reads lines, and answers as told.

#![expect(clippy::expect_used, clippy::panic, reason = "this is a test, though clippy cannot see it")]

use std::{collections::HashMap, time::Duration};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, Lines},
    time::timeout,
};

/// Longer than anything here takes; a test that waits for what never comes fails instead of hanging.
const PATIENCE: Duration = Duration::from_secs(20);

/// A client and everything it has heard.
pub(crate) struct Client {
    input: Option<Box<dyn AsyncWrite + Unpin + Send>>,
    output: Lines<BufReader<Box<dyn AsyncRead + Unpin + Send>>>,
    next_id: i64,
    /// Every message, in order.
    pub(crate) heard: Vec<Value>,
    answers: HashMap<&'static str, Value>,
    asked: HashMap<i64, String>,
}

impl Client {
    pub(crate) fn new(
        input: impl AsyncWrite + Unpin + Send + 'static,
        output: impl AsyncRead + Unpin + Send + 'static,
    ) -> Self {
        let output: Box<dyn AsyncRead + Unpin + Send> = Box::new(output);
        let output = BufReader::new(output).lines();
        Self {
            input: Some(Box::new(input)),
            output,
            next_id: 1,
            heard: Vec::new(),
            answers: HashMap::new(),
            asked: HashMap::new(),
        }
    }

    /// From now on every request of that method is answered so.
    pub(crate) fn answer_always(&mut self, method: &'static str, result: Value) {
        self.answers.insert(method, result);
    }

    pub(crate) async fn initialize(&mut self) -> Value {
        let capabilities = json!({ "experimentalApi": true });
        self.initialize_with(capabilities).await
    }

    pub(crate) async fn initialize_with(&mut self, capabilities: Value) -> Value {
        let client_info = json!({ "name": "driver", "title": "Driver", "version": "1" });
        let params = json!({ "clientInfo": client_info, "capabilities": capabilities });
        let result = self.call("initialize", params).await;
        self.send(&json!({ "method": "initialized" })).await;
        result
    }

    pub(crate) async fn start_thread(&mut self, params: Value) -> String {
        let result = self.call("thread/start", params).await;
        text(&result["thread"]["id"])
    }

    pub(crate) async fn start_turn(&mut self, thread: &str, words: &str) -> String {
        let params = json!({ "threadId": thread, "input": [{ "type": "text", "text": words }] });
        text(&self.call("turn/start", params).await["turn"]["id"])
    }

    /// Starts a turn and hears it to its end.
    pub(crate) async fn play(&mut self, thread: &str, words: &str) -> Value {
        self.start_turn(thread, words).await;
        self.until("turn/completed").await["params"]["turn"].clone()
    }

    pub(crate) async fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().expect("the client has not hung up");
        input.write_all(format!("{message}\n").as_bytes()).await.expect("the server reads");
        input.flush().await.expect("the server reads");
    }

    pub(crate) async fn send_request(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        self.asked.insert(id, method.to_owned());
        self.send(&json!({ "method": method, "id": id, "params": params })).await;
        id
    }

    /// Calls and expects a result.
    pub(crate) async fn call(&mut self, method: &str, params: Value) -> Value {
        let answer = self.try_call(method, params).await;
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Calls and expects an error; answers its code and message.
    pub(crate) async fn refused(&mut self, method: &str, params: Value) -> (i64, String) {
        let answer = self.try_call(method, params).await;
        let error = &answer["error"];
        (error["code"].as_i64().expect("an error has a code"), text(&error["message"]))
    }

    pub(crate) async fn try_call(&mut self, method: &str, params: Value) -> Value {
        let id = self.send_request(method, params).await;
        self.answer_to(id).await
    }

    /// Reads until the answer to a request.
    pub(crate) async fn answer_to(&mut self, id: i64) -> Value {
        self.find(|message| message["id"] == id && message.get("method").is_none()).await
    }

    /// Reads until a notification or request of that method.
    pub(crate) async fn until(&mut self, method: &str) -> Value {
        self.find(|message| message["method"] == method).await
    }

    /// Reads until a message is the wanted one.
    pub(crate) async fn find(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let heard =
                self.next().await.unwrap_or_else(|| panic!("the stream ended; heard {:#?}", self.methods()));
            if wanted(&heard) {
                return heard;
            }
        }
    }

    /// The next message; requests with a set answer are answered.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        let line = self.next_line().await?;
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| json!({ "garbage": line }));
        self.heard.push(message.clone());
        if message.get("id").is_some()
            && let Some(answer) =
                message["method"].as_str().and_then(|method| self.answers.get(method)).cloned()
        {
            let reply = match answer.get("error") {
                Some(error) => json!({ "id": message["id"], "error": error }),
                None => json!({ "id": message["id"], "result": answer }),
            };
            self.send(&reply).await;
        }
        Some(message)
    }

    /// The next line as it is.
    pub(crate) async fn next_line(&mut self) -> Option<String> {
        let line = timeout(PATIENCE, self.output.next_line()).await;
        line.unwrap_or_else(|_| panic!("nothing was said for {PATIENCE:?}; heard {:#?}", self.methods()))
            .ok()?
    }

    pub(crate) async fn reply(&mut self, id: &Value, result: Value) {
        self.send(&json!({ "id": id, "result": result })).await;
    }

    /// Closes the way in, and reads to the end.
    pub(crate) async fn hang_up(&mut self) {
        self.input = None;
        while self.next().await.is_some() {}
    }

    /// The methods heard so far; answers are not in it.
    pub(crate) fn methods(&self) -> Vec<String> {
        self.heard.iter().filter_map(|message| message["method"].as_str().map(str::to_owned)).collect()
    }

    /// What a message answers.
    pub(crate) fn asked(&self, answer: &Value) -> &str {
        answer["id"].as_i64().and_then(|id| self.asked.get(&id)).map_or("nothing", String::as_str)
    }

    /// Forgets what was heard.
    pub(crate) fn forget(&mut self) {
        self.heard.clear();
    }
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("not text: {value}")).to_owned()
}
