//! A file is read before it is written over.

use std::collections::BTreeSet;

use super::path::{named, relative};
use super::{Asked, Decision, Policy, PolicyState};

/// A file that exists has to be read before it is written over. New files may be written, and so may anything where there are no files to look at.
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
