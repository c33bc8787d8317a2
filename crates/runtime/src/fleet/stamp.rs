//! What an app-server read once, at its start: its binary and its login, told apart from those that took their place.

use std::{fs, io, os::unix::fs::MetadataExt, path::Path};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Where in its directory Codex keeps a login.
const LOGIN: &str = "auth.json";

/// What it is that makes a login another one. Codex renews the tokens of an account in the same file by itself, and an app-server
/// that knows the account goes on with them.
const WHOSE: [&str; 3] = ["/auth_mode", "/OPENAI_API_KEY", "/tokens/account_id"];

/// After a login it has to be another app-server: Codex does not look again, also when it asked the model without any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    #[serde(flatten)]
    binary: Binary,
    /// A part of a digest of whose it is.
    #[serde(default)]
    login: Option<u64>,
}

/// A program's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Binary {
    device: u64,
    inode: u64,
    length: u64,
    modified: (i64, i64),
}

impl Stamp {
    /// What lies there now; `None` while one of them is being replaced, and when there is no binary.
    pub(super) fn of(binary: &Path, home: Option<&Path>) -> Option<Self> {
        let found = fs::metadata(binary).ok()?;
        let binary = Binary {
            device: found.dev(),
            inode: found.ino(),
            length: found.len(),
            modified: (found.mtime(), found.mtime_nsec()),
        };
        let login = match home.map(|home| fs::read(home.join(LOGIN))) {
            Some(Ok(login)) => Some(whose(&login)?),
            Some(Err(error)) if error.kind() != io::ErrorKind::NotFound => return None,
            Some(Err(_)) | None => None,
        };
        Some(Self { binary, login })
    }
}

/// `None` if it is not written to its end.
fn whose(login: &[u8]) -> Option<u64> {
    let login: Value = serde_json::from_slice(login).ok()?;
    let mut digest = Sha256::new();
    for field in WHOSE {
        digest.update(login.pointer(field).unwrap_or(&Value::Null).to_string());
        digest.update([0]);
    }
    digest.finalize().first_chunk().copied().map(u64::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_replaced_binary_is_another_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("codex");
        fs::write(&path, "one").unwrap();
        let before = Stamp::of(&path, None);
        assert_eq!(before, Stamp::of(&path, None));
        fs::write(folder.path().join("new"), "one and more").unwrap();
        fs::rename(folder.path().join("new"), &path).unwrap();
        assert_ne!(before, Stamp::of(&path, None));
        fs::remove_file(&path).unwrap();
        assert_eq!(Stamp::of(&path, None), None);
    }

    #[test]
    fn after_a_login_it_is_another_one_and_tokens_that_are_renewed_change_nothing() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("codex");
        fs::write(&path, "one").unwrap();
        let now = |login: Value| {
            fs::write(home.path().join(LOGIN), login.to_string()).unwrap();
            Stamp::of(&path, Some(home.path()))
        };
        let nobody = Stamp::of(&path, Some(home.path()));
        let key = now(json!({ "OPENAI_API_KEY": "a key" }));
        let other_key = now(json!({ "OPENAI_API_KEY": "another key" }));
        let account =
            |id: &str, token: &str| json!({ "tokens": { "account_id": id, "access_token": token } });
        let one = now(account("one", "a token"));
        let other = now(account("other", "a token"));
        let all = [nobody, key, other_key, one, other];
        assert!(all.iter().all(Option::is_some));
        assert!((1..all.len()).all(|n| !all[..n].contains(&all[n])), "{all:?}");
        assert_eq!(now(account("other", "a newer token")), other);
        let kept: Stamp = serde_json::from_str(&serde_json::to_string(&other).unwrap()).unwrap();
        assert_eq!(Some(kept), other, "relays remember it");
        fs::write(home.path().join(LOGIN), "{\"tok").unwrap();
        assert_eq!(Stamp::of(&path, Some(home.path())), None, "it is being written");
    }
}
