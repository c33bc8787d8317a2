//! Looking at a repository in which somebody else may have written everything, without running anything of theirs.
//!
//! Git takes from a repository's configuration which programs it runs: filters, hooks, monitors, tools for diffs. So git is
//! never shown that configuration, but a mirror: the repository's objects, refs and index below a configuration of our
//! own. It is here because whoever holds a relay has it too; `docs/design/looking-at-git.md` says why it is so.

mod announced;
mod asking;
mod found;
mod guarded;
mod mirror;
mod operator;
mod place;
mod settings;

pub use found::Repository;
pub use mirror::{Draft, Mirror};
pub use operator::Operator;
pub use place::sweep;
pub use settings::Hashes;

/// Lists the new files that git does not ignore, from the top on, for [`Mirror::announce`].
pub const NEW_FILES: [&str; 5] = ["ls-files", "-z", "--others", "--exclude-standard", "--full-name"];
/// A diff; what the mirror's configuration does not name is refused once more. Of submodules only their commit counts:
/// git would look into them by their own configuration.
pub const DIFF: [&str; 4] = ["diff", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];
