//! Files that tools work on: read and written within one directory, past no link, and together or not at all.

mod beneath;
mod commit;
mod directory;
mod error;
mod find;
mod glob;
mod inside;
mod overlay;
mod step;
mod view;

pub(crate) use beneath::{Beneath, FileId, Obstacle, id};
pub use directory::{Directory, FileTransaction};
pub use error::FileError;
pub(crate) use glob::{fits, fits_all_below};
pub use view::{EntryKind, FileEntry, Files};
