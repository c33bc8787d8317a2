//! What an evaluation comes to.

use uuid::Uuid;

use crate::usage::TokenUsage;

/// The answer to a prompt.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Reply<T> {
    /// The answer as the prompt's type; `()` of a prompt for plain text.
    pub output: T,
    /// The answer as it was said.
    pub text: String,
    /// What it used: all turns of the evaluation, also those that were cut for a new rendering or repaired.
    pub usage: TokenUsage,
    /// Codex's thread.
    pub thread_id: String,
    /// The runtime's session, by which `selvedge` finds it in the data directory.
    pub session_id: Uuid,
    /// Whether the thread was there before, and the model remembers what was said in it.
    pub resumed: bool,
    /// How often the prompt was rendered: once, and once more each time the model opened sections.
    pub renderings: usize,
    /// Whether the first answer could not be read, and this is the second.
    pub repaired: bool,
    /// How often the model was sent on because the prompt's [check](crate::PromptBuilder::completion) missed something.
    pub continuations: usize,
    /// What the check said of this answer; nothing, if there is none or the budget was used up before it could be asked.
    pub complete: Option<bool>,
}
