//! Whether the repository of a directory lies under the roots with everything it leads to. Git looks for it upwards, and
//! a file `.git` may name any place of the machine: both would show what nobody allowed.

use std::{fs, path::Path};

use super::Roots;

/// Whether git, asked here, would read under the roots alone. Where there is no repository, it reads nothing.
pub(super) fn lies_under(directory: &Path, roots: &Roots) -> bool {
    let Ok(directory) = fs::canonicalize(directory) else { return false };
    let top = directory.ancestors().find(|above| above.join(".git").symlink_metadata().is_ok());
    top.is_none_or(|top| roots.allow(top) && leads_under(top, roots))
}

/// Of a worktree: where its own part and the part that it shares lie.
fn leads_under(top: &Path, roots: &Roots) -> bool {
    let Ok(mut place) = fs::canonicalize(top.join(".git")) else { return false };
    if place.is_file() {
        let Some(named) = named_in(&place, "gitdir:") else { return false };
        let Ok(led_to) = fs::canonicalize(top.join(named)) else { return false };
        if !roots.allow(&place) {
            return false;
        }
        place = led_to;
    }
    let shared = match named_in(&place.join("commondir"), "") {
        Some(named) => fs::canonicalize(place.join(named)),
        None => Ok(place.clone()),
    };
    // What git reads in there may be links too.
    let parts = ["objects", "refs", "packed-refs", "HEAD", "index", "logs"];
    roots.allow(&place)
        && shared.is_ok_and(|shared| {
            roots.allow(&shared) && parts.iter().all(|part| is_under(&shared.join(part), roots))
        })
        && parts.iter().all(|part| is_under(&place.join(part), roots))
}

/// Whether something is not there, or lies under the roots.
fn is_under(part: &Path, roots: &Roots) -> bool {
    part.symlink_metadata().is_err() || roots.lead_to(part)
}

/// The path that a small file names after these letters.
fn named_in(file: &Path, after: &str) -> Option<String> {
    let said = fs::read_to_string(file).ok()?;
    Some(said.trim().strip_prefix(after)?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink, path::PathBuf};

    use super::*;

    fn places() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let place = tempfile::tempdir().unwrap();
        let (inside, outside) = (place.path().join("in"), place.path().join("out"));
        for made in ["in/deep", "out/.git/objects", "out/.git/worktrees/one"] {
            fs::create_dir_all(place.path().join(made)).unwrap();
        }
        (place, inside, outside)
    }

    #[test]
    fn a_repository_under_a_root_may_be_asked_and_so_may_none() {
        let (_place, inside, _) = places();
        let roots = Roots::resolved(std::slice::from_ref(&inside));
        assert!(lies_under(&inside.join("deep"), &roots), "no repository");
        fs::create_dir_all(inside.join(".git/objects")).unwrap();
        assert!(lies_under(&inside.join("deep"), &roots));
        assert!(!lies_under(&inside.join("nowhere"), &roots));
    }

    #[test]
    fn one_above_a_root_or_one_that_a_file_or_a_link_leads_to_may_not() {
        let (place, inside, outside) = places();
        let roots = Roots::resolved(std::slice::from_ref(&inside));
        fs::create_dir(place.path().join(".git")).unwrap();
        assert!(!lies_under(&inside.join("deep"), &roots), "above");
        fs::write(inside.join(".git"), format!("gitdir: {}\n", outside.join(".git").display())).unwrap();
        assert!(!lies_under(&inside, &roots), "by a file");
        fs::remove_file(inside.join(".git")).unwrap();
        symlink(outside.join(".git"), inside.join(".git")).unwrap();
        assert!(!lies_under(&inside, &roots), "by a link");
        fs::remove_file(inside.join(".git")).unwrap();
        fs::create_dir(inside.join(".git")).unwrap();
        symlink(outside.join(".git/objects"), inside.join(".git/objects")).unwrap();
        assert!(!lies_under(&inside, &roots), "by a part");
        fs::remove_file(inside.join(".git/objects")).unwrap();
        fs::write(inside.join(".git/commondir"), outside.join(".git").display().to_string()).unwrap();
        assert!(!lies_under(&inside, &roots), "by the part that is shared");
    }
}
