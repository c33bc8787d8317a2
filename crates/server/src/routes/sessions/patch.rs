//! What changes in a session.

use std::collections::BTreeMap;

use selvedge_runtime::Patch;
use selvedge_session::{ApprovalPolicy, BusyPolicy, Code, PermissionMode, Unattended};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::create::one_language;
use crate::problem::Problem;

const ANEW: &str =
    "make a new session, or add `\"new_thread\": true`: this one then goes on without what was said before";

/// What changes in a session, from the next turn on. What is not given stays.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PatchSession {
    /// What people call it.
    name: Option<String>,
    /// The model.
    model: Option<String>,
    /// How hard the model thinks.
    effort: Option<String>,
    /// When Codex asks before it acts.
    approval_policy: Option<ApprovalPolicy>,
    /// The same in other words; one of the two.
    permission_mode: Option<PermissionMode>,
    /// What to do with a message that comes while a turn runs.
    busy_policy: Option<BusyPolicy>,
    /// What to do when Codex asks and nobody is there.
    unattended: Option<Unattended>,
    /// All of them: those that are not here are gone.
    labels: Option<BTreeMap<String, String>>,
    /// Instead of Codex's own instructions; with `new_thread` alone, because Codex fixes them when it makes a thread.
    base_instructions: Option<String>,
    /// Beside Codex's own; the same.
    developer_instructions: Option<String>,
    /// That other instructions begin a new thread is wanted: with the next message, and without what was said before. The old
    /// one can be gone on with by a session with its `thread_id`.
    new_thread: Option<bool>,
    #[schema(ignore)]
    tools: Option<IgnoredAny>,
}

impl PatchSession {
    pub(super) fn checked(self) -> Result<Patch, Problem> {
        let Self { name, model, effort, approval_policy, permission_mode, busy_policy, .. } = self;
        if self.tools.is_some() {
            let detail = "`tools` is fixed when Codex makes the thread, and cannot change later";
            return Err(Problem::coded(Code::ToolsFixed, detail).field("tools"));
        }
        let instructions = [
            ("base_instructions", self.base_instructions.is_some()),
            ("developer_instructions", self.developer_instructions.is_some()),
        ];
        if let Some((field, _)) = instructions.into_iter().find(|(_, given)| *given)
            && self.new_thread != Some(true)
        {
            let detail = format!("`{field}` is fixed when Codex makes the thread, and cannot change later");
            return Err(Problem::coded(Code::ToolsFixed, detail).field(field).hint(ANEW));
        }
        one_language(approval_policy, permission_mode)?;
        Ok(Patch {
            name,
            model,
            effort,
            approval_policy,
            permission_mode,
            busy_policy,
            unattended: self.unattended,
            labels: self.labels,
            base_instructions: self.base_instructions,
            developer_instructions: self.developer_instructions,
            ..Patch::default()
        })
    }
}
