//! What every handler shares: the runtime, and what the gateway was told.

use std::{path::PathBuf, sync::Arc};

use selvedge_runtime::Runtime;

/// What a gateway is told.
#[derive(Debug, Clone)]
pub struct Options {
    /// The largest body it takes, in bytes.
    pub max_body: usize,
    /// What may be looked at; the user's home and where sessions work, unless given.
    pub allow_roots: Vec<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self { max_body: 32 << 20, allow_roots: Vec::new() }
    }
}

/// The gateway. Clones are the same one.
#[derive(Clone)]
pub struct Gateway {
    shared: Arc<Shared>,
}

struct Shared {
    runtime: Runtime,
    options: Options,
}

impl Gateway {
    /// Before this runtime.
    #[must_use]
    pub fn new(runtime: Runtime, options: Options) -> Self {
        Self { shared: Arc::new(Shared { runtime, options }) }
    }

    pub(crate) fn runtime(&self) -> &Runtime {
        &self.shared.runtime
    }

    pub(crate) fn options(&self) -> &Options {
        &self.shared.options
    }
}
