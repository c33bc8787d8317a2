//! Runs another program, shows what it runs, and says readably what failed.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use cargo_metadata::Message;

use crate::failure::Failure;
use crate::workspace;

/// A program that is run to its end; nothing outlives the call.
pub(crate) struct Tool {
    command: Command,
    hint: Option<String>,
    on_stderr: bool,
}

impl Tool {
    /// A program by path or by name, run in the root of the tree with an empty stdin.
    #[expect(
        clippy::disallowed_methods,
        reason = "the one door to child processes here; each is awaited below"
    )]
    pub(crate) fn new(program: impl AsRef<OsStr>) -> Self {
        let mut command = Command::new(program);
        command.current_dir(workspace::root()).stdin(Stdio::null());
        Self { command, hint: None, on_stderr: false }
    }

    /// The cargo that runs us, as a person would run it: it tells us about our own package, and a build script that looks at
    /// that would have its crate, and all above it, built once for us and once for people.
    pub(crate) fn cargo() -> Self {
        let names = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        let ours = names.filter(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_"));
        Self::new(workspace::cargo()).without(ours)
    }

    pub(crate) fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.command.args(args);
        self
    }

    pub(crate) fn envs<'a>(mut self, variables: impl IntoIterator<Item = &'a (String, OsString)>) -> Self {
        self.command.envs(variables.into_iter().map(|(name, value)| (name, value)));
        self
    }

    /// Without these variables, even if we have them.
    pub(crate) fn without(mut self, names: impl IntoIterator<Item = String>) -> Self {
        for name in names {
            self.command.env_remove(name);
        }
        self
    }

    pub(crate) fn directory(mut self, directory: &Path) -> Self {
        self.command.current_dir(directory);
        self
    }

    /// With our own stdin: it talks with the person.
    pub(crate) fn interactive(mut self) -> Self {
        self.command.stdin(Stdio::inherit());
        self
    }

    /// What to do when it fails.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// What is shown goes to stderr: our stdout is for something else.
    pub(crate) fn on_stderr(mut self) -> Self {
        self.command.stdout(io::stderr());
        self.on_stderr = true;
        self
    }

    /// Shows the command line and runs it; its output goes where ours goes.
    pub(crate) fn run(mut self) -> Result<(), Failure> {
        self.show();
        let status = self.command.status();
        self.judge(status)
    }

    /// Shows the command line, runs it, and returns its stdout; its stderr goes where ours goes.
    pub(crate) fn run_for_output(mut self) -> Result<Vec<u8>, Failure> {
        self.show();
        self.command.stderr(Stdio::inherit());
        self.output()
    }

    /// Runs it without a word, and returns its stdout; its stderr is shown only if it fails.
    pub(crate) fn output(mut self) -> Result<Vec<u8>, Failure> {
        let ended = self.command.output();
        if let Ok(output) = &ended
            && !output.status.success()
        {
            eprint!("{}", String::from_utf8_lossy(&output.stderr));
        }
        let (status, stdout) = match ended {
            Ok(output) => (Ok(output.status), output.stdout),
            Err(error) => (Err(error), Vec::new()),
        };
        self.judge(status)?;
        Ok(stdout)
    }

    /// Shows the command line, runs it, and returns whether it succeeded and its stdout; its stderr goes where ours goes.
    pub(crate) fn ended(mut self) -> Result<(bool, Vec<u8>), Failure> {
        self.show();
        self.command.stdout(Stdio::piped()).stderr(Stdio::inherit());
        match self.command.output() {
            Ok(output) => Ok((output.status.success(), output.stdout)),
            Err(error) => self.judge(Err(error)).map(|()| (false, Vec::new())),
        }
    }

    fn show(&self) {
        if self.on_stderr {
            return eprintln!("   $ {}", self.line());
        }
        println!("   $ {}", self.line());
        // The program writes to the same stdout: our line has to be there first, also in a pipe. If stdout is
        // gone there is nobody to tell.
        let _ = io::stdout().flush();
    }

    /// The command line as a person would type it, with the program's name instead of its path.
    fn line(&self) -> String {
        let program = Path::new(self.command.get_program());
        let mut line = program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned();
        for argument in self.command.get_args() {
            let _ = write!(line, " {}", argument.to_string_lossy());
        }
        line
    }

    fn judge(self, status: io::Result<ExitStatus>) -> Result<(), Failure> {
        let failure = match status {
            Ok(status) if status.success() => return Ok(()),
            Ok(status) => Failure::new(format!("`{}` failed ({status})", self.line())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Failure::new(format!("`{}` was not found", self.command.get_program().to_string_lossy()))
            }
            Err(error) => Failure::new(format!("`{}` could not be started: {error}", self.line())),
        };
        Err(match self.hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        })
    }
}

/// Builds with cargo and returns where the executable `name` is: cargo says it, so every target directory works.
pub(crate) fn build_executable(selected: &[&str], name: &str) -> Result<PathBuf, Failure> {
    let messages = Tool::cargo()
        .args(["build", "--message-format=json-render-diagnostics"])
        .args(selected)
        .run_for_output()?;
    Message::parse_stream(messages.as_slice())
        .filter_map(Result::ok)
        .find_map(|message| match message {
            // With all targets there is also the binary's own test harness, of the same name.
            Message::CompilerArtifact(built) if built.target.name == name && !built.profile.test => {
                built.executable.map(PathBuf::from)
            }
            _ => None,
        })
        .ok_or_else(|| Failure::new(format!("the build made no executable `{name}`")))
}

/// Builds all targets at once, as the tests will want them, and returns where `selvedge` is: a build of that alone would choose
/// other features and compile the same libraries again, and `cargo test --test` does not build the examples that tests start.
pub(crate) fn build_everything() -> Result<PathBuf, Failure> {
    build_executable(&["--workspace", "--all-targets"], "selvedge")
}

/// Where a shell would find this program.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|directory| directory.join(name)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::Tool;

    #[test]
    fn a_missing_program_is_named_with_its_hint() {
        let failure = Tool::new("no-such-program-anywhere").hint("install it").run().unwrap_err().to_string();
        assert_eq!(failure, "`no-such-program-anywhere` was not found\n  hint: install it");
    }

    #[test]
    #[cfg(unix)]
    fn a_failing_program_is_shown_with_its_arguments() {
        let failure = Tool::new("false").args(["of", "course"]).run().unwrap_err().to_string();
        assert!(failure.starts_with("`false of course` failed ("), "{failure}");
    }
}
