//! Ends a relay's child, gently first, and waits until it has ended.

use std::{
    io::{Read, Write},
    time::Duration,
};

use crate::{Ended, Error, Place, Standing};

/// The ladder takes seven seconds, a child's last words five.
const PATIENCE: Duration = Duration::from_secs(30);

/// Closes the child's stdin, then signals it, until it has ended.
pub fn stop(place: &Place) -> Result<Ended, Error> {
    order(place, b"{\"stop\": true}\n")
}

/// Kills the child, with its process group, and waits until it has ended.
pub fn kill(place: &Place) -> Result<Ended, Error> {
    order(place, b"{\"kill\": true}\n")
}

fn order(place: &Place, order: &[u8]) -> Result<Ended, Error> {
    let Ok(mut relay) = place.connect() else {
        let what = format!("no relay runs at {}", place.directory().display());
        return Err(Error::failed(what, "name its directory with --dir, or its files with --state"));
    };
    let too_long = |error: std::io::Error| {
        let process = place.process().map_or_else(String::new, |pid| format!(" (process {pid})"));
        Error::failed(format!("the relay{process} does not end: {error}"), "end that process yourself")
    };
    relay.set_read_timeout(Some(PATIENCE)).map_err(too_long)?;
    relay.write_all(order).map_err(too_long)?;
    // It says nothing, and closes when it is done.
    relay.read_to_end(&mut Vec::new()).map_err(too_long)?;
    match place.standing() {
        Standing::Ended(ended) => Ok(ended),
        _ => Err(Error::failed("the relay was killed", "how its child ended is not known")),
    }
}
