//! Where a rendering is evaluated.

use std::path::Path;

use crate::codex::Codex;
use crate::events::ToolSpec;
use crate::files::Directory;
use crate::prompt::RenderedPrompt;
use crate::skills::LoadedSkill;
use crate::workspace::Workspace;

/// What a thread is made for: whose settings, which tools and skills, and where.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) codex: &'a Codex,
    pub(super) tools: &'a [ToolSpec],
    pub(super) workspace: Option<&'a Workspace>,
    pub(super) skills: &'a [LoadedSkill],
}

impl Place<'_> {
    /// Where Codex works: where it was told to, else in the prompt's workspace, else where the program was.
    pub(super) fn cwd(&self) -> &Path {
        match self.workspace {
            Some(workspace) if !self.codex.options().cwd_is_given => workspace.path(),
            _ => self.codex.cwd(),
        }
    }

    /// By what the workspace is known again.
    pub(super) fn fingerprint(&self) -> Option<&str> {
        self.workspace.map(Workspace::fingerprint)
    }
}

/// Where the tools of a rendering work: in its workspace, else where Codex does.
pub(super) fn directory<'a>(codex: &'a Codex, rendered: &'a RenderedPrompt) -> &'a Directory {
    rendered.workspace().map_or(codex.directory(), Workspace::directory)
}
