//! What the client's requests carry. The shapes are Codex's, so a wrong one fails in Codex's own words.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use super::wire::RpcError;

/// Longer input is refused.
const MAX_INPUT_CHARS: usize = 1_048_576;

/// Reads the params of a request.
pub(super) fn read<P: DeserializeOwned>(params: Option<Value>) -> Result<P, RpcError> {
    let params = params.ok_or_else(|| RpcError::invalid_request("missing field `params`"))?;
    serde_json::from_value(params).map_err(RpcError::invalid_request)
}

/// Threads are named by uuids; anything else is refused before it is looked up.
pub(super) fn check_thread_id(id: &str) -> Result<(), RpcError> {
    uuid::Uuid::parse_str(id)
        .map(|_| ())
        .map_err(|error| RpcError::invalid(format!("invalid thread id: {error}")))
}

/// When Codex asks a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Approval {
    Untrusted,
    OnRequest,
    Granular(Value),
    Never,
}

/// The sandbox by its short name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum SandboxMode {
    ReadOnly,
    WorkspaceWrite,
    DangerFullAccess,
}

/// `initialize`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Initialize {
    pub(super) client_info: ClientInfo,
    pub(super) capabilities: Option<Capabilities>,
}

/// Who connects.
#[derive(Debug, Deserialize)]
pub(super) struct ClientInfo {
    pub(super) name: String,
    pub(super) version: String,
}

/// What the client can do and does not want.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Capabilities {
    pub(super) experimental_api: bool,
    pub(super) opt_out_notification_methods: Option<Vec<String>>,
}

/// What `thread/start`, `thread/resume`, `thread/fork` and `turn/start` may set.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Overrides {
    pub(super) cwd: Option<String>,
    pub(super) model: Option<String>,
    pub(super) approval_policy: Option<Approval>,
    pub(super) sandbox: Option<SandboxMode>,
    pub(super) sandbox_policy: Option<Value>,
    pub(super) effort: Option<String>,
    pub(super) summary: Option<String>,
}

/// `thread/start`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ThreadStart {
    #[serde(flatten)]
    pub(super) overrides: Overrides,
    pub(super) ephemeral: Option<bool>,
    pub(super) dynamic_tools: Option<Vec<Value>>,
}

/// `thread/resume` and `thread/fork`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ThreadReopen {
    pub(super) thread_id: String,
    #[serde(flatten)]
    pub(super) overrides: Overrides,
    #[serde(default)]
    pub(super) exclude_turns: bool,
    pub(super) last_turn_id: Option<String>,
    pub(super) before_turn_id: Option<String>,
    pub(super) ephemeral: Option<bool>,
}

/// A request that names nothing but a thread, and perhaps one more thing.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OfThread {
    pub(super) thread_id: String,
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) include_turns: bool,
}

/// `thread/revert`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ThreadRevert {
    pub(super) thread_id: String,
    pub(super) before_turn_id: String,
}

/// Which way a page runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Direction {
    Asc,
    Desc,
}

/// How much of a turn's items a page holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum ItemsView {
    NotLoaded,
    Summary,
    Full,
}

/// `thread/turns/list` and `thread/items/list`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct HistoryPage {
    pub(super) thread_id: String,
    pub(super) turn_id: Option<String>,
    pub(super) cursor: Option<String>,
    pub(super) limit: Option<usize>,
    pub(super) sort_direction: Option<Direction>,
    pub(super) items_view: Option<ItemsView>,
}

/// `thread/list`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ThreadPage {
    pub(super) cursor: Option<String>,
    pub(super) limit: Option<usize>,
    pub(super) archived: Option<bool>,
    pub(super) sort_direction: Option<Direction>,
}

/// `turn/start`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TurnStart {
    pub(super) thread_id: String,
    pub(super) input: Vec<UserInput>,
    pub(super) client_user_message_id: Option<String>,
    pub(super) output_schema: Option<Value>,
    /// Plan mode changes nothing that a script says; it only has to be an object.
    #[expect(dead_code, reason = "read so that a wrong one is refused")]
    pub(super) collaboration_mode: Option<Map<String, Value>>,
    #[serde(flatten)]
    pub(super) overrides: Overrides,
}

/// `turn/steer`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TurnSteer {
    pub(super) thread_id: String,
    pub(super) expected_turn_id: String,
    pub(super) input: Vec<UserInput>,
    pub(super) client_user_message_id: Option<String>,
}

/// `turn/interrupt`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TurnInterrupt {
    pub(super) thread_id: String,
    pub(super) turn_id: String,
}

/// `account/login/start`.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub(super) enum Login {
    #[serde(rename_all = "camelCase")]
    ApiKey {
        api_key: String,
    },
    ChatgptAuthTokens {},
    Chatgpt {},
    ChatgptDeviceCode {},
}

/// One piece of a user message.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub(super) enum UserInput {
    Text {
        text: String,
        #[serde(default)]
        text_elements: Vec<Value>,
    },
    Image(Map<String, Value>),
    LocalImage(Map<String, Value>),
    Audio(Map<String, Value>),
    LocalAudio(Map<String, Value>),
    Skill(Map<String, Value>),
    Mention(Map<String, Value>),
}

/// A message of the user, as a turn takes it.
#[derive(Debug, Clone)]
pub(super) struct UserMessage {
    pub(super) content: Vec<UserInput>,
    pub(super) client_id: Option<String>,
}

impl UserMessage {
    /// Refuses what Codex refuses.
    pub(super) fn new(content: Vec<UserInput>, client_id: Option<String>) -> Result<Self, RpcError> {
        let message = Self { content, client_id };
        let chars = message.text().chars().count();
        if chars > MAX_INPUT_CHARS {
            return Err(super::messages::input_too_large(MAX_INPUT_CHARS, chars));
        }
        if message.content.iter().any(is_remote_image) {
            let why = "remote image URLs are not supported; use an inline data URL instead";
            return Err(RpcError::invalid(why));
        }
        Ok(message)
    }

    /// Its words, which choose the rule that plays.
    pub(super) fn text(&self) -> String {
        let texts = self.content.iter().filter_map(|input| match input {
            UserInput::Text { text, .. } => Some(text.as_str()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }
}

fn is_remote_image(input: &UserInput) -> bool {
    let UserInput::Image(image) = input else { return false };
    image.get("url").and_then(Value::as_str).is_some_and(|url| url.starts_with("http"))
}
