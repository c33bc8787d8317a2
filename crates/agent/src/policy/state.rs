//! What policies remember.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::session::Slice;

/// What succeeded so far. It is state: a call that was rolled back did not happen.
///
/// ```
/// use selvedge_agent::{PolicyState, Prompt, Section, SequentialDependency, Session, Tool, ToolCall, ToolContext};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let tool = |name: &str| Tool::new(name, "Do it.", async |(): (), _: ToolContext| Ok(()));
/// let section = Section::markdown("Task", "task", "Ship it.").tool(tool("build")).tool(tool("deploy"));
/// let policy = SequentialDependency::new().requires("deploy", ["build"]);
/// let prompt = Prompt::text("demo", "ship").section(section).policy(policy).build()?;
/// let session = Session::new();
/// let tools = prompt.render(&session)?.toolbox(&session);
/// assert!(!tools.call(ToolCall::new("deploy", json!({}))).await.success);
/// assert!(tools.call(ToolCall::new("build", json!({}))).await.success);
/// assert!(session.latest::<PolicyState>().is_some_and(|state| state.invoked_tools.contains("build")));
/// assert!(tools.call(ToolCall::new("deploy", json!({}))).await.success);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyState {
    /// Tools that succeeded.
    pub invoked_tools: BTreeSet<String>,
    /// Tools that succeeded, with what they were about.
    pub invoked_keys: BTreeSet<(String, String)>,
}

impl Slice for PolicyState {
    const NAME: &'static str = "policy_state";
}
