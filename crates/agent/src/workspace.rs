//! Workspaces, as far as they are words: what is to be mounted, how it is known again, and what a prompt says about it.

mod mount;
mod preview;

pub use mount::HostMount;
pub use preview::{MountKind, MountPreview};
