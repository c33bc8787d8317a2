//! What a browser says.

use selvedge_session::{Patch, PermissionMode};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{answering::PermissionResponse, speaker::Speaker};
use crate::wish::{Picture, Wish};

/// What a browser said, understood.
#[derive(Debug, Clone, PartialEq)]
pub enum Heard {
    /// It wants what came after this number.
    Subscribe {
        /// The last one it has.
        last_seq: u64,
    },
    /// It has everything up to some number: nothing depends on it.
    Ack,
    /// It wants something done.
    Wishes {
        /// By which it is done once, however often it is sent.
        key: Option<String>,
        /// What, in this order.
        wishes: Vec<Wish>,
    },
    /// It wants to know how the MCP servers are.
    McpStatus,
    /// It cannot be done.
    Refused {
        /// As above: what was done before is not refused when it is sent again.
        key: Option<String>,
        /// Why.
        why: String,
    },
    /// It is nothing that anybody knows; upstream drops it too.
    Nothing,
}

#[derive(Deserialize)]
struct Said {
    #[serde(rename = "type")]
    kind: String,
    client_msg_id: Option<String>,
    #[serde(flatten)]
    fields: Map<String, Value>,
}

#[derive(Deserialize)]
struct UserMessage {
    content: String,
    #[serde(default)]
    images: Vec<Image>,
    /// As a later fork calls them.
    #[serde(default)]
    attachments: Vec<Image>,
}

#[derive(Deserialize)]
struct Image {
    media_type: String,
    data: String,
}

impl Speaker {
    /// Understands one frame of a browser's.
    #[must_use]
    pub fn understand(&self, frame: &str) -> Heard {
        let Ok(said) = serde_json::from_str::<Said>(frame) else { return Heard::Nothing };
        let Said { kind, client_msg_id: key, fields } = said;
        let text = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        match kind.as_str() {
            "session_subscribe" => Heard::Subscribe { last_seq: last_seq(fields.get("last_seq")) },
            "session_ack" => Heard::Ack,
            "user_message" => user_message(Value::Object(fields), key),
            "permission_response" => self.permission_response(Value::Object(fields), key),
            "interrupt" => one(key, Wish::Interrupt),
            "set_model" => update(key, Patch { model: Some(text("model")), ..Patch::default() }),
            "set_permission_mode" => self.set_mode(&text("mode"), key),
            "mcp_get_status" => Heard::McpStatus,
            "mcp_toggle" => {
                let enabled = fields.get("enabled").and_then(Value::as_bool).unwrap_or(true);
                one(key, Wish::SwitchServer { name: text("serverName"), enabled })
            }
            "mcp_reconnect" => one(key, Wish::RestartServers),
            "mcp_set_servers" => {
                let servers = fields.get("servers").and_then(Value::as_object);
                match super::servers::configured(servers.unwrap_or(&Map::new())) {
                    Ok(servers) => one(key, Wish::AddServers(servers)),
                    Err(why) => refused(key, why),
                }
            }
            "set_ai_validation" => refused(key, NO_VALIDATION),
            "end_session" | "stop_task" | "update_environment_variables" => {
                refused(key, format!("`{kind}` is for Claude: a Codex session does not know it"))
            }
            _ => Heard::Nothing,
        }
    }

    fn permission_response(&self, fields: Value, key: Option<String>) -> Heard {
        let Ok(response) = serde_json::from_value::<PermissionResponse>(fields) else {
            return refused(key, "the answer cannot be read");
        };
        match self.answered(response) {
            Some(wishes) => Heard::Wishes { key, wishes },
            None => refused(key, "this was answered already, or is asked no longer"),
        }
    }

    /// After planning, `default` is the mode before it.
    fn set_mode(&self, mode: &str, key: Option<String>) -> Heard {
        let mode = match (mode, self.mode) {
            ("default", PermissionMode::Plan) => self.unplanned.unwrap_or(PermissionMode::AcceptEdits),
            ("default", _) => PermissionMode::Default,
            ("acceptEdits", _) => PermissionMode::AcceptEdits,
            ("plan", _) => PermissionMode::Plan,
            ("bypassPermissions", _) => PermissionMode::BypassPermissions,
            _ => return refused(key, format!("there is no permission mode `{mode}`")),
        };
        update(key, Patch { permission_mode: Some(mode), ..Patch::default() })
    }
}

const NO_VALIDATION: &str =
    "answers are given by people and by the session's policy: no other model is asked";

fn user_message(fields: Value, key: Option<String>) -> Heard {
    let Ok(UserMessage { content, images, attachments }) = serde_json::from_value(fields) else {
        return refused(key, "the message cannot be read");
    };
    let pictures = images.into_iter().chain(attachments);
    let pictures = pictures.map(|Image { media_type, data }| Picture { media_type, data }).collect();
    let send = Wish::Send { text: content, pictures, key: key.clone(), when_busy: None };
    Heard::Wishes { key, wishes: vec![send] }
}

fn refused(key: Option<String>, why: impl Into<String>) -> Heard {
    Heard::Refused { key, why: why.into() }
}

fn update(key: Option<String>, patch: Patch) -> Heard {
    one(key, Wish::Update(Box::new(patch)))
}

fn one(key: Option<String>, wish: Wish) -> Heard {
    Heard::Wishes { key, wishes: vec![wish] }
}

/// A number that is not whole is the one below it; what is none is 0.
fn last_seq(value: Option<&Value>) -> u64 {
    let value = value.unwrap_or(&Value::Null);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "such casts stop at the limits"
    )]
    let floor = |number: f64| number.max(0.0).floor() as u64;
    value.as_u64().or_else(|| value.as_f64().map(floor)).unwrap_or(0)
}
