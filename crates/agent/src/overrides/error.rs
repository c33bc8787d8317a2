//! What can be wrong with overrides.

use std::io;
use std::path::PathBuf;

use crate::prompt::PromptError;

/// What is wrong with an override, or with the file that it is kept in.
///
/// ```
/// use selvedge_agent::{OverrideError, OverrideStore, Prompt, Section};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let directory = tempfile::tempdir()?;
/// let prompt = Prompt::text("demo", "greet").section(Section::markdown("Tone", "tone", "Be brief.")).build()?;
/// let words = prompt.descriptor().section("tone").ok_or("no such section")?.replaced_by("Be kind.");
///
/// // Meanwhile the program says something else there.
/// let changed = Prompt::text("demo", "greet").section(Section::markdown("Tone", "tone", "Be loud.")).build()?;
/// let error = OverrideStore::new(directory.path()).store(&changed.descriptor(), "latest", words).unwrap_err();
/// assert!(matches!(error, OverrideError::Stale { what, .. } if what == "section tone"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OverrideError {
    /// A tag is none.
    #[error("the tag {why}")]
    Tag {
        /// Why.
        why: String,
    },
    /// A file cannot be read or written.
    #[error("{}: {error}", .file.display())]
    File {
        /// Which.
        file: PathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// A file is not an override file.
    #[error("{}: {why}\nhint: mend it, or delete it and seed it anew", .file.display())]
    Unreadable {
        /// Which.
        file: PathBuf,
        /// Why.
        why: String,
    },
    /// There is a file already, and nothing in it fits the prompt as it is.
    #[error("{}: everything in it was written for other texts\nhint: look what is still wanted of it, then delete it", .file.display())]
    AllStale {
        /// Which.
        file: PathBuf,
    },
    /// It is for another prompt.
    #[error("the override is for the prompt {found}, not for {wanted}")]
    OtherPrompt {
        /// The one that it is for.
        found: String,
        /// The one that it was given for.
        wanted: String,
    },
    /// The prompt has no such section or tool, or it is fixed.
    #[error("{what} cannot be overridden: the prompt has none of that name, or it is fixed")]
    Unknown {
        /// Which.
        what: String,
    },
    /// It was written for another text.
    #[error(
        "{what} is not what the override was written for: its hash is {found}, and {expected} was expected\nhint: compare the two, and take the hash from the prompt's descriptor"
    )]
    Stale {
        /// Which.
        what: String,
        /// The hash that the override names.
        expected: String,
        /// The hash of what is there.
        found: String,
    },
    /// Its words do not fit the prompt.
    #[error(transparent)]
    Words(#[from] PromptError),
}
