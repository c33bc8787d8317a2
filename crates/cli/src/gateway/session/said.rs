//! What is said to a session, as the gateway reads it.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use selvedge_runtime::{Answer, Message, Part};
use selvedge_session::{ApprovalPolicy, Unattended, data::Decision};
use serde::Serialize;
use serde_json::{Map, Value};

/// The body of `POST …/messages`. Who says it is known by the token, and what it costs by the gateway.
#[derive(Serialize)]
pub(super) struct Said {
    input: Vec<SaidPart>,
    #[serde(flatten)]
    options: Map<String, Value>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum SaidPart {
    Text {
        text: String,
    },
    Image {
        #[serde(skip_serializing_if = "Option::is_none")]
        data: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        media_type: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        url: Option<String>,
    },
}

impl From<Message> for Said {
    fn from(message: Message) -> Self {
        let options = serde_json::to_value(message.options).ok().and_then(|options| match options {
            Value::Object(options) => Some(options),
            _ => None,
        });
        let mut options = options.unwrap_or_default();
        options.retain(|name, value| !value.is_null() && name != "price");
        Self { input: message.input.into_iter().map(SaidPart::from).collect(), options }
    }
}

impl From<Part> for SaidPart {
    fn from(part: Part) -> Self {
        match part {
            Part::Text(text) => Self::Text { text },
            Part::Image { data, media_type } => {
                Self::Image { data: Some(STANDARD.encode(data)), media_type: Some(media_type), url: None }
            }
            Part::ImageUrl(url) => Self::Image { data: None, media_type: None, url: Some(url) },
        }
    }
}

/// The body of `PATCH /v1/sessions/{id}`: who is there to be asked.
#[derive(Serialize)]
pub(super) struct Attended {
    pub(super) approval_policy: ApprovalPolicy,
    pub(super) unattended: Unattended,
}

/// The body of `POST /v1/approvals/{id}`. Who decides is known by the token.
#[derive(Serialize)]
pub(in crate::gateway) struct Answered {
    decision: Decision,
    message: Option<String>,
    /// `answers` or `content`, as they were filled in.
    #[serde(flatten)]
    filled: Map<String, Value>,
}

impl From<Answer> for Answered {
    fn from(answer: Answer) -> Self {
        let filled = answer.content.and_then(|content| serde_json::from_str(content.text()).ok());
        Self { decision: answer.decision, message: answer.message, filled: filled.unwrap_or_default() }
    }
}
