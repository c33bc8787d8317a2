//! Names that have to last: of a directory's own place, and of a socket deep in the tree.

use std::{
    fs::File,
    io,
    os::{
        fd::AsRawFd,
        unix::{ffi::OsStrExt, net::UnixStream},
    },
    path::Path,
};

/// How much of a directory's own name is kept, for people who look.
const KEPT: usize = 40;

/// The name of a directory's place. It must never change, or a relay would not be found after an upgrade.
pub(super) fn of(working: &Path) -> String {
    let name = working.file_name().unwrap_or_default().to_string_lossy();
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let readable: String = name.chars().map(plain).take(KEPT).collect();
    format!("{readable}-{:016x}", hash(working.as_os_str().as_bytes()))
}

/// FNV-1a: the standard library promises no hash that stays.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Connects also where the path is longer than an address may be (about 100 bytes).
pub(super) fn connect(directory: &Path, socket: &Path) -> io::Result<UnixStream> {
    match UnixStream::connect(socket) {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput && cfg!(target_os = "linux") => {
            let opened = File::open(directory)?;
            let name = socket.file_name().unwrap_or_default();
            UnixStream::connect(Path::new(&format!("/proc/self/fd/{}", opened.as_raw_fd())).join(name))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::of;

    #[test]
    fn a_place_keeps_its_name_through_every_version() {
        assert_eq!(of(Path::new("/srv/project")), "project-52d46b4a6ecdf2c1");
        assert_eq!(of(Path::new("/")), "-af63a24c860189fe");
        assert_ne!(of(Path::new("/a/project")), of(Path::new("/b/project")));
        assert!(of(Path::new(&format!("/{}", "ä b".repeat(100)))).len() < 64);
    }
}
