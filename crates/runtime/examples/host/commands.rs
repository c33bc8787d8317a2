//! What the host can be told.

use std::{collections::BTreeMap, sync::Arc};

use selvedge_runtime::{
    Answer, Error, Fork, Message, NewSession, Patch, Runtime, SessionHandle,
    session::{ApprovalId, Code, Json, Options, SessionId, Settings, ToolCallId},
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use uuid::Uuid;

use crate::readers::Readers;

/// A command and what it is done with.
pub(crate) struct Command {
    pub(crate) runtime: Runtime,
    pub(crate) readers: Arc<Readers>,
    pub(crate) said: Value,
}

/// An answer in JSON; events in it are as they lie in the journal.
type Done = Result<String, Error>;

#[derive(Deserialize)]
struct Send {
    text: String,
    key: Option<String>,
    #[serde(flatten)]
    options: Options,
}

impl Command {
    /// Does it, and says what came of it. If nobody reads us, nobody is told.
    pub(crate) async fn answer(self, lines: mpsc::Sender<String>) {
        let id = self.said["id"].clone();
        let line = match Box::pin(self.perform()).await {
            Ok(done) => format!(r#"{{"id":{id},"ok":{done}}}"#),
            Err(error) => {
                let error = json!({ "code": error.code.as_str(), "message": error.message });
                json!({ "id": id, "error": error }).to_string()
            }
        };
        let _nobody_reads = lines.send(line).await;
    }

    async fn perform(self) -> Done {
        match self.said["op"].as_str().unwrap_or_default() {
            "create" => self.create().await,
            "follow" => self.follow().await,
            "pause" | "resume" | "unfollow" => self.tell_reader(),
            _ => self.on_session().await,
        }
    }

    /// What is done to a session that there is.
    async fn on_session(self) -> Done {
        let session = self.session().await?;
        match self.said["op"].as_str().unwrap_or_default() {
            "send" => return self.send(&session).await,
            "events" => return self.events(&session).await,
            "fork" => return Ok(json!({ "session": session.fork(Fork::default()).await?.id() }).to_string()),
            "summary" => return Ok(json!(session.summary().await?).to_string()),
            "interrupt" => session.interrupt(self.said["force"] == true).await?,
            "start" => session.start().await?,
            "stop" => session.stop().await?,
            "archive" => session.archive().await?,
            "rename" => {
                let name = Some(self.field("name")?);
                session.update(Patch { name, ..Patch::default() }).await?;
            }
            "answer" => {
                let answer = Answer::new(self.field("decision")?, "host");
                session.answer(ApprovalId(self.field("approval")?), answer).await?;
            }
            "answer_tool" => {
                let content: Json = self.field("content")?;
                let call = ToolCallId(self.field("tool_call")?);
                session.answer_tool(call, self.said["success"] == true, content).await?;
            }
            other => return Err(Error::coded(Code::InvalidArgument, format!("no such command: {other}"))),
        }
        Ok("{}".to_owned())
    }

    async fn create(self) -> Done {
        let settings: Settings = self.field("settings")?;
        let env: BTreeMap<String, String> = self.field("env")?;
        let idempotency_key = self.said["key"].as_str().map(str::to_owned);
        let new = NewSession { settings, env, idempotency_key, ..NewSession::default() };
        Ok(json!({ "session": self.runtime.create(new).await?.id() }).to_string())
    }

    async fn send(&self, session: &SessionHandle) -> Done {
        let Send { text, key, options } = read(&self.said)?;
        let message = Message { options, idempotency_key: key, ..Message::text(text) };
        Ok(json!({ "message": session.send(message).await?.message_id }).to_string())
    }

    /// Some events that are there already.
    async fn events(&self, session: &SessionHandle) -> Done {
        let mut events = session.events(self.field("after")?).await?;
        let page = events.there(self.field("limit")?).await?;
        let texts: Vec<_> = page.iter().map(|event| String::from_utf8_lossy(&event.text)).collect();
        Ok(format!(r#"{{"events":[{}]}}"#, texts.join(",")))
    }

    async fn follow(self) -> Done {
        let session = self.session().await?;
        let events = session.events(self.field("after")?).await?;
        self.readers.open(self.field("reader")?, events);
        Ok("{}".to_owned())
    }

    fn tell_reader(self) -> Done {
        let reader = self.field("reader")?;
        match self.said["op"].as_str() {
            Some("pause") => self.readers.pause(reader, true),
            Some("resume") => self.readers.pause(reader, false),
            _ => self.readers.end(reader),
        }
        Ok("{}".to_owned())
    }

    async fn session(&self) -> Result<SessionHandle, Error> {
        self.runtime.session(SessionId(self.field::<Uuid>("session")?)).await
    }

    fn field<T: DeserializeOwned>(&self, name: &str) -> Result<T, Error> {
        read(&self.said[name])
    }
}

fn read<T: DeserializeOwned>(value: &Value) -> Result<T, Error> {
    T::deserialize(value).map_err(|error| Error::coded(Code::InvalidArgument, format!("{value}: {error}")))
}
