//! What has to be so before a tool may run.

mod path;
mod read_before_write;
mod sequential;
mod state;

use serde_json::Value;

pub use read_before_write::ReadBeforeWrite;
pub use sequential::SequentialDependency;
pub use state::PolicyState;

use crate::tool::ToolContext;

/// A call that a policy is asked about.
///
/// ```
/// use selvedge_agent::{Asked, Decision, Policy, ToolInvoked};
///
/// /// Ten calls are enough.
/// struct Sparing;
///
/// impl Policy for Sparing {
///     fn name(&self) -> &str {
///         "sparing"
///     }
///
///     fn check(&self, asked: &Asked<'_>) -> Decision {
///         let before = asked.context.session().all::<ToolInvoked>().iter().filter(|call| call.name == asked.tool).count();
///         if before < 10 { Decision::Allow } else { Decision::deny(format!("{} was called often enough.", asked.tool)) }
///     }
/// }
/// ```
#[derive(Debug)]
pub struct Asked<'a> {
    /// The tool.
    pub tool: &'a str,
    /// Its arguments: they have been read already, so they fit.
    pub arguments: &'a Value,
    /// The call, with the session as it sees it.
    pub context: &'a ToolContext,
}

/// What a policy says.
///
/// ```
/// use selvedge_agent::Decision;
///
/// let decision = Decision::deny("Not on a Friday.");
/// assert_eq!(decision, Decision::Deny("Not on a Friday.".into()), "which is what the model is told");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// It may run.
    Allow,
    /// It may not, for this reason, which the model is told.
    Deny(String),
}

impl Decision {
    /// It may not run, for this reason.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::Deny(reason.into())
    }
}

/// A rule about the tools of a section, or of a whole prompt.
///
/// ```
/// use selvedge_agent::{Asked, Decision, Policy};
///
/// /// Nothing is deleted on a Friday.
/// struct QuietFridays {
///     is_friday: bool,
/// }
///
/// impl Policy for QuietFridays {
///     fn name(&self) -> &str {
///         "quiet_fridays"
///     }
///
///     fn check(&self, asked: &Asked<'_>) -> Decision {
///         if self.is_friday && asked.tool.starts_with("delete_") {
///             Decision::deny("Nothing is deleted on a Friday.")
///         } else {
///             Decision::Allow
///         }
///     }
/// }
/// ```
pub trait Policy: Send + Sync + 'static {
    /// Its name.
    fn name(&self) -> &str;

    /// Whether a call may run. All policies of a tool have to allow it; the first that does not is the answer.
    fn check(&self, asked: &Asked<'_>) -> Decision;

    /// Learns that a call succeeded. What it writes to the session is kept together with what the call wrote.
    fn succeeded(&self, asked: &Asked<'_>) {
        let _ = asked;
    }
}
