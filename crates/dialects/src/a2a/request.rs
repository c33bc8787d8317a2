//! What is asked: the requests of every operation, read from either binding's JSON.

use selvedge_session::{BusyPolicy, Timestamp};
use serde_json::{Map, Value};

use super::{fault::Fault, fields::Fields, message::Message, task::State};

/// The longest page of a list.
const LONGEST_PAGE: i64 = 100;
/// A page, unless another size is asked for.
const PAGE: usize = 50;

/// `SendMessage` and `SendStreamingMessage`.
#[derive(Debug, Clone)]
pub struct Send {
    /// What is said.
    pub message: Message,
    /// Do not wait for the end.
    pub at_once: bool,
    /// How much of what was said is wanted; all, unless given.
    pub history: Option<usize>,
    /// What the caller takes; everything, if empty.
    pub modes: Vec<String>,
    /// Whom to call.
    pub push: Option<Value>,
    /// How it is to be run.
    pub wishes: Wishes,
    /// The same key is the same message.
    pub key: Option<String>,
}

/// How a message is to be run, from its metadata.
#[derive(Debug, Clone, Default)]
pub struct Wishes {
    /// What happens if the agent works.
    pub busy_policy: Option<BusyPolicy>,
    /// The shape of the answer.
    pub output_schema: Option<Value>,
    /// How long its turn may take.
    pub deadline_seconds: Option<u64>,
}

impl Send {
    /// A message, and nothing about how.
    pub fn of(message: Message) -> Self {
        let (modes, wishes) = (Vec::new(), Wishes::default());
        Self { message, at_once: true, history: None, modes, push: None, wishes, key: None }
    }

    /// As it came by either binding.
    pub fn read(params: &Value) -> Result<Self, Fault> {
        let fields = Fields::of(params, "")?;
        let message = fields.object("message")?.ok_or_else(|| fields.wrong("message", "it is missing"))?;
        let message = Message::read(&message)?;
        let nothing = Value::Object(Map::new());
        let configuration = match fields.object("configuration")? {
            Some(configuration) => configuration,
            None => Fields::of(&nothing, "configuration")?,
        };
        Ok(Self {
            at_once: configuration.flag("returnImmediately")?,
            history: history(&configuration)?,
            modes: configuration.texts("acceptedOutputModes")?,
            push: configuration.get("taskPushNotificationConfig").cloned(),
            wishes: Wishes::read(message.metadata.as_ref())?,
            message,
            key: None,
        })
    }
}

impl Wishes {
    fn read(metadata: Option<&Map<String, Value>>) -> Result<Self, Fault> {
        let Some(metadata) = metadata else { return Ok(Self::default()) };
        let metadata = Value::Object(metadata.clone());
        let fields = Fields::of(&metadata, "message.metadata")?;
        let busy_policy = fields.get("busyPolicy").map(|policy| {
            serde_json::from_value(policy.clone())
                .map_err(|error| fields.wrong("busyPolicy", &error.to_string()))
        });
        let seconds = fields.number("deadlineSeconds")?.map(|seconds| {
            u64::try_from(seconds).map_err(|_| fields.wrong("deadlineSeconds", "it cannot be negative"))
        });
        Ok(Self {
            busy_policy: busy_policy.transpose()?,
            output_schema: fields.map("outputSchema")?.map(Value::Object),
            deadline_seconds: seconds.transpose()?,
        })
    }
}

/// How much of what was said is wanted.
fn history(fields: &Fields<'_>) -> Result<Option<usize>, Fault> {
    let Some(length) = fields.number("historyLength")? else { return Ok(None) };
    usize::try_from(length).map(Some).map_err(|_| fields.wrong("historyLength", "it cannot be negative"))
}

/// `GetTask`, `CancelTask`, `SubscribeToTask`.
#[derive(Debug, Clone)]
pub struct OfTask {
    /// Which task.
    pub id: String,
    /// How much of what was said is wanted; all, unless given.
    pub history: Option<usize>,
}

impl OfTask {
    /// As it came by either binding.
    pub fn read(params: &Value) -> Result<Self, Fault> {
        let fields = Fields::of(params, "")?;
        Ok(Self { id: fields.needed("id")?.to_owned(), history: history(&fields)? })
    }
}

/// `ListTasks`.
#[derive(Debug, Clone)]
pub struct List {
    /// Only of this context.
    pub context: Option<String>,
    /// Only those that stand so.
    pub state: Option<State>,
    /// How many at once.
    pub size: usize,
    /// Where the last page ended.
    pub token: Option<String>,
    /// How much of what was said is wanted; all, unless given.
    pub history: Option<usize>,
    /// Only those that changed since then.
    pub after: Option<Timestamp>,
    /// With what they came to.
    pub artifacts: bool,
}

impl List {
    /// As it came by either binding.
    pub fn read(params: &Value) -> Result<Self, Fault> {
        let fields = Fields::of(params, "")?;
        let state = match fields.get("status") {
            None => None,
            Some(state) if state.as_str() == Some("TASK_STATE_UNSPECIFIED") || state.as_i64() == Some(0) => {
                None
            }
            Some(state) => {
                let state = State::read(state);
                Some(state.ok_or_else(|| fields.wrong("status", "there is no such state"))?)
            }
        };
        let size = match fields.number("pageSize")? {
            None => PAGE,
            Some(size @ 1..=LONGEST_PAGE) => usize::try_from(size).unwrap_or(PAGE),
            Some(_) => return Err(fields.wrong("pageSize", "it has to be from 1 to 100")),
        };
        let after = fields.text("statusTimestampAfter")?.map(|after| {
            serde_json::from_value(Value::from(after))
                .map_err(|_| fields.wrong("statusTimestampAfter", "it has to be a moment in RFC 3339"))
        });
        Ok(Self {
            context: fields.text("contextId")?.map(str::to_owned),
            state,
            size,
            token: fields.text("pageToken")?.map(str::to_owned),
            history: history(&fields)?,
            after: after.transpose()?,
            artifacts: fields.flag("includeArtifacts")?,
        })
    }
}
