//! What can be said of a session's settings before anybody deeper is asked: with the field that is wrong.

use std::{collections::BTreeMap, path::PathBuf};

use selvedge_session::{ApprovalPolicy, Code, PermissionMode};

use crate::problem::Problem;

/// It exists, is a directory, and is said in full.
pub(super) async fn directory(cwd: &str) -> Result<(), Problem> {
    let path = PathBuf::from(cwd);
    let is_absolute = path.is_absolute();
    // Off the async threads: the directory may lie somewhere slow.
    let is_there = tokio::task::spawn_blocking(move || path.is_dir()).await.unwrap_or(false);
    let wrong = match (is_absolute, is_there) {
        (true, true) => return Ok(()),
        (false, _) => "is not an absolute path",
        (true, false) => "is not a directory that there is",
    };
    Err(Problem::coded(Code::InvalidArgument, format!("{cwd:?} {wrong}")).field("cwd"))
}

/// A policy and a mode say the same thing.
pub(in super::super) fn one_language(
    policy: Option<ApprovalPolicy>,
    mode: Option<PermissionMode>,
) -> Result<(), Problem> {
    if policy.is_none() || mode.is_none() {
        return Ok(());
    }
    let detail = "`approval_policy` and `permission_mode` say the same thing: give one of them";
    Err(Problem::coded(Code::InvalidArgument, detail).field("permission_mode"))
}

/// A program can be started with it.
pub(super) fn environment(env: &BTreeMap<String, String>) -> Result<(), Problem> {
    let wrong = env
        .iter()
        .find(|(name, value)| name.is_empty() || name.contains(['=', '\0']) || value.contains('\0'));
    match wrong {
        None => Ok(()),
        Some((name, _)) => {
            let detail = "a variable has a name without `=`, and neither name nor value has a NUL";
            Err(Problem::coded(Code::InvalidArgument, detail).field(format!("env.{name}")))
        }
    }
}
