//! One gateway a data directory: a lock that ends with its holder, and beside it where the gateway is.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    time::Duration,
};

use selvedge_runtime::{Error, private};
use selvedge_session::Code;
use serde::{Deserialize, Serialize};
use tokio::time::sleep;

use super::place;
use crate::access::Secret;

/// A command that only looks whether there is a gateway holds the lock too, for less than this.
const A_LOOK: Duration = Duration::from_millis(20);
/// So often the lock is asked for: no looks are so many.
const LOOKS: u32 = 10;

/// The right to serve a data directory. It ends when this is dropped, and with its process.
#[derive(Debug)]
pub struct Claim {
    lock: File,
    place: PathBuf,
}

/// Where a gateway is: what `gateway.json` says.
#[derive(Clone, Serialize, Deserialize)]
pub struct Running {
    /// Where programs on this machine reach it.
    pub url: String,
    /// Its process.
    pub pid: u32,
    /// Its version.
    pub version: String,
    /// The token of whoever started it; the file is theirs alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

impl Claim {
    /// Takes the directory, and makes it if it is not there.
    pub async fn take(data_dir: &Path) -> Result<Self, Error> {
        let cannot = |error: io::Error| {
            let message = format!("the data directory {} cannot be used: {error}", data_dir.display());
            Error::coded(Code::InvalidArgument, message).hint("choose another with --data-dir")
        };
        fs::DirBuilder::new().recursive(true).mode(0o700).create(data_dir).map_err(cannot)?;
        let lock = open(data_dir).map_err(cannot)?;
        match locked(&lock).await {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(taken(data_dir)),
            Err(TryLockError::Error(error)) => return Err(cannot(error)),
        }
        let place = place(data_dir);
        // Left by one that was killed: nobody is there.
        let _gone = fs::remove_file(&place);
        Ok(Self { lock, place })
    }

    /// Says where it is.
    pub(super) fn tell(&self, address: SocketAddr, token: Option<&Secret>) -> Result<(), Error> {
        let running = Running {
            url: format!("http://{}", reachable(address)),
            pid: std::process::id(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            token: token.map(|token| token.reveal().to_owned()),
        };
        let text = serde_json::to_vec_pretty(&running).unwrap_or_default();
        private::write(&self.place, &text).map_err(|error| {
            Error::coded(
                Code::InvalidArgument,
                format!("{} cannot be written: {error}", self.place.display()),
            )
            .hint("choose another directory with --data-dir")
        })
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // Before the lock goes: the next one writes its own.
        let _gone = fs::remove_file(&self.place);
        // Not by closing it alone: a program that is being started has our files open for a moment.
        let _unlocked = self.lock.unlock();
    }
}

impl Running {
    /// The gateway on this directory, if there is one.
    #[must_use]
    pub fn find(data_dir: &Path) -> Option<Self> {
        let text = fs::read(place(data_dir)).ok()?;
        let running = serde_json::from_slice(&text).ok()?;
        is_held(data_dir).then_some(running)
    }

    /// Waits until it has ended.
    pub fn ended(data_dir: &Path) -> io::Result<()> {
        open(data_dir)?.lock()
    }
}

fn is_held(data_dir: &Path) -> bool {
    open(data_dir).is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

async fn locked(lock: &File) -> Result<(), TryLockError> {
    for _look in 0..LOOKS {
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => sleep(A_LOOK).await,
            ended => return ended,
        }
    }
    lock.try_lock()
}

fn open(data_dir: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(data_dir.join("gateway.lock"))
}

fn taken(data_dir: &Path) -> Error {
    let running =
        fs::read(place(data_dir)).ok().and_then(|text| serde_json::from_slice::<Running>(&text).ok());
    let whose = running.map(|it| format!(" (process {}, {})", it.pid, it.url)).unwrap_or_default();
    let message = format!("another gateway serves {}{whose}", data_dir.display());
    Error::coded(Code::InvalidArgument, message)
        .hint("use that one, end it with `selvedge stop`, or choose another directory with --data-dir")
}

/// An address that stands for all of them cannot be called; this machine can.
pub(super) fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn who_only_looks_keeps_nobody_from_serving_and_who_serves_does() {
        let directory = tempfile::tempdir().unwrap();
        let data_dir = directory.path();
        let look = open(data_dir).unwrap();
        look.try_lock_shared().unwrap();
        let (claim, ()) = tokio::join!(Claim::take(data_dir), async { drop(look) });
        let refused = Claim::take(data_dir).await.unwrap_err();
        assert!(refused.message.contains("another gateway serves"), "{refused:?}");
        drop(claim.unwrap());
        Claim::take(data_dir).await.unwrap();
    }

    #[tokio::test]
    async fn its_end_is_its_end_whoever_has_the_file_open_still() {
        let directory = tempfile::tempdir().unwrap();
        let claim = Claim::take(directory.path()).await.unwrap();
        let in_a_child = claim.lock.try_clone().unwrap();
        drop(claim);
        assert!(!is_held(directory.path()));
        drop(in_a_child);
    }
}
