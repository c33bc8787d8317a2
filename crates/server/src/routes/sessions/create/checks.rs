//! What can be said of a session's settings before anybody deeper is asked: with the field that is wrong.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use selvedge_runtime::{Roots, WrongTool};
use selvedge_session::{ApprovalPolicy, Code, PermissionMode, ToolSpec};

use crate::problem::Problem;

/// It exists, is a directory, is said in full, and lies where sessions may work. A bare session needs none.
pub(super) async fn directory(
    roots: &[PathBuf],
    cwd: Option<&str>,
    bare: Option<bool>,
) -> Result<(), Problem> {
    let cwd = match cwd {
        Some(cwd) => cwd,
        None if bare == Some(true) => return Ok(()),
        None => {
            let detail = "missing field `cwd`: only a `bare` session has a directory of its own";
            return Err(Problem::coded(Code::BodyInvalid, detail).field("cwd"));
        }
    };
    let (path, roots) = (PathBuf::from(cwd), roots.to_vec());
    // Off the async threads: the directory may lie somewhere slow.
    let looked = tokio::task::spawn_blocking(move || look(&path, &roots)).await;
    let looked = looked.unwrap_or(Err(Wrong(Code::Internal, "could not be looked at", None)));
    looked.map_err(|Wrong(code, what, hint)| {
        let problem = Problem::coded(code, format!("{cwd:?} {what}")).field("cwd");
        Problem { hint: hint.map(str::to_owned).or(problem.hint), ..problem }
    })
}

/// Why nobody can work there, and what to do if that is more than the code's own hint.
struct Wrong(Code, &'static str, Option<&'static str>);

fn look(path: &Path, roots: &[PathBuf]) -> Result<(), Wrong> {
    let wrong = |what, hint| Err(Wrong(Code::InvalidArgument, what, Some(hint)));
    if !path.is_absolute() {
        return wrong("is not an absolute path", "say where it lies from `/` on");
    }
    // Whoever may not work there learns nothing of what is there.
    if !roots.is_empty() && !Roots::resolved(roots).lead_to(path) {
        return Err(Wrong(Code::OutsideRoots, "is not under an allowed root", None));
    }
    match fs::canonicalize(path).ok() {
        None => wrong("is not there", "create the directory on the gateway's machine, or choose another"),
        Some(found) if !found.is_dir() => wrong("is not a directory", "choose the directory it lies in"),
        Some(_) => Ok(()),
    }
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

/// Codex would take them.
pub(super) fn tools(tools: &[ToolSpec]) -> Result<(), Problem> {
    WrongTool::among(tools).map_or(Ok(()), |WrongTool { index, field, why }| {
        Err(Problem::coded(Code::InvalidArgument, why).field(format!("tools[{index}].{field}")))
    })
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
