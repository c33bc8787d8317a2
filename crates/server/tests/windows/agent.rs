//! An agent as a window of YAAR's has it: a page that talks and listens, and a program that runs its tool.

use serde_json::{Value, json};

use crate::{desk::Desk, gate::OWN, socket::Socket, support::http::Http};

pub(crate) struct Agent {
    pub(crate) id: String,
    pub(crate) mark: String,
    /// Messages so far: each has an id of its own.
    said: usize,
    page: Socket,
    runner: Socket,
}

impl Agent {
    pub(crate) async fn open(http: &Http, id: String, mark: String) -> Self {
        let page = Self::from_now_on(http, &id, "yaar").await;
        let runner = Self::from_now_on(http, &id, "events").await;
        Self { id, mark, said: 0, page, runner }
    }

    /// The same for somebody who was away: told everything again.
    pub(crate) async fn from_the_start(http: &Http, id: String, mark: String) -> Self {
        let page = Self::socket(http, &id, "yaar", &json!(0)).await;
        let runner = Self::socket(http, &id, "events", &json!(0)).await;
        Self { id, mark, said: 0, page, runner }
    }

    async fn from_now_on(http: &Http, id: &str, dialect: &str) -> Socket {
        let so_far =
            http.get(&format!("/v1/sessions/{id}/events?dialect={dialect}&limit=1")).await.expect(200);
        Self::socket(http, id, dialect, &so_far["last_seq"]).await
    }

    async fn socket(http: &Http, id: &str, dialect: &str, after: &Value) -> Socket {
        let token = OWN.replace('\'', "%27");
        Socket::open(http, &format!("/ws/stream/{id}?dialect={dialect}&after={after}&token={token}")).await
    }

    /// A main agent with a past, and windows that are forked from it.
    pub(crate) async fn desktop(desk: &Desk, windows: usize) -> Vec<Self> {
        let mut main = Self::open(&desk.http, desk.session().await, "mainmark".to_owned()).await;
        main.say("name").await;
        main.completes("named mainmark").await;
        let mut all = Vec::new();
        for window in 0..windows {
            let forked =
                desk.http.post(&format!("/v1/sessions/{}/fork", main.id), json!({})).await.expect(201);
            let id = forked["id"].as_str().unwrap().to_owned();
            all.push(Self::open(&desk.http, id, format!("window{window}mark")).await);
        }
        all.insert(0, main);
        all
    }

    /// Says something that the model answers under the agent's mark.
    pub(crate) async fn say(&mut self, what: &str) {
        self.said += 1;
        let (id, content) = (format!("{}-{}", self.mark, self.said), format!("[{what} {}]", self.mark));
        self.page.say(json!({"type": "WINDOW_MESSAGE", "messageId": id, "content": content})).await;
    }

    pub(crate) async fn interrupt(&mut self) {
        self.page.say(json!({"type": "INTERRUPT"})).await;
    }

    /// Its turn ends well, and this is all that the page was told since the last end.
    pub(crate) async fn completes(&mut self, text: &str) -> Vec<Value> {
        let told = self.page.until("complete").await;
        let said: String = told.iter().filter(|it| it["type"] == "text").map(content).collect();
        assert_eq!(said, text, "{}: {told:#?}", self.mark);
        told
    }

    /// Its turn ends otherwise; the page is told why.
    pub(crate) async fn fails(&mut self) -> String {
        let told = self.page.until("error").await;
        told.last().unwrap()["error"].as_str().unwrap().to_owned()
    }

    /// The next event of a type, as the program that runs the tool hears it.
    pub(crate) async fn hears(&mut self, kind: &str) -> Value {
        self.runner.until(kind).await.pop().unwrap()
    }

    /// Its tool is called, with its own mark; which call it is.
    pub(crate) async fn is_called(&mut self) -> Value {
        let event = self.hears("tool.requested").await;
        assert_eq!(event["data"]["tool"], "look");
        assert_eq!(event["data"]["arguments"], json!({"mark": self.mark}), "{event}");
        assert!(event["turn_id"].is_string(), "it is a part of its turn: {event}");
        event["data"]["tool_call_id"].clone()
    }

    /// A whole turn with a call.
    pub(crate) async fn calls(&mut self) {
        self.say("call").await;
        let call = self.is_called().await;
        self.answers(&call, "seen").await;
        self.completes(&format!("called as {}", self.mark)).await;
    }

    /// The program answers a call.
    pub(crate) async fn answers(&mut self, call: &Value, text: &str) {
        let content = json!([{"type": "text", "text": text}]);
        let answer =
            json!({"type": "answer_tool", "tool_call_id": call, "success": true, "content": content});
        self.runner.say(answer).await;
    }

    /// All that is known of it, as text.
    pub(crate) async fn journal(&self, http: &Http) -> String {
        http.get(&format!("/v1/sessions/{}/events", self.id)).await.expect(200).to_string()
    }
}

fn content(told: &Value) -> &str {
    told["content"].as_str().unwrap_or_default()
}

/// Of all marks, those in a text.
pub(crate) fn marks_in(text: &str, agents: &[String]) -> Vec<String> {
    agents.iter().filter(|mark| text.contains(mark.as_str())).cloned().collect()
}
