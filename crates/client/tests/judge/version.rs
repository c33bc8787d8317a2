//! Which Codex is judged: the version that the caller names, and where its native binary is.

use std::{env, path::PathBuf, sync::LazyLock};

/// Names the version, `0.120.0`.
const CHOICE: &str = "JUDGE_VERSION";
/// The one our types are made from.
const DEFAULT: &str = "0.166.0";

static VERSION: LazyLock<String> = LazyLock::new(|| env::var(CHOICE).unwrap_or_else(|_| DEFAULT.to_owned()));

/// The version that is judged.
pub(crate) fn version() -> &'static str {
    &VERSION
}

/// The variable that says where its native binary is.
pub(crate) fn variable() -> String {
    format!("SELVEDGE_CODEX_{}", version().replace(['.', '-'], "_"))
}

/// The real Codex. Without it nothing is judged, and that is a failure, not a pass.
pub(crate) fn codex() -> PathBuf {
    let Some(path) = env::var_os(variable()) else {
        panic!(
            "{} is not set: the judge needs the real Codex {}\n  `cargo xtask setup` installs it, and `cargo xtask judge` judges every version",
            variable(),
            version()
        );
    };
    PathBuf::from(path)
}
