//! What a change of the file does while the gateway runs.

use std::{fs, os::unix::fs::PermissionsExt as _};

use futures_util::FutureExt as _;

use super::*;

const WALL: &str = "wall-0123456789abcdef";
const DESK: &str = "desk-0123456789abcdef";

/// A directory with a file that can be written again.
struct Stage {
    directory: tempfile::TempDir,
    keeper: Keeper,
}

impl Stage {
    fn with(text: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        write(directory.path(), text, 0o600);
        let (_, keeper) =
            Keeper::open(directory.path(), Some(Secret::new("own")), Redactions::default()).unwrap();
        Self { directory, keeper }
    }

    /// Writes the file, lets it be looked at, and answers who is known.
    fn after(&mut self, text: &str, mode: u32) -> Vec<&'static str> {
        write(self.directory.path(), text, mode);
        self.looked()
    }

    fn looked(&mut self) -> Vec<&'static str> {
        self.keeper.look();
        let now = self.keeper.known().now();
        ["own", WALL, DESK].into_iter().filter(|secret| now.find(secret).is_some()).collect()
    }
}

fn write(directory: &Path, text: &str, mode: u32) {
    let path = directory.join("tokens.toml");
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
}

fn entry(token: &str) -> String {
    let name = token.split('-').next().unwrap();
    format!("[[tokens]]\nname = '{name}'\ntoken = '{token}'\nscopes = ['read']\n")
}

#[test]
fn what_is_written_is_known_and_what_is_taken_out_is_not() {
    let mut stage = Stage::with(&entry(WALL));
    assert_eq!(stage.looked(), ["own", WALL]);
    assert_eq!(stage.after(&(entry(WALL) + &entry(DESK)), 0o600), ["own", WALL, DESK]);
    assert_eq!(stage.after(&entry(DESK), 0o600), ["own", DESK]);
    fs::remove_file(stage.directory.path().join("tokens.toml")).unwrap();
    assert_eq!(stage.looked(), ["own"]);
    assert_eq!(stage.after(&entry(WALL), 0o600), ["own", WALL]);
}

#[test]
fn a_file_that_is_wrong_changes_nothing_until_it_is_right() {
    let mut stage = Stage::with(&entry(WALL));
    for (wrong, mode) in [
        (format!("{}scopes = [", entry(DESK)), 0o600),
        (entry(DESK).replace("read", "root"), 0o600),
        (entry(DESK), 0o644),
    ] {
        assert_eq!(stage.after(&wrong, mode), ["own", WALL], "{wrong}");
    }
    assert_eq!(stage.after(&entry(DESK), 0o600), ["own", DESK]);
}

#[tokio::test]
async fn who_looks_with_a_token_is_told_when_it_is_gone() {
    let mut stage = Stage::with(&(entry(WALL) + &entry(DESK)));
    let known = stage.keeper.known();
    let [wall, desk] = [WALL, DESK].map(|secret| known.revoked(known.now().find(secret).unwrap().id()));
    stage.after(&(entry(WALL).replace("read", "write") + &entry(DESK)), 0o600);
    wall.await;
    let mut desk = std::pin::pin!(desk);
    assert!(desk.as_mut().now_or_never().is_none(), "what is still written stays");
    stage.after("", 0o600);
    desk.await;
}
