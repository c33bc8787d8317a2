//! The one door to the `git` program: it is shown a mirror of the repository, never the repository's configuration, so
//! nothing that an agent wrote is run; no prompts, and a time limit.

use std::{
    io,
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
    sync::Arc,
    time::Duration,
};

use selvedge_relay::look::{Draft, Mirror, NEW_FILES, Operator, Repository};
use tokio::{
    io::{AsyncRead, AsyncReadExt},
    process::Child,
    time::timeout,
};

use super::{GitError, Looks};

/// More than this is nothing to be shown, and nothing to be held in memory.
const MOST_OUTPUT: u64 = 64 << 20;

/// One look at the repository around a directory. What is asked of it sees the same index and branch.
#[derive(Debug, Clone)]
pub(super) struct Git {
    cwd: PathBuf,
    limit: Duration,
    mirror: Arc<Mirror>,
}

impl Git {
    /// A look; nothing where there is no repository. Each question takes no longer than the limit.
    pub(super) async fn find(looks: &Looks, cwd: &Path, limit: Duration) -> Result<Option<Self>, GitError> {
        let operator = match Operator::known() {
            Some(known) => known,
            None => Operator::learn(&settings(Operator::question(), limit).await?),
        };
        let (looks, around) = (looks.clone(), cwd.to_owned());
        let begun = blocking(move || begin(&looks, &around, operator)).await?;
        let mirror = match begun {
            Begun::Nowhere => return Ok(None),
            Begun::Known(mirror) => *mirror,
            Begun::Unknown(draft, question) => {
                let said = settings(question, limit).await?;
                blocking(move || draft.finish(&said, operator)).await?
            }
        };
        Ok(Some(Self { cwd: cwd.to_owned(), limit, mirror: Arc::new(mirror) }))
    }

    /// The same where there has to be one.
    pub(super) async fn at(looks: &Looks, cwd: &Path, limit: Duration) -> Result<Self, GitError> {
        let found = Self::find(looks, cwd, limit).await?;
        found.ok_or_else(|| GitError::Refused(format!("{} is in no git repository", cwd.display())))
    }

    pub(super) fn mirror(&self) -> &Mirror {
        &self.mirror
    }

    /// Runs it; what it wrote.
    pub(super) async fn run(&self, arguments: &[&str]) -> Result<String, GitError> {
        let mut command = self.mirror.git(&self.cwd);
        command.args(arguments);
        self.finish(command).await
    }

    /// Runs it with an index that lies elsewhere.
    pub(super) async fn run_on(&self, index: &Path, arguments: &[&str]) -> Result<String, GitError> {
        let mut command = self.mirror.git(&self.cwd);
        command.args(arguments).env("GIT_INDEX_FILE", index);
        self.finish(command).await
    }

    /// Announces new files in the mirror's index: then a diff shows them.
    pub(super) async fn announce_new_files(&self) -> Result<(), GitError> {
        let Some(top) = self.mirror.repository().top.clone() else { return Ok(()) };
        let mut list = self.mirror.git(&top);
        list.args(NEW_FILES);
        let new_files = succeeded(ended(list, self.limit).await?)?;
        let mirror = Arc::clone(&self.mirror);
        let announce = blocking(move || mirror.announce(&new_files)).await?;
        if let Some(announce) = announce {
            succeeded(ended(announce, self.limit).await?)?;
        }
        Ok(())
    }

    async fn finish(&self, command: Command) -> Result<String, GitError> {
        let out = succeeded(ended(command, self.limit).await?)?;
        Ok(String::from_utf8_lossy(&out).into_owned())
    }
}

/// How far a mirror comes without asking git.
enum Begun {
    Nowhere,
    Known(Box<Mirror>),
    Unknown(Box<Draft>, Command),
}

fn begin(looks: &Looks, cwd: &Path, operator: &Operator) -> io::Result<Begun> {
    let Some(repository) = Repository::around(cwd)? else { return Ok(Begun::Nowhere) };
    let draft = Draft::begin(looks.directory(), repository)?;
    Ok(match draft.question()? {
        None => Begun::Known(Box::new(draft.finish(&[], operator)?)),
        Some(question) => Begun::Unknown(Box::new(draft), question),
    })
}

/// How a program ended, and what it wrote.
struct Ended {
    status: ExitStatus,
    out: Vec<u8>,
    err: Vec<u8>,
}

/// Settings as git reads them. To have none of those is no failure, and of a file that git cannot read none are taken.
async fn settings(question: Command, limit: Duration) -> Result<Vec<u8>, GitError> {
    let ended = ended(question, limit).await?;
    Ok(if ended.status.success() { ended.out } else { Vec::new() })
}

fn succeeded(ended: Ended) -> Result<Vec<u8>, GitError> {
    if ended.out.len() as u64 >= MOST_OUTPUT {
        return Err(GitError::Refused("its answer is too long to be held".to_owned()));
    }
    if ended.status.success() {
        return Ok(ended.out);
    }
    Err(GitError::Refused(String::from_utf8_lossy(&ended.err).trim().to_owned()))
}

async fn ended(command: Command, limit: Duration) -> Result<Ended, GitError> {
    // It is awaited right here, and has no children that outlive it.
    let mut command = tokio::process::Command::from(command);
    let child = command.kill_on_drop(true).spawn()?;
    // Dropping the child at the time limit ends it.
    match timeout(limit, Box::pin(output(child))).await {
        Ok(done) => Ok(done?),
        Err(_elapsed) => Err(GitError::TooSlow(limit)),
    }
}

/// Reads both streams to their end at once, so that neither fills up, and waits for the end.
async fn output(mut child: Child) -> io::Result<Ended> {
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let (out, err) = tokio::join!(whole(out), whole(err));
    let (out, err) = (out?, err?);
    Ok(Ended { status: child.wait().await?, out, err })
}

/// A stream to its end. One that is longer than is kept is cut off, and git ends of that.
async fn whole(stream: Option<impl AsyncRead + Unpin>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        stream.take(MOST_OUTPUT).read_to_end(&mut bytes).await?;
    }
    Ok(bytes)
}

/// A directory may lie on a disk that is slow or gone.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, GitError> {
    let done = tokio::task::spawn_blocking(work).await;
    Ok(done.unwrap_or_else(|panicked| Err(io::Error::other(panicked)))?)
}
