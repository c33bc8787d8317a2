//! Files that have to be there when the work is done.

use super::{Completion, CompletionCheck, Tentative};

/// How many missing files the model is told by name.
const MOST_NAMED: usize = 3;

/// The work is done when these files are there.
///
/// ```
/// use selvedge_agent::{FilesWritten, Prompt, Section};
///
/// let prompt = Prompt::text("demo", "report")
///     .section(Section::markdown("Task", "task", "Write what you find to report.md."))
///     .completion(FilesWritten::new(["report.md"]))
///     .build()?;
/// # Ok::<(), selvedge_agent::PromptError>(())
/// ```
#[derive(Debug, Clone)]
pub struct FilesWritten {
    files: Vec<String>,
}

impl FilesWritten {
    /// All of these, relative to where the model works. What lies outside is never there.
    pub fn new<I>(files: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        Self { files: files.into_iter().map(Into::into).collect() }
    }
}

impl CompletionCheck for FilesWritten {
    async fn check(&self, work: Tentative) -> Completion {
        let missing: Vec<&str> =
            self.files.iter().map(String::as_str).filter(|file| !work.files().exists(file)).collect();
        if missing.is_empty() {
            return Completion::Complete;
        }
        let named = missing[..missing.len().min(MOST_NAMED)].join(", ");
        let more = if missing.len() > MOST_NAMED { "..." } else { "" };
        let count = missing.len();
        Completion::incomplete(format!(
            "<blocker>\n{count} required output file(s) not found: {named}{more}\n</blocker>"
        ))
    }
}
