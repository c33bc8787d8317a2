//! What of a mount is not in its workspace, and why.

use std::fmt;

/// Something of a mount that was not copied though no pattern says so.
///
/// ```
/// use selvedge_agent::{HostMount, Workspace};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let temporary = tempfile::tempdir()?;
/// # let project = temporary.path().join("project");
/// std::fs::create_dir(&project)?;
/// std::os::unix::fs::symlink("/etc/passwd", project.join("users"))?;
/// let workspace = Workspace::builder().mount(HostMount::new(&project)).build().await?;
/// assert_eq!(workspace.left_out()[0].to_string(), "project/users: a link");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Where it would be in the workspace.
    pub path: String,
    /// Why it is not there.
    pub why: WhyLeftOut,
}

/// Why something was not copied.
///
/// ```
/// use selvedge_agent::{HostMount, WhyLeftOut, Workspace};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let temporary = tempfile::tempdir()?;
/// # let project = temporary.path().join("project");
/// std::fs::create_dir(&project)?;
/// std::os::unix::fs::symlink("/etc/passwd", project.join("users"))?;
/// let workspace = Workspace::builder().mount(HostMount::new(&project)).build().await?;
/// assert_eq!(workspace.left_out()[0].why, WhyLeftOut::Link);
/// let followed = Workspace::builder().mount(HostMount::new(&project).follow_symlinks()).build().await?;
/// assert_eq!(followed.left_out()[0].why, WhyLeftOut::LeadsOut);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum WhyLeftOut {
    /// It is a link, and links are not followed.
    Link,
    /// It is a link that leads out of the mount, or nowhere.
    LeadsOut,
    /// It is a link to a directory that it lies in, or one that was followed already.
    Loop,
    /// It is a pipe, a socket or a device.
    Special,
    /// It is the workspace itself.
    Workspace,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.why {
            WhyLeftOut::Link => "a link",
            WhyLeftOut::LeadsOut => "a link that leads out of the mount",
            WhyLeftOut::Loop => "a link that leads back",
            WhyLeftOut::Special => "neither a file nor a directory",
            WhyLeftOut::Workspace => "the workspace itself",
        };
        write!(out, "{}: {why}", self.path)
    }
}
