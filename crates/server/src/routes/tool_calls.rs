//! Calls of a session's own tools, run by its caller in any language.

use axum::extract::State;
use selvedge_runtime::PendingToolCall;
use selvedge_session::{Code, Json, ToolCallId};
use serde::{Deserialize, Serialize};

use super::pending::Pending;
use crate::{
    answer::Answer,
    by_name::ByName,
    gateway::Gateway,
    idempotent::Once,
    in_path::InPath,
    openapi::Problems,
    problem::Problem,
    routed::{Routes, routes},
    strict::{Asked, Strict, lacks, only},
};

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(list)).routes(routes!(answer))
}

/// Every call that waits for its caller.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct ToolCalls {
    /// Oldest first.
    items: Vec<PendingToolCall>,
}

/// Calls of sessions' own tools that wait to be answered.
#[utoipa::path(
    get, operation_id = "list_tool_calls", path = "/v1/tool-calls", tag = "tools", params(Pending),
    responses(
        (status = 200, body = ToolCalls, description = "All that wait.", links(
            ("answer" = (operation_id = "answer_tool_call", parameters(("id" = "$response.body#/items/0/tool_call_id")))),
        )),
        Problems
    )
)]
async fn list(
    State(gateway): State<Gateway>,
    Asked(_): Asked<Pending>,
) -> Result<Answer<ToolCalls>, Problem> {
    Ok(Answer::ok(ToolCalls { items: gateway.runtime().tool_calls().await? }))
}

/// What a call came to.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
struct AnswerToolCall {
    /// Whether it worked.
    success: bool,
    /// What the model is told.
    #[schema(value_type = Vec<Content>)]
    content: Vec<ByName<ContentFields>>,
}

/// A part of what a tool gives.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Content {
    /// Words.
    Text {
        /// The words.
        text: String,
    },
    /// A picture.
    Image {
        /// A `data:` address; of any other the model is told the address.
        url: String,
    },
}

/// Whatever kind it is: what is wrong within a kind would be told without its place.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ContentFields {
    #[serde(rename = "type")]
    kind: ContentKind,
    text: Option<String>,
    url: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ContentKind {
    Text,
    Image,
}

impl ContentFields {
    fn read(self, place: &str) -> Result<Content, Problem> {
        let Self { kind, text, url } = self;
        match kind {
            ContentKind::Text => {
                only("a text", place, &[("url", url.is_some())])?;
                text.map(|text| Content::Text { text }).ok_or_else(|| lacks("text", place))
            }
            ContentKind::Image => {
                only("an image", place, &[("text", text.is_some())])?;
                url.map(|url| Content::Image { url }).ok_or_else(|| lacks("url", place))
            }
        }
    }
}

/// A call that was answered.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct ToolCallAnswered {
    /// Which.
    tool_call_id: ToolCallId,
    /// Whether it worked.
    success: bool,
}

/// Answers a call of one of a session's own tools.
///
/// A call is answered once; past its time limit, or when its turn has ended, it has failed.
#[utoipa::path(
    post, operation_id = "answer_tool_call", path = "/v1/tool-calls/{id}", tag = "tools", params(("id" = ToolCallId, Path)),
    request_body = AnswerToolCall,
    responses((status = 200, body = ToolCallAnswered, description = "Codex has it."), Problems)
)]
async fn answer(
    State(gateway): State<Gateway>,
    InPath(id): InPath<ToolCallId>,
    Once(key): Once,
    Strict(AnswerToolCall { success, content }): Strict<AnswerToolCall>,
) -> Result<Answer<ToolCallAnswered>, Problem> {
    let read = |(n, ByName(part)): (usize, ByName<ContentFields>)| part.read(&format!("content[{n}]"));
    let content: Vec<_> = content.into_iter().enumerate().map(read).collect::<Result<_, _>>()?;
    let content = serde_json::to_value(content);
    let content = content.map_err(|error| Problem::coded(Code::BodyInvalid, error.to_string()))?;
    let session = gateway.runtime().called_in(id).await?.keyed(key);
    session.answer_tool(id, success, Json::from(content)).await?;
    Ok(Answer::ok(ToolCallAnswered { tool_call_id: id, success }))
}
