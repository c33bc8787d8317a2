//! A change of settings. It is applied by the session's owner to what holds then, so that of two at once none is lost.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::settings::{ApprovalPolicy, BusyPolicy, PermissionMode, Settings, Unattended};

/// What changes in a session, from the next turn on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Patch {
    /// What people call it.
    pub name: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The effort.
    pub effort: Option<String>,
    /// What is asked.
    pub approval_policy: Option<ApprovalPolicy>,
    /// What is asked, in other words.
    pub permission_mode: Option<PermissionMode>,
    /// What to do with a message that comes while a turn runs.
    pub busy_policy: Option<BusyPolicy>,
    /// What to do when Codex asks and nobody is there.
    pub unattended: Option<Unattended>,
    /// Words its users gave it.
    pub labels: Option<BTreeMap<String, String>>,
}

impl Patch {
    pub(crate) fn apply(self, settings: &mut Settings) {
        let Self { name, model, effort, approval_policy, permission_mode, busy_policy, unattended, labels } =
            self;
        settings.name = name.or(settings.name.take());
        settings.model = model.or(settings.model.take());
        settings.effort = effort.or(settings.effort.take());
        if approval_policy.is_some() || permission_mode.is_some() {
            // One replaces the other: they say the same thing in two languages.
            settings.approval_policy = approval_policy;
            settings.permission_mode = permission_mode;
        }
        settings.busy_policy = busy_policy.unwrap_or(settings.busy_policy);
        settings.unattended = unattended.unwrap_or(settings.unattended);
        if let Some(labels) = labels {
            settings.labels = labels;
        }
    }
}
