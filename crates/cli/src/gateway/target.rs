//! Which gateway is asked: where it is, the token for it, and how it was found.

use std::{path::PathBuf, time::Duration};

use selvedge_server::{Running, Secret};

use super::{Address, answer::fits};
use crate::failure::Failure;

/// A gateway to be asked.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) address: Address,
    /// None where nobody is asked for one.
    pub(crate) token: Option<Secret>,
    /// How it was found, if nobody named it.
    pub(crate) found: Option<Found>,
    /// So long it is waited for when it is gone.
    pub(crate) patience: Duration,
}

/// A gateway that serves our data directory.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) directory: PathBuf,
    pub(crate) pid: u32,
    pub(crate) version: String,
    /// The token is the one it wrote down for us.
    pub(crate) own_token: bool,
}

impl Target {
    /// What a gateway says of itself that was found. One that was named tells it with its first answer.
    pub(crate) fn is_of_our_version(&self) -> Result<(), Failure> {
        let Some(Found { directory, version, .. }) = &self.found else { return Ok(()) };
        if fits(version) {
            return Ok(());
        }
        let (directory, ours) = (directory.display(), env!("CARGO_PKG_VERSION"));
        let what = format!("the gateway that serves {directory} is version {version}, and this is {ours}");
        let hint = "end it with `selvedge stop` and start it anew, or work in this process with --local";
        Err(Failure::failed(what, hint))
    }

    /// One that was found is looked for again: started anew it may be elsewhere.
    pub(super) fn look_again(&mut self) {
        let Some(found) = &mut self.found else { return };
        let Some(running) = Running::find(&found.directory) else { return };
        let Ok(address) = Address::parse(&running.url) else { return };
        self.address = address;
        found.pid = running.pid;
        found.version = running.version;
        if found.own_token {
            self.token = running.token.map(Secret::new);
        }
    }
}
