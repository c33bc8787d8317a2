//! A toolbox to call, and a tool that ends as it is told.

use std::io;

use schemars::JsonSchema;
use selvedge_agent::{
    Content, Prompt, Section, Session, Tool, ToolAnswer, ToolContext, ToolError, ToolFailure, ToolInvoked,
    Toolbox,
};
use serde::Deserialize;

use crate::sessions::plan;

/// The tools of a prompt with one section.
pub(crate) fn toolbox(session: &Session, tools: impl IntoIterator<Item = Tool>) -> Toolbox {
    let section = tools.into_iter().fold(Section::markdown("T", "t", "x"), Section::tool);
    Prompt::text("demo", "tools").section(section).build().unwrap().render(session).unwrap().toolbox(session)
}

/// The one text of an answer.
pub(crate) fn text(answer: &ToolAnswer) -> &str {
    let [Content::Text { text }] = answer.content.as_slice() else { panic!("{answer:?}") };
    text
}

/// Of a call that failed, and was told so: what the model reads, and why.
pub(crate) fn failed(answer: &ToolAnswer, session: &Session) -> (String, ToolFailure) {
    let told: ToolInvoked = session.latest().unwrap();
    assert!(!answer.success && !told.result.success);
    assert_eq!(told.rendered_output, text(answer));
    (text(answer).to_owned(), told.result.failure.unwrap())
}

/// Writes to the session, then ends as it is told.
#[derive(Deserialize, JsonSchema)]
struct Act {
    how: String,
}

pub(crate) fn act() -> Tool {
    Tool::new("act", "Write, then end as told.", async |params: Act, context: ToolContext| {
        context.session().append(plan(&params.how, 1));
        match params.how.as_str() {
            "ok" => Ok("done".to_owned()),
            "error" => Err(ToolError::new("it did not work; try again")),
            "io" => Err(io::Error::other("disk on fire"))?,
            "panic" => panic!("a handler's mistake"),
            "wait" => std::future::pending().await,
            other => Err(ToolError::new(other)),
        }
    })
}
