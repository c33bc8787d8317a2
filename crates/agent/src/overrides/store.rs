//! Overrides as files: one for each prompt and tag.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::{fmt, fs};

use super::file;
use super::{ExampleOverride, Override, OverrideError, PromptOverride};
use crate::names;
use crate::output::Output;
use crate::prompt::{Prompt, PromptDescriptor};

/// A directory of overrides: `NAMESPACE/KEY/TAG.json`, for people to edit and for programs to write. A clone is the same one.
///
/// Reading passes over what was written for another text, so that a prompt that was changed since is rendered as it is. Writing refuses it.
///
/// ```
/// use selvedge_agent::{OverrideStore, Prompt, Section, Session};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let directory = tempfile::tempdir()?;
/// let prompt = Prompt::text("demo", "greet").section(Section::markdown("Task", "task", "Greet them.")).build()?;
/// let store = OverrideStore::new(directory.path());
/// let kinder = prompt.descriptor().section("task").ok_or("no such section")?.replaced_by("Greet them kindly.");
/// store.store(&prompt.descriptor(), "latest", kinder)?;
///
/// let prompt = store.apply(prompt, "latest")?;
/// assert_eq!(prompt.render(&Session::new())?.text(), "## 1. Task (task)\n\nGreet them kindly.");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct OverrideStore {
    directory: PathBuf,
    /// Whoever reads and writes a file has it for itself meanwhile.
    turn: Arc<Mutex<()>>,
}

impl fmt::Debug for OverrideStore {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("OverrideStore").field("directory", &self.directory).finish_non_exhaustive()
    }
}

impl OverrideStore {
    /// In this directory, which is made when something is written.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into(), turn: Arc::default() }
    }

    /// What there is for a prompt as it is; nothing, if there is no file or everything in it is stale.
    ///
    /// # Errors
    /// If the file cannot be read, or is another prompt's.
    ///
    /// ```
    /// use selvedge_agent::{OverrideStore, Prompt, Section};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let directory = tempfile::tempdir()?;
    /// let prompt = Prompt::text("demo", "greet").section(Section::markdown("Task", "task", "Greet them.")).build()?;
    /// let (store, descriptor) = (OverrideStore::new(directory.path()), prompt.descriptor());
    /// assert_eq!(store.resolve(&descriptor, "latest")?, None);
    /// let mut words = store.seed(&prompt, "latest")?;
    /// words.sections[0].body = "Greet them kindly.".into();
    /// store.upsert(&descriptor, &words)?;
    /// assert_eq!(store.resolve(&descriptor, "latest")?, Some(words));
    /// store.delete(&descriptor, "latest")?;
    /// assert_eq!(store.resolve(&descriptor, "latest")?, None);
    /// # Ok(())
    /// # }
    /// ```
    pub fn resolve(
        &self,
        descriptor: &PromptDescriptor,
        tag: &str,
    ) -> Result<Option<PromptOverride>, OverrideError> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        self.find(descriptor, &tag_of(tag)?)
    }

    /// A prompt in the words that there are for it; as it is, if there are none.
    ///
    /// # Errors
    /// If the file cannot be read, or its words do not fit the prompt.
    pub fn apply<T: Output>(&self, prompt: Prompt<T>, tag: &str) -> Result<Prompt<T>, OverrideError> {
        match self.resolve(&prompt.descriptor(), tag)? {
            Some(given) => Ok(prompt.overridden(&given)?),
            None => Ok(prompt),
        }
    }

    /// Writes all of them in the place of what there was.
    ///
    /// # Errors
    /// If one is for another prompt, for something that it does not have, or for another text than it has; or if the file cannot be written.
    pub fn upsert(&self, descriptor: &PromptDescriptor, given: &PromptOverride) -> Result<(), OverrideError> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        self.put(descriptor, given)
    }

    /// Writes one beside those that there are. What is stale among them goes.
    ///
    /// # Errors
    /// As [`upsert`](Self::upsert), or if the file that is there cannot be read.
    pub fn store(
        &self,
        descriptor: &PromptDescriptor,
        tag: &str,
        replacement: impl Into<Override>,
    ) -> Result<PromptOverride, OverrideError> {
        let tag = tag_of(tag)?;
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.find(descriptor, &tag)?.unwrap_or_else(|| PromptOverride::new(descriptor, tag));
        let after = before.with(replacement);
        self.put(descriptor, &after)?;
        Ok(after)
    }

    /// Writes a prompt's own words, to be edited; if there is a file, that is what it gives.
    ///
    /// # Errors
    /// If the file that is there cannot be read or is all stale, or none can be written.
    pub fn seed<T: Output>(&self, prompt: &Prompt<T>, tag: &str) -> Result<PromptOverride, OverrideError> {
        let (descriptor, tag) = (prompt.descriptor(), tag_of(tag)?);
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let file = self.file(&descriptor, &tag);
        if file.exists() {
            return self.find(&descriptor, &tag)?.ok_or(OverrideError::AllStale { file });
        }
        let own = prompt.own_words(&descriptor, &tag);
        self.put(&descriptor, &own)?;
        Ok(own)
    }

    /// Removes them. That there are none is no error.
    ///
    /// # Errors
    /// If the file cannot be removed.
    pub fn delete(&self, descriptor: &PromptDescriptor, tag: &str) -> Result<(), OverrideError> {
        let file = self.file(descriptor, &tag_of(tag)?);
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        match fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(OverrideError::File { file, error }),
            _ => Ok(()),
        }
    }

    fn file(&self, descriptor: &PromptDescriptor, tag: &str) -> PathBuf {
        self.directory.join(&descriptor.ns).join(&descriptor.key).join(format!("{tag}.json"))
    }

    fn find(
        &self,
        descriptor: &PromptDescriptor,
        tag: &str,
    ) -> Result<Option<PromptOverride>, OverrideError> {
        let path = self.file(descriptor, tag);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(OverrideError::File { file: path, error }),
            Ok(text) => text,
        };
        let found = file::read(&text).map_err(|why| OverrideError::Unreadable { file: path, why })?;
        is_for(&found, descriptor)?;
        if found.tag != tag {
            let why = format!("it is of the tag {:?}, and lies where {tag:?} should", found.tag);
            return Err(OverrideError::Unreadable { file: self.file(descriptor, tag), why });
        }
        Ok(Some(found.fitting(descriptor)).filter(|it| !it.is_empty()))
    }

    fn put(&self, descriptor: &PromptDescriptor, given: &PromptOverride) -> Result<(), OverrideError> {
        is_for(given, descriptor)?;
        has_all(given, descriptor)?;
        let given = PromptOverride { tag: tag_of(&given.tag)?, ..given.clone() };
        let file = self.file(descriptor, &given.tag);
        write(&file, &given).map_err(|error| OverrideError::File { file, error })
    }
}

/// Whole or not at all: a reader sees the file before or after.
fn write(path: &Path, given: &PromptOverride) -> io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(directory)?;
    let mut new = tempfile::NamedTempFile::new_in(directory)?;
    new.write_all(file::written(given)?.as_bytes())?;
    new.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn tag_of(tag: &str) -> Result<String, OverrideError> {
    names::key(tag).map_err(|why| OverrideError::Tag { why })
}

fn is_for(given: &PromptOverride, descriptor: &PromptDescriptor) -> Result<(), OverrideError> {
    let (found, wanted) =
        (format!("{}:{}", given.ns, given.key), format!("{}:{}", descriptor.ns, descriptor.key));
    if found == wanted { Ok(()) } else { Err(OverrideError::OtherPrompt { found, wanted }) }
}

/// Whether everything is there that it replaces, as it was when that was written.
fn has_all(given: &PromptOverride, descriptor: &PromptDescriptor) -> Result<(), OverrideError> {
    for it in &given.sections {
        let what = format!("section {}", it.path.join("."));
        let found = descriptor.sections.iter().find(|section| section.keys == it.path);
        is_same(what, &it.expected_hash, found.map(|section| &section.content_hash))?;
    }
    for it in &given.tools {
        let what = format!("tool {}", it.name);
        let found = descriptor.tools.iter().find(|tool| tool.name == it.name);
        is_same(what, &it.expected_contract_hash, found.map(|tool| &tool.contract_hash))?;
        let examples = found.map_or(&[][..], |tool| &tool.example_hashes);
        for (index, expected) in it.examples.iter().filter_map(ExampleOverride::about) {
            is_same(format!("example {index} of tool {}", it.name), expected, examples.get(index))?;
        }
    }
    Ok(())
}

fn is_same(what: String, expected: &str, found: Option<&String>) -> Result<(), OverrideError> {
    match found {
        None => Err(OverrideError::Unknown { what }),
        Some(found) if found == expected => Ok(()),
        Some(found) => {
            Err(OverrideError::Stale { what, expected: expected.to_owned(), found: found.clone() })
        }
    }
}
