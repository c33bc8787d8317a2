//! Skills: instructions that Codex finds by itself when a task calls for them.

mod front;
mod home;
mod read;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub(crate) use home::{HOME, install, real_codex_home};

use front::Front;

/// A skill: a `SKILL.md` with what belongs to it. Codex tells the model of its name and description, and the model reads the rest when it needs it.
///
/// It comes and goes with its section, as tools do. What is wrong with it is told when a prompt is built with it.
///
/// ```
/// use selvedge_agent::{Prompt, Section, Skill};
///
/// let review = Skill::new("code-review", "How we review code here.", "Look at the tests first.");
/// let prompt = Prompt::text("demo", "review")
///     .section(Section::markdown("Task", "task", "Review the change.").skill(review))
///     .build()?;
/// # Ok::<(), selvedge_agent::PromptError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Skill {
    source: Source,
}

#[derive(Debug, Clone)]
enum Source {
    /// A directory with a `SKILL.md`, or that file alone.
    Path(PathBuf),
    Text {
        name: String,
        description: String,
        instructions: String,
    },
}

impl Skill {
    /// The one in this directory, or in this file alone. It is read when the prompt is built: up to 10 MiB, of which no file may have more than 1.
    /// Links are left out.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { source: Source::Path(path.into()) }
    }

    /// One of these words.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        instructions: impl Into<String>,
    ) -> Self {
        let (name, description, instructions) = (name.into(), description.into(), instructions.into());
        Self { source: Source::Text { name, description, instructions } }
    }

    /// What it is called where something is wrong with it.
    pub(crate) fn label(&self) -> String {
        match &self.source {
            Source::Path(path) => path.display().to_string(),
            Source::Text { name, .. } => name.clone(),
        }
    }

    /// Its files, checked; or what is wrong.
    pub(crate) fn load(&self) -> Result<LoadedSkill, String> {
        let files = match &self.source {
            Source::Path(path) => read::files(path)?,
            Source::Text { name, description, instructions } => {
                let front = Front { name: name.clone(), description: description.clone() };
                vec![SkillFile::text("SKILL.md", front.above(instructions))]
            }
        };
        let main = files.iter().find(|file| file.path == std::path::Path::new("SKILL.md"));
        let main = main.ok_or("it has no SKILL.md")?;
        let text = std::str::from_utf8(&main.bytes).map_err(|_| "its SKILL.md is no text")?;
        let Front { name, description } = Front::of(text)?;
        Ok(LoadedSkill { name, description, hash: hash(&files), files: files.into() })
    }
}

/// A file of a skill.
pub(crate) struct SkillFile {
    /// Within the skill.
    path: PathBuf,
    bytes: Vec<u8>,
    executable: bool,
}

impl SkillFile {
    fn text(path: &str, text: String) -> Self {
        Self { path: path.into(), bytes: text.into_bytes(), executable: false }
    }
}

/// A skill with its files. Cheap to clone.
#[derive(Clone)]
pub(crate) struct LoadedSkill {
    pub(crate) name: String,
    pub(crate) description: String,
    /// Of everything in it.
    pub(crate) hash: String,
    files: Arc<[SkillFile]>,
}

impl fmt::Debug for LoadedSkill {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("LoadedSkill").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A skill that a rendered prompt brings.
///
/// ```
/// use selvedge_agent::{Prompt, Section, Session, Skill};
///
/// let review = Skill::new("code-review", "How we review code here.", "Look at the tests first.");
/// let prompt = Prompt::text("demo", "review").section(Section::markdown("Task", "task", "Review it.").skill(review)).build()?;
/// let skills = prompt.render(&Session::new())?.skills();
/// assert_eq!((skills[0].name.as_str(), skills[0].description.as_str()), ("code-review", "How we review code here."));
/// # Ok::<(), selvedge_agent::PromptError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillSpec {
    /// Its name.
    pub name: String,
    /// What the model reads about it.
    pub description: String,
}

fn hash(files: &[SkillFile]) -> String {
    let mut digest = Sha256::new();
    // Each with its length, so that no two skills are written the same.
    let mut add = |bytes: &[u8]| {
        digest.update((bytes.len() as u64).to_le_bytes());
        digest.update(bytes);
    };
    for file in files {
        add(file.path.to_string_lossy().as_bytes());
        add(&file.bytes);
        add(&[u8::from(file.executable)]);
    }
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
