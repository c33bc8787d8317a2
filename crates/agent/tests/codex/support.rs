//! Prompts, tools and values that many tests use.

use schemars::JsonSchema;
use selvedge_agent::{
    Output, Prompt, PromptExecuted, PromptRendered, Section, Session, Tool, ToolContext, ToolInvoked,
};
use serde::{Deserialize, Serialize};

/// What some prompts want to know.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Verdict {
    pub(crate) verdict: String,
    pub(crate) score: u32,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Lookup {
    pub(crate) id: String,
}

/// A prompt that says this, for plain text.
pub(crate) fn says(text: &str) -> Prompt {
    with_section(Section::markdown("Task", "task", text))
}

/// A prompt of one section.
pub(crate) fn with_section<T: Output>(section: Section) -> Prompt<T> {
    Prompt::<T>::builder("tests", "case").section(section).build().unwrap()
}

/// A tool that looks something up.
pub(crate) fn lookup() -> Tool {
    let handler = async |params: Lookup, _: ToolContext| Ok(format!("about {}", params.id));
    Tool::new("lookup", "Look something up.", handler)
}

/// The tools that were called, with how that ended.
pub(crate) fn invoked(session: &Session) -> Vec<(String, bool)> {
    session.all::<ToolInvoked>().iter().map(|it| (it.name.clone(), it.result.success)).collect()
}

/// How often it was rendered, and evaluated with success.
pub(crate) fn told(session: &Session) -> (usize, usize) {
    (session.all::<PromptRendered>().len(), session.all::<PromptExecuted>().len())
}
