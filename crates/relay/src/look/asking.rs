//! How git is started: where nobody else writes, and without a word of the caller's environment that is meant for git.

use std::{
    env,
    os::unix::ffi::OsStrExt as _,
    path::Path,
    process::{Command, Stdio},
};

/// Said to git in any case. It asks nobody, fetches nothing, keeps nothing locked, and reads no other configuration.
const SAID: [(&str, &str); 9] = [
    ("GIT_ALLOW_PROTOCOL", ""),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_PAGER", "cat"),
    ("GIT_PROTOCOL_FROM_USER", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("LC_ALL", "C"),
];

/// Git, started in a directory of ours: where `PATH` has a relative place, an agent's directory must not be that place.
pub(super) fn git(place: &Path) -> Command {
    let mut command = program(place);
    for (name, _) in env::vars_os() {
        if name.as_bytes().starts_with(b"GIT_") {
            command.env_remove(name);
        }
    }
    command.envs(SAID);
    // A git that does not know the names above looks for its user's configuration here.
    command.env("HOME", place).env_remove("XDG_CONFIG_HOME");
    command
}

/// Git, as the operator's own configuration has it, in no repository.
pub(super) fn operators_git() -> Command {
    let mut command = program(Path::new("/"));
    for name in ["GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT"]
    {
        command.env_remove(name);
    }
    command.env("GIT_DIR", "/dev/null");
    command
}

fn program(place: &Path) -> Command {
    #[expect(clippy::disallowed_methods, reason = "whoever runs it awaits it, and ends it at a time limit")]
    let mut command = Command::new("git");
    command.current_dir(place).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}
