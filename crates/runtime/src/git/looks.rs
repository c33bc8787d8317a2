//! Where the mirrors lie that git is shown.

use std::{io, path::Path, sync::Arc};

use selvedge_relay::look::sweep;

use crate::private;

/// A directory for looks. No agent may write into it: a file that is put into a mirror could name a program for git to run.
#[derive(Debug, Clone)]
pub struct Looks(Arc<Path>);

impl Looks {
    /// In a directory of its own, which nobody else may read; what killed programs left there goes.
    pub fn new(directory: &Path) -> io::Result<Self> {
        private::directory(directory)?;
        sweep(directory)?;
        Ok(Self(directory.into()))
    }

    pub(super) fn directory(&self) -> &Path {
        &self.0
    }
}
