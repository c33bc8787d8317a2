//! The questions: requests that are refused by every Codex before anybody acts on them; how is the answer.
//!
//! Each ends with a field that every version has and that is wrong here (a thread named `true`). What stands before it is
//! refused if it is known, and passed over if not. The order is the alphabet's, in which some versions read.

use serde_json::{Value, json};

use super::refusal::{expected, is_about_the_end};
use crate::{client::Client, error::CallError};

/// A request that nobody knows: who refuses it names all they know.
const UNHEARD_OF: &str = "selvedge/abilities";

/// What was answered.
#[derive(Debug, Default)]
pub(super) struct Answers {
    pub(super) methods: Option<Vec<String>>,
    pub(super) policies: Option<Vec<String>>,
    pub(super) efforts: Option<Vec<String>>,
    pub(super) logins: Option<Vec<String>>,
    pub(super) id_token: Field,
    pub(super) own_message_ids: Field,
    pub(super) plan_mode: Field,
    pub(super) fork_up_to_a_turn: Field,
    pub(super) tools: Field,
    pub(super) deferred_tools: Field,
    pub(super) tool_namespaces: Field,
}

/// Whether a field exists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Field {
    Known,
    Unknown,
    /// The answer is one that we do not understand.
    #[default]
    Unsaid,
}

impl Field {
    /// Whether it exists; as usual, where that was not said.
    pub(super) fn known_or(self, usual: bool) -> bool {
        match self {
            Self::Known => true,
            Self::Unknown => false,
            Self::Unsaid => usual,
        }
    }

    /// Of how a request was refused that has it wrong.
    pub(super) fn of(refusal: Option<&str>) -> Self {
        match refusal {
            Some(message) if is_about_the_end(message) => Self::Unknown,
            Some(message) if message.contains("invalid type") || message.contains("missing field") => {
                Self::Known
            }
            _ => Self::Unsaid,
        }
    }
}

/// Asks everything at once.
pub(super) async fn ask(client: &Client) -> Result<Answers, CallError> {
    let (methods, policies, efforts, ids, plan, fork, tools, deferred, namespaces, logins, id_token) = tokio::try_join!(
        refusal(client, UNHEARD_OF, json!({})),
        refusal(client, "turn/start", turn_start("approvalPolicy", &json!("?"))),
        refusal(client, "turn/start", turn_start("effort", &json!("?"))),
        refusal(client, "turn/start", turn_start("clientUserMessageId", &json!(5))),
        refusal(client, "turn/start", turn_start("collaborationMode", &json!(5))),
        refusal(client, "thread/fork", json!({ "lastTurnId": 5, "threadId": true })),
        refusal(client, "thread/start", tools(&json!(5))),
        refusal(client, "thread/start", tools(&json!([deferred_tool()]))),
        refusal(client, "thread/start", tools(&json!([namespace()]))),
        refusal(client, "account/login/start", json!({ "type": "?" })),
        refusal(client, "account/login/start", login()),
    )?;
    let names = |refusal: Option<String>| refusal.as_deref().and_then(expected);
    let field = |refusal: Option<String>| Field::of(refusal.as_deref());
    Ok(Answers {
        methods: names(methods),
        policies: names(policies),
        efforts: names(efforts),
        logins: names(logins),
        id_token: field(id_token),
        own_message_ids: field(ids),
        plan_mode: field(plan),
        fork_up_to_a_turn: field(fork),
        tools: field(tools),
        deferred_tools: field(deferred),
        tool_namespaces: field(namespaces),
    })
}

/// How a request is refused, in Codex's words; nothing if it is not. Only who is gone has not answered.
async fn refusal(client: &Client, method: &str, params: Value) -> Result<Option<String>, CallError> {
    match client.request(method, &params).await {
        Err(CallError::Refused { error, .. }) => Ok(Some(error.message)),
        Err(gone @ (CallError::Ended { .. } | CallError::InputClosed { .. })) => Err(gone),
        Ok(_) | Err(_) => Ok(None),
    }
}

fn turn_start(field: &str, wrong: &Value) -> Value {
    json!({ field: wrong, "input": [], "threadId": true })
}

fn tools(tools: &Value) -> Value {
    json!({ "dynamicTools": tools, "sandbox": true })
}

fn deferred_tool() -> Value {
    json!({ "deferLoading": 5, "description": "none", "inputSchema": {}, "name": "none" })
}

fn namespace() -> Value {
    json!({ "description": "none", "name": "none", "tools": [], "type": "namespace" })
}

fn login() -> Value {
    json!({ "accessToken": "none", "chatgptAccountId": true, "idToken": 5, "type": "chatgptAuthTokens" })
}
