//! A file is read before it is written over.

use std::collections::BTreeSet;

use super::path::{named, relative};
use super::{Asked, Decision, Policy, PolicyState};

/// A file that exists has to be read before it is written over. New files may be written, and so may anything where there are no files to look at.
///
/// ```
/// use schemars::JsonSchema;
/// use selvedge_agent::{Content, Directory, Prompt, ReadBeforeWrite, Section, Session, Tool, ToolCall, ToolContext};
/// use serde::Deserialize;
/// use serde_json::json;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Save {
///     path: String,
///     text: String,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let temporary = tempfile::tempdir()?;
/// # let project = temporary.path();
/// std::fs::write(project.join("notes.md"), "do not lose this")?;
/// let save = Tool::new("save", "Write a file.", async |params: Save, context: ToolContext| {
///     context.files()?.write(&params.path, params.text)?;
///     Ok(())
/// });
/// let prompt = Prompt::text("demo", "notes")
///     .section(Section::markdown("Task", "task", "Take notes.").tool(save))
///     .policy(ReadBeforeWrite::new(["read"], ["save"]))
///     .build()?;
/// let session = Session::new();
/// let tools = prompt.render(&session)?.toolbox(&session).files(&Directory::open(project)?);
/// let answer = tools.call(ToolCall::new("save", json!({"path": "notes.md", "text": "new"}))).await;
/// assert_eq!(answer.content, [Content::Text { text: "File 'notes.md' must be read before overwriting.".into() }]);
/// assert!(tools.call(ToolCall::new("save", json!({"path": "other.md", "text": "new"}))).await.success);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct ReadBeforeWrite {
    read_tools: BTreeSet<String>,
    write_tools: BTreeSet<String>,
    mount_point: Option<String>,
}

impl Default for ReadBeforeWrite {
    fn default() -> Self {
        Self::new(["read_file"], ["write_file", "edit_file"])
    }
}

impl ReadBeforeWrite {
    /// With these tools; the default is `read_file`, and `write_file` and `edit_file`.
    pub fn new<R, W>(read_tools: R, write_tools: W) -> Self
    where
        R: IntoIterator,
        R::Item: Into<String>,
        W: IntoIterator,
        W::Item: Into<String>,
    {
        Self {
            read_tools: read_tools.into_iter().map(Into::into).collect(),
            write_tools: write_tools.into_iter().map(Into::into).collect(),
            mount_point: None,
        }
    }

    /// What the model's paths begin with, and the files' own do not.
    ///
    /// ```
    /// use selvedge_agent::ReadBeforeWrite;
    ///
    /// // The model says `/workspace/notes.md`, and the file is `notes.md`.
    /// let policy = ReadBeforeWrite::default().mount_point("/workspace");
    /// ```
    #[must_use]
    pub fn mount_point(mut self, mount_point: impl Into<String>) -> Self {
        self.mount_point = Some(mount_point.into());
        self
    }

    fn path<'a>(&self, asked: &Asked<'a>) -> Option<(&'a str, String)> {
        named(asked.arguments).map(|given| (given, relative(given, self.mount_point.as_deref())))
    }
}

impl Policy for ReadBeforeWrite {
    fn name(&self) -> &'static str {
        "read_before_write"
    }

    fn check(&self, asked: &Asked<'_>) -> Decision {
        if !self.write_tools.contains(asked.tool) {
            return Decision::Allow;
        }
        let (Some((given, path)), Ok(files)) = (self.path(asked), asked.context.files()) else {
            return Decision::Allow;
        };
        let state = asked.context.session().latest::<PolicyState>().unwrap_or_default();
        let was_read =
            state.invoked_keys.iter().any(|(tool, key)| self.read_tools.contains(tool) && *key == path);
        if was_read || !files.exists(&path) {
            Decision::Allow
        } else {
            Decision::deny(format!("File '{given}' must be read before overwriting."))
        }
    }

    fn succeeded(&self, asked: &Asked<'_>) {
        if !self.read_tools.contains(asked.tool) {
            return;
        }
        let Some((_, path)) = self.path(asked) else { return };
        let read = (asked.tool.to_owned(), path);
        asked.context.session().update(move |state: &mut PolicyState| {
            state.invoked_keys.insert(read.clone());
        });
    }
}
