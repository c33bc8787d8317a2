//! What is said to a session, as the gateway reads it.

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use selvedge_runtime::{Answer, Message, Part, Patch};
use selvedge_session::{
    ApprovalPolicy, Budget, BusyPolicy, Json, Options, PermissionMode, Retry, Unattended, data::Decision,
};
use serde::Serialize;
use serde_json::{Map, Value};

/// The body of `POST …/messages`. Who says it is known by the token.
#[derive(Serialize)]
pub(super) struct Said {
    input: Vec<SaidPart>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_schema: Option<Json>,
    deadline_seconds: Option<u64>,
    queue_seconds: Option<u64>,
    retry: Retry,
    model: Option<String>,
    effort: Option<String>,
    budget: Option<Budget>,
    busy_policy: Option<BusyPolicy>,
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
        let Options {
            busy_policy,
            output_schema,
            deadline_seconds,
            queue_seconds,
            retry,
            model,
            effort,
            budget,
            price: _,
        } = message.options;
        let input = message.input.into_iter().map(SaidPart::from).collect();
        Self {
            input,
            output_schema,
            deadline_seconds,
            queue_seconds,
            retry,
            model,
            effort,
            budget,
            busy_policy,
        }
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

/// The body of `PATCH /v1/sessions/{id}`.
#[derive(Serialize)]
pub(super) struct Changed {
    name: Option<String>,
    model: Option<String>,
    effort: Option<String>,
    approval_policy: Option<ApprovalPolicy>,
    permission_mode: Option<PermissionMode>,
    busy_policy: Option<BusyPolicy>,
    unattended: Option<Unattended>,
    labels: Option<BTreeMap<String, String>>,
}

impl From<Patch> for Changed {
    fn from(patch: Patch) -> Self {
        let Patch { name, model, effort, approval_policy, permission_mode, busy_policy, unattended, labels } =
            patch;
        Self { name, model, effort, approval_policy, permission_mode, busy_policy, unattended, labels }
    }
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
