//! What an evaluation comes to.

use uuid::Uuid;

use crate::usage::TokenUsage;

/// The answer to a prompt.
///
/// ```
/// use schemars::JsonSchema;
/// use selvedge_agent::{Prompt, Reply, Section, Session, testing::Rehearsal};
/// use serde::Deserialize;
/// use serde_json::json;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Sum {
///     sum: i64,
/// }
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let codex = Rehearsal::answering(json!({"sum": 4})).codex().build().await?;
/// let prompt = Prompt::<Sum>::builder("demo", "sum").section(Section::markdown("Task", "task", "2 + 2?")).build()?;
/// let reply: Reply<Sum> = codex.evaluate(&prompt, &Session::new()).await?;
/// assert_eq!((reply.output.sum, reply.text.as_str()), (4, r#"{"sum":4}"#));
/// assert_eq!((reply.resumed, reply.renderings, reply.repaired, reply.complete), (false, 1, false, None));
/// println!("{} tokens in thread {}", reply.usage.total_tokens(), reply.thread_id);
/// # codex.close().await;
/// # Ok(())
/// # }
/// ```
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
