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
pub(crate) struct Send {
    pub(crate) message: Message,
    /// Do not wait for the end.
    pub(crate) at_once: bool,
    pub(crate) history: Option<usize>,
    /// What the caller takes; everything, if empty.
    pub(crate) modes: Vec<String>,
    /// Whom to call.
    pub(crate) push: Option<Value>,
    pub(crate) wishes: Wishes,
}

/// How a message is to be run, from its metadata.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wishes {
    pub(crate) busy_policy: Option<BusyPolicy>,
    pub(crate) output_schema: Option<Value>,
    pub(crate) deadline_seconds: Option<u64>,
}

impl Send {
    /// A message, and nothing about how.
    pub(crate) fn of(message: Message) -> Self {
        let (modes, wishes) = (Vec::new(), Wishes::default());
        Self { message, at_once: true, history: None, modes, push: None, wishes }
    }

    pub(crate) fn read(params: &Value) -> Result<Self, Fault> {
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
        let seconds = fields.number("deadlineSeconds")?;
        Ok(Self {
            busy_policy: busy_policy.transpose()?,
            output_schema: fields.map("outputSchema")?.map(Value::Object),
            deadline_seconds: seconds.and_then(|seconds| u64::try_from(seconds).ok()),
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
pub(crate) struct OfTask {
    pub(crate) id: String,
    pub(crate) history: Option<usize>,
}

impl OfTask {
    pub(crate) fn read(params: &Value) -> Result<Self, Fault> {
        let fields = Fields::of(params, "")?;
        Ok(Self { id: fields.needed("id")?.to_owned(), history: history(&fields)? })
    }
}

/// `ListTasks`.
#[derive(Debug, Clone)]
pub(crate) struct List {
    pub(crate) context: Option<String>,
    pub(crate) state: Option<State>,
    pub(crate) size: usize,
    pub(crate) token: Option<String>,
    pub(crate) history: Option<usize>,
    pub(crate) after: Option<Timestamp>,
    pub(crate) artifacts: bool,
}

impl List {
    pub(crate) fn read(params: &Value) -> Result<Self, Fault> {
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
