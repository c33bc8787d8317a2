//! A session to be made, as `run` wants it: in the words of the runtime, and in those of the gateway.

use selvedge_runtime::NewSession;
use selvedge_session::{ApprovalPolicy, Backend, Sandbox, Settings, Unattended};
use serde::Serialize;

/// What a session is made with. Written as JSON, it is what `POST /v1/sessions` takes.
#[derive(Debug, Serialize)]
pub(crate) struct New {
    pub(crate) cwd: String,
    pub(crate) approval_policy: ApprovalPolicy,
    pub(crate) sandbox: Sandbox,
    pub(crate) unattended: Unattended,
    /// Whoever the gateway has, unless somebody was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) backend: Option<Backend>,
}

impl From<New> for NewSession {
    fn from(new: New) -> Self {
        let New { cwd, approval_policy, sandbox, unattended, backend } = new;
        let settings = Settings {
            cwd,
            approval_policy: Some(approval_policy),
            sandbox: Some(sandbox),
            unattended,
            backend,
            ..Settings::default()
        };
        Self { settings, ..Self::default() }
    }
}
