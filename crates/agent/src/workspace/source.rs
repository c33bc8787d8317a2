//! Where a mount comes from: found, held to the allowed roots, and opened without following what was put there meanwhile.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use rustix::fs::FileType;

use super::{HostMount, WorkspaceError};
use crate::files::Beneath;

/// What is mounted.
pub(super) struct Source {
    /// Where it really lies.
    pub(super) path: PathBuf,
    pub(super) kind: SourceKind,
}

pub(super) enum SourceKind {
    /// A file of this name in this directory.
    File(Beneath, OsString),
    Directory(Beneath),
}

impl Source {
    /// Finds it. `roots` are where mounts may come from, as they really lie; none of them means anywhere.
    pub(super) fn find(mount: &HostMount, roots: &[PathBuf]) -> Result<Self, WorkspaceError> {
        let given = mount.host_path();
        let path = resolved(mount)?;
        let root = match roots.iter().find(|root| path.starts_with(root)) {
            Some(root) => root,
            None if roots.is_empty() => Path::new("/"),
            None => return Err(WorkspaceError::OutsideRoots { path, roots: roots.to_vec() }),
        };
        let told = |obstacle| WorkspaceError::at(given, obstacle);
        let inner = path.strip_prefix(root).unwrap_or(&path);
        let parts: Vec<OsString> = inner.iter().map(OsString::from).collect();
        // What was found by its path is opened name by name: a link that was put there meanwhile leads nowhere.
        let top = Beneath::open(root).map_err(told)?;
        let Some((name, parents)) = parts.split_last() else {
            return Ok(Self { path, kind: SourceKind::Directory(top) });
        };
        let parent = top.walk(parents).map_err(told)?;
        let kind = match FileType::from_raw_mode(parent.stat(name).map_err(told)?.st_mode) {
            FileType::RegularFile => SourceKind::File(parent, name.clone()),
            FileType::Directory => SourceKind::Directory(parent.enter(name).map_err(told)?),
            _ => return Err(WorkspaceError::Special { path: given.to_owned() }),
        };
        Ok(Self { path, kind })
    }

    /// Where it is to be in the workspace: the parts of its path.
    pub(super) fn target(&self, mount: &HostMount) -> Result<Vec<OsString>, WorkspaceError> {
        let escapes = |shown: &str| WorkspaceError::Escapes { mount_path: shown.to_owned() };
        let Some(given) = mount.mount_path() else {
            let name = self.path.file_name().ok_or_else(|| escapes("/"))?;
            return Ok(vec![name.to_owned()]);
        };
        let mut parts = Vec::new();
        for part in Path::new(given).components() {
            match part {
                Component::Normal(name) => parts.push(name.to_owned()),
                Component::CurDir => {}
                _ => return Err(escapes(given)),
            }
        }
        Ok(parts)
    }
}

/// Where the host path of a mount really lies.
fn resolved(mount: &HostMount) -> Result<PathBuf, WorkspaceError> {
    let given = mount.host_path();
    let found = given.symlink_metadata().and_then(|found| Ok((found.is_symlink(), given.canonicalize()?)));
    let (is_link, path) = found.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => WorkspaceError::Missing { path: given.to_owned() },
        _ => WorkspaceError::io(given, "read", error),
    })?;
    let refused = |why| Err(WorkspaceError::Link { path: given.to_owned(), why });
    if is_link && !mount.follows_symlinks() {
        return refused("and links are not followed");
    }
    let beside =
        given.parent().map(|parent| if parent.as_os_str().is_empty() { Path::new(".") } else { parent });
    let beside = beside.and_then(|parent| parent.canonicalize().ok());
    if is_link && !beside.is_some_and(|beside| path.starts_with(beside)) {
        return refused("and points out of its directory");
    }
    Ok(path)
}
