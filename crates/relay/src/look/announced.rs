//! New files, as entries of an index: then a diff shows them.

use super::Hashes;

/// What `git update-index -z --index-info` is told, so that a list of new files is known; nothing, if there are none. That
/// they are empty, and no programs, is what the index says: a diff looks at the files themselves. A repository within the
/// repository is listed as a directory, and left out: to look into it would take its own configuration.
pub(super) fn entries(new_files: &[u8], hashes: Hashes) -> Option<Vec<u8>> {
    let begin = format!("100644 {}\t", hashes.empty_file());
    let names = new_files.split(|byte| *byte == 0).filter(|name| !name.is_empty() && !name.ends_with(b"/"));
    let entries: Vec<u8> =
        names.flat_map(|name| [begin.as_bytes(), name, b"\0"]).flatten().copied().collect();
    Some(entries).filter(|entries| !entries.is_empty())
}
