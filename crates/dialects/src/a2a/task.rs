//! Tasks, and what is told of them while they live.

use selvedge_session::Timestamp;
use serde_json::{Map, Value, json};

use super::message::{Content, Message, Part, put};

macro_rules! states {
    ($($(#[$doc:meta])+ $state:ident = $number:literal, $name:literal;)+) => {
        /// Where a task stands.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum State {
            $($(#[$doc])+ $state,)+
        }

        impl State {
            /// As it is sent.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$state => $name,)+
                }
            }

            /// By its name, or by its number as ProtoJSON allows.
            pub fn read(value: &Value) -> Option<Self> {
                $(if value.as_str() == Some($name) || value.as_i64() == Some($number) {
                    return Some(Self::$state);
                })+
                None
            }
        }
    };
}

states! {
    /// It is ours to bring to an end.
    Submitted = 1, "TASK_STATE_SUBMITTED";
    /// It is worked on.
    Working = 2, "TASK_STATE_WORKING";
    /// Done.
    Completed = 3, "TASK_STATE_COMPLETED";
    /// Not done.
    Failed = 4, "TASK_STATE_FAILED";
    /// Stopped.
    Canceled = 5, "TASK_STATE_CANCELED";
    /// It waits for an answer.
    InputRequired = 6, "TASK_STATE_INPUT_REQUIRED";
    /// It was not taken.
    Rejected = 7, "TASK_STATE_REJECTED";
    /// It waits until somebody logs in.
    AuthRequired = 8, "TASK_STATE_AUTH_REQUIRED";
}

impl State {
    /// Whether nothing more will happen.
    pub fn is_end(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Canceled | Self::Rejected)
    }

    /// Whether somebody else has to do something.
    pub fn waits(self) -> bool {
        matches!(self, Self::InputRequired | Self::AuthRequired)
    }
}

/// Where a task stands, since when, and what is said with it.
#[derive(Debug, Clone, PartialEq)]
pub struct Status {
    /// Where.
    pub state: State,
    /// What is said with it.
    pub message: Option<Message>,
    /// Since when.
    pub at: Timestamp,
}

impl Status {
    fn json(&self) -> Value {
        let mut status = Map::from_iter([("state".to_owned(), json!(self.state.name()))]);
        put(&mut status, "message", self.message.as_ref().map(Message::json));
        put(&mut status, "timestamp", Some(json!(self.at)));
        Value::Object(status)
    }
}

/// What a task came to, or a part of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Artifact {
    /// Which.
    pub id: String,
    /// What it is called.
    pub name: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// What it holds.
    pub parts: Vec<Part>,
}

impl Artifact {
    /// Its words.
    pub fn text(&self) -> String {
        let words = self.parts.iter().map(|part| match &part.content {
            Content::Text(text) | Content::Url(text) => text.clone(),
            Content::Data(data) => data.to_string(),
            Content::Raw(_) => part.filename.clone().unwrap_or_default(),
        });
        words.collect::<Vec<_>>().join("\n")
    }

    fn json(&self) -> Value {
        let parts: Vec<Value> = self.parts.iter().map(Part::json).collect();
        let mut artifact = Map::from_iter([("artifactId".to_owned(), json!(self.id))]);
        put(&mut artifact, "name", self.name.as_ref().map(|it| json!(it)));
        put(&mut artifact, "description", self.description.as_ref().map(|it| json!(it)));
        put(&mut artifact, "parts", Some(Value::Array(parts)));
        Value::Object(artifact)
    }
}

/// A task as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// Which.
    pub id: String,
    /// Its conversation.
    pub context: String,
    /// Where it stands.
    pub status: Status,
    /// What it came to.
    pub artifacts: Vec<Artifact>,
    /// What was said.
    pub history: Vec<Message>,
    /// For programs.
    pub metadata: Map<String, Value>,
}

impl Task {
    /// With so much of what was said: all of it, unless a number is given.
    pub fn with_history(mut self, length: Option<usize>) -> Self {
        if let Some(length) = length {
            let passed_over = self.history.len().saturating_sub(length);
            self.history.drain(..passed_over);
        }
        self
    }

    /// As it is sent.
    pub fn json(&self) -> Value {
        let mut task = Map::from_iter([("id".to_owned(), json!(self.id))]);
        put(&mut task, "contextId", Some(json!(self.context)));
        put(&mut task, "status", Some(self.status.json()));
        let artifacts: Vec<Value> = self.artifacts.iter().map(Artifact::json).collect();
        put(&mut task, "artifacts", Some(artifacts).filter(|it| !it.is_empty()).map(Value::Array));
        let history: Vec<Value> = self.history.iter().map(Message::json).collect();
        put(&mut task, "history", Some(history).filter(|it| !it.is_empty()).map(Value::Array));
        put(
            &mut task,
            "metadata",
            Some(self.metadata.clone()).filter(|it| !it.is_empty()).map(Value::Object),
        );
        Value::Object(task)
    }
}

/// Something that is told of a task.
#[derive(Debug, Clone, PartialEq)]
pub enum Update {
    /// It stands otherwise.
    Status(Status),
    /// It came to something.
    Artifact {
        /// What, or a piece of it.
        artifact: Artifact,
        /// These parts follow those that are there; else they replace them.
        append: bool,
        /// There is no more of it.
        last: bool,
    },
}

impl Update {
    /// As it is sent: of this task, with the number of the event that says it.
    pub fn json(&self, task: &str, context: &str, seq: u64) -> Value {
        let mut update =
            Map::from_iter([("taskId".to_owned(), json!(task)), ("contextId".to_owned(), json!(context))]);
        let name = match self {
            Self::Status(status) => {
                update.insert("status".to_owned(), status.json());
                "statusUpdate"
            }
            Self::Artifact { artifact, append, last } => {
                update.insert("artifact".to_owned(), artifact.json());
                put(&mut update, "append", append.then(|| json!(true)));
                put(&mut update, "lastChunk", last.then(|| json!(true)));
                "artifactUpdate"
            }
        };
        update.insert("metadata".to_owned(), json!({"seq": seq}));
        json!({name: update})
    }
}
