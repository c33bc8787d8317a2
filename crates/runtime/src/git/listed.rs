//! The files of a working directory: those that git knows, and new ones that it does not ignore.

use super::{GitError, program::Git};

pub(super) async fn files(git: &Git) -> Result<Vec<String>, GitError> {
    let listed = git.run(&["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).await?;
    Ok(listed.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect())
}
