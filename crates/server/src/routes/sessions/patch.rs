//! What changes in a session.

use std::collections::BTreeMap;

use selvedge_runtime::Patch;
use selvedge_session::{ApprovalPolicy, BusyPolicy, Code, PermissionMode, Unattended};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::create::one_language;
use crate::problem::Problem;

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
    #[schema(ignore)]
    tools: Option<IgnoredAny>,
    #[schema(ignore)]
    base_instructions: Option<IgnoredAny>,
    #[schema(ignore)]
    developer_instructions: Option<IgnoredAny>,
}

impl PatchSession {
    pub(super) fn checked(self) -> Result<Patch, Problem> {
        let Self { name, model, effort, approval_policy, permission_mode, busy_policy, .. } = self;
        let fixed = [
            ("tools", self.tools),
            ("base_instructions", self.base_instructions),
            ("developer_instructions", self.developer_instructions),
        ];
        if let Some((field, _)) = fixed.into_iter().find(|(_, given)| given.is_some()) {
            let detail = format!("`{field}` is fixed when Codex makes the thread, and cannot change later");
            return Err(Problem::coded(Code::ToolsFixed, detail).field(field));
        }
        one_language(approval_policy, permission_mode)?;
        let (unattended, labels) = (self.unattended, self.labels);
        Ok(Patch { name, model, effort, approval_policy, permission_mode, busy_policy, unattended, labels })
    }
}
