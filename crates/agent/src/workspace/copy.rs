//! The copies of a mount: files that fit, within its budget, past no link that leads out.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{FileType, Stat};

use super::bytes::copied;
use super::entry::{At, Named};
use super::source::{Source, SourceKind};
use super::{HostMount, LeftOut, MountKind, MountPreview, WhyLeftOut, WorkspaceError};
use crate::files::{Beneath, FileId, Obstacle, id};

/// One mount on its way into a workspace.
pub(super) struct Copying<'a> {
    mount: &'a HostMount,
    workspace: &'a Beneath,
    /// Set when nobody waits for it any more.
    stop: &'a AtomicBool,
    /// The workspace itself, which is not copied into itself.
    own: [FileId; 2],
    source: PathBuf,
    /// The same, open; of a directory only.
    top: Option<Beneath>,
    /// Where it goes, for people.
    shown: String,
    files: Vec<String>,
    bytes: u64,
    left_out: Vec<LeftOut>,
    /// Links that were followed.
    followed: HashSet<FileId>,
}

impl<'a> Copying<'a> {
    pub(super) fn new(
        mount: &'a HostMount,
        workspace: &'a Beneath,
        stop: &'a AtomicBool,
    ) -> Result<Self, WorkspaceError> {
        let unseen = |obstacle| WorkspaceError::copy(".", obstacle);
        // And what it lies in, which is as new.
        let own = [workspace.own_stat().map_err(unseen)?, workspace.stat("..").map_err(unseen)?];
        Ok(Self {
            mount,
            workspace,
            stop,
            own: [id(&own[0]), id(&own[1])],
            source: PathBuf::new(),
            top: None,
            shown: String::new(),
            files: Vec::new(),
            bytes: 0,
            left_out: Vec::new(),
            followed: HashSet::new(),
        })
    }

    /// Copies everything of a source that fits.
    pub(super) fn run(mut self, source: Source) -> Result<(MountPreview, Vec<LeftOut>), WorkspaceError> {
        let to = source.target(self.mount)?;
        self.source.clone_from(&source.path);
        self.shown = if to.is_empty() { ".".to_owned() } else { joined(&to) };
        let kind = match source.kind {
            SourceKind::File(from, name) => {
                let Some((target, parents)) = to.split_last() else {
                    return Err(WorkspaceError::Taken { path: ".".to_owned() });
                };
                let into = self.make(parents)?;
                let shown = name.to_string_lossy().into_owned();
                let opened =
                    from.file(&name).map_err(|obstacle| WorkspaceError::at(&source.path, obstacle))?;
                self.file(opened, &into, Named { real: source.path, shown, name: target.clone() })?;
                MountKind::File
            }
            SourceKind::Directory(from) => {
                self.make(&to)?;
                self.top = Some(from.again().map_err(|obstacle| WorkspaceError::at(&source.path, obstacle))?);
                self.directory(&At { from, real: source.path, to, prefix: String::new() })?;
                MountKind::Directory
            }
        };
        Ok((MountPreview::new(self.shown, kind, self.files, self.bytes), self.left_out))
    }

    fn directory(&mut self, at: &At) -> Result<(), WorkspaceError> {
        // Made when there is something for it, or at once if everything is wanted: an empty directory may matter, to git for example.
        let mut into = if self.mount.wants_all() { Some(self.make(&at.to)?) } else { None };
        for name in at.from.names().map_err(|obstacle| WorkspaceError::at(&at.real, obstacle))? {
            if self.stop.load(Ordering::Relaxed) {
                return Err(WorkspaceError::io(&at.real, "copied", io::ErrorKind::Interrupted));
            }
            let shown = format!("{}{}", at.prefix, name.to_string_lossy());
            let real = at.real.join(&name);
            let stat = match at.from.stat(&name) {
                Ok(stat) => stat,
                // It went while we were looking.
                Err(Obstacle::Missing) => continue,
                Err(obstacle) => return Err(WorkspaceError::at(&real, obstacle)),
            };
            match FileType::from_raw_mode(stat.st_mode) {
                FileType::Directory if self.mount.leaves_out_all_below(&shown) => {}
                FileType::Directory if self.own.contains(&id(&stat)) => {
                    self.leave(&shown, WhyLeftOut::Workspace);
                }
                FileType::Directory => {
                    let from =
                        at.from.enter(&name).map_err(|obstacle| WorkspaceError::at(&real, obstacle))?;
                    self.directory(&at.below(from, real, name))?;
                }
                FileType::Symlink => self.link(at, id(&stat), (name, shown))?,
                _ if !self.mount.wants(&shown) => {}
                FileType::RegularFile => {
                    let opened = match at.from.file(&name) {
                        Err(Obstacle::Missing) => continue,
                        opened => opened.map_err(|obstacle| WorkspaceError::at(&real, obstacle))?,
                    };
                    let into = match &into {
                        Some(into) => into,
                        None => into.insert(self.make(&at.to)?),
                    };
                    self.file(opened, into, Named { real, shown, name })?;
                }
                _ => self.leave(&shown, WhyLeftOut::Special),
            }
        }
        Ok(())
    }

    /// Follows a link if it may, each only once: links that lead to each other would otherwise never end.
    fn link(
        &mut self,
        at: &At,
        link: FileId,
        (name, shown): (OsString, String),
    ) -> Result<(), WorkspaceError> {
        if !self.mount.follows_symlinks() {
            if self.mount.wants(&shown) {
                self.leave(&shown, WhyLeftOut::Link);
            }
            return Ok(());
        }
        let target = at.real.join(&name).canonicalize().ok();
        let inner =
            target.as_ref().and_then(|target| Some((target, target.strip_prefix(&self.source).ok()?)));
        let Some((target, inner)) = inner else {
            self.leave(&shown, WhyLeftOut::LeadsOut);
            return Ok(());
        };
        // Once more from the top and name by name: nothing can lead out now that did not a moment ago.
        let told = |obstacle| WorkspaceError::at(target, obstacle);
        let parts: Vec<OsString> = inner.iter().map(OsString::from).collect();
        let Some((last, parents)) = parts.split_last() else {
            self.leave(&shown, WhyLeftOut::Loop);
            return Ok(());
        };
        let top = self.top.as_ref().ok_or(Obstacle::Missing);
        let parent = top.and_then(|top| top.walk(parents)).map_err(told)?;
        let stat = parent.stat(last).map_err(told)?;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile if self.mount.wants(&shown) => {
                let into = self.make(&at.to)?;
                let named = Named { real: target.clone(), shown, name };
                self.file(parent.file(last).map_err(told)?, &into, named)?;
            }
            FileType::RegularFile => {}
            FileType::Directory if self.mount.leaves_out_all_below(&shown) => {}
            FileType::Directory if self.own.contains(&id(&stat)) => self.leave(&shown, WhyLeftOut::Workspace),
            FileType::Directory if at.real.starts_with(target) || !self.followed.insert(link) => {
                self.leave(&shown, WhyLeftOut::Loop);
            }
            FileType::Directory => {
                let from = parent.enter(last).map_err(told)?;
                self.directory(&at.below(from, target.clone(), name))?;
            }
            _ => self.leave(&shown, WhyLeftOut::Special),
        }
        Ok(())
    }

    /// Copies one file, with its rights and its time.
    fn file(
        &mut self,
        (source, stat): (File, Stat),
        into: &Beneath,
        named: Named,
    ) -> Result<(), WorkspaceError> {
        let Named { real, shown, name } = named;
        self.afford(u64::try_from(stat.st_size).unwrap_or(0), &shown)?;
        let target = into.create(&name, 0o600).map_err(|obstacle| {
            let below = self.top.as_ref().map_or(String::new(), |_| format!("/{shown}"));
            WorkspaceError::copy(&format!("{}{below}", self.shown), obstacle)
        })?;
        let left = self.mount.most().map_or(u64::MAX, |most| most.saturating_sub(self.bytes));
        let copied = copied(&source, &target, left);
        let copied = copied.map_err(|cause| WorkspaceError::io(real, "copied", cause))?;
        // It may have grown since.
        self.afford(copied, &shown)?;
        self.bytes += copied;
        self.files.push(shown);
        Ok(())
    }

    /// Whether there may be so many bytes more.
    fn afford(&self, more: u64, file: &str) -> Result<(), WorkspaceError> {
        match self.mount.most() {
            Some(most) if self.bytes.saturating_add(more) > most => {
                let mount = self.mount.host_path().to_owned();
                Err(WorkspaceError::TooLarge { mount, file: file.to_owned(), most })
            }
            _ => Ok(()),
        }
    }

    fn make(&self, parts: &[OsString]) -> Result<Beneath, WorkspaceError> {
        let made = self.workspace.make(parts, |_, _| {});
        made.map_err(|obstacle| WorkspaceError::copy(&joined(parts), obstacle))
    }

    fn leave(&mut self, shown: &str, why: WhyLeftOut) {
        self.left_out.push(LeftOut { path: format!("{}/{shown}", self.shown), why });
    }
}

fn joined(parts: &[OsString]) -> String {
    parts.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}
