//! A runtime on a directory of its own, with the simulated app-server behind it.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use selvedge_runtime::{Config, Message, MessageState, NewSession, Runtime, SessionHandle};
use serde_json::Value;
use tempfile::TempDir;
use tokio::task::JoinSet;

use crate::{Failure, Load};

/// Sessions that are made or spoken to at once.
const AT_ONCE: usize = 32;

/// A runtime and its directory, which goes with it.
pub(crate) struct Stage {
    pub(crate) runtime: Runtime,
    directory: TempDir,
}

impl Stage {
    /// Opens one that plays what `words` says to any message but "hello".
    pub(crate) async fn open(
        load: &Load,
        words: &str,
        change: impl FnOnce(&mut Config),
    ) -> Result<Self, Failure> {
        let directory = tempfile::tempdir()?;
        let mut config = prepare(directory.path(), load, words)?;
        change(&mut config);
        Ok(Self { runtime: Box::pin(Runtime::open(config)).await?, directory })
    }

    pub(crate) fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// Makes sessions, each with a thread at an app-server and a first message behind it.
    pub(crate) async fn sessions(&self, count: usize) -> Result<Vec<SessionHandle>, Failure> {
        let mut sessions = Vec::with_capacity(count);
        for _ in 0..count {
            let new = NewSession::in_directory(self.directory.path().to_string_lossy());
            sessions.push(self.runtime.create(new).await?);
        }
        each(&sessions, |session| async move {
            let sent = session.send(Message::text("hello")).await?;
            let end = session.finished(sent.message_id).await?;
            if end.state != MessageState::Completed {
                return Err(format!("a session did not begin: {end:?}").into());
            }
            Ok(())
        })
        .await?;
        Ok(sessions)
    }

    pub(crate) async fn close(self) {
        self.runtime.shut_down().await;
    }
}

/// The configuration of a runtime in this directory; the scenario is written there.
pub(crate) fn prepare(directory: &Path, load: &Load, words: &str) -> io::Result<Config> {
    let scenario = directory.join("scenario.toml");
    let text = format!(
        "name = \"strain\"\n\
         [[rule]]\ncontains = \"hello\"\nstep = [{{ do = [{{ say = {{ text = \"hello\" }} }}] }}]\n\
         [[rule]]\nstep = [{{ do = [{words}] }}]\n"
    );
    fs::write(&scenario, text)?;
    let home = directory.join("home");
    fs::create_dir_all(&home)?;
    let mut config = Config::new(directory.join("data"));
    config.codex = Some("rehearsal".into());
    config.codex_home = Some(home);
    config.rehearsal.program = Some(load.selvedge.clone());
    config.rehearsal.scenario = Some(scenario);
    config.keep_warm = false;
    config.idle_seconds = 3_600;
    // What is waited between a death and the next start is a rule, not a cost.
    config.restarts.first_delay_seconds = 0.0;
    config.restarts.max = 1_000;
    Ok(config)
}

/// Does something with every session, some of them at once.
pub(crate) async fn each<F>(
    sessions: &[SessionHandle],
    act: impl Fn(SessionHandle) -> F,
) -> Result<(), Failure>
where
    F: Future<Output = Result<(), Failure>> + Send + 'static,
{
    let mut acting = JoinSet::new();
    for session in sessions {
        if acting.len() >= AT_ONCE
            && let Some(done) = acting.join_next().await
        {
            done??;
        }
        acting.spawn(act(session.clone()));
    }
    while let Some(done) = acting.join_next().await {
        done??;
    }
    Ok(())
}

/// This program once more, in another mode; it is killed, or waited for, by whoever asked.
pub(crate) fn again(mode: &str, directory: &Path, load: &Load) -> Result<Child, Failure> {
    #[expect(clippy::disallowed_methods, reason = "a runtime to be killed; awaited by whoever started it")]
    let mut command = Command::new(env::current_exe()?);
    command.args([mode, &load.sessions.to_string(), &load.amount.to_string(), "--"]);
    command.arg(&load.selvedge).arg(directory);
    Ok(command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?)
}

/// The directory that such a program was given.
pub(crate) fn given(rest: &[String]) -> Result<PathBuf, Failure> {
    Ok(rest.first().map(PathBuf::from).ok_or("which directory?")?)
}

/// What such a program reported.
pub(crate) fn report(child: Child) -> Result<Value, Failure> {
    Ok(serde_json::from_slice(&child.wait_with_output()?.stdout)?)
}

/// Resident memory of this process.
pub(crate) fn resident_kib() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok()).unwrap_or(f64::NAN)
}
