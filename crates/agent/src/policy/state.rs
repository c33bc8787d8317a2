//! What policies remember.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::session::Slice;

/// What succeeded so far. It is state: a call that was rolled back did not happen.
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
