//! What a person is told when a gateway cannot be used: what happened, and what to do.

use selvedge_runtime::Error;
use selvedge_session::{Code, SessionId};

use super::Target;
use crate::ids;

/// Nothing answers, or it broke off.
pub(super) fn unreachable(target: &Target, why: &str) -> Error {
    let address = &target.address;
    match &target.found {
        Some(found) => {
            let (directory, pid) = (found.directory.display(), found.pid);
            let message = format!(
                "the gateway that serves {directory} (process {pid}, {address}) does not answer: {why}"
            );
            Error::coded(Code::GatewayUnreachable, message).hint(
                "it may be starting or ending: try again; `selvedge stop` ends it, --local works in this process beside it",
            )
        }
        None => {
            let message = format!("the gateway at {address} does not answer: {why}");
            Error::coded(Code::GatewayUnreachable, message).hint(hint(target, why))
        }
    }
}

fn hint(target: &Target, why: &str) -> &'static str {
    if why.contains("certificate") {
        return "name a file with the certificates you trust in SSL_CERT_FILE";
    }
    if target.address.is_https() {
        return "look at the address, whether it is https:// there, and whether `selvedge serve` runs behind it";
    }
    "look at the address, whether it is not https:// there, and whether `selvedge serve` runs; --local works without it"
}

/// Something answers, but not as a gateway of our version.
pub(super) fn foreign(target: &Target, why: &str) -> Error {
    let message = format!("what answers at {} is no gateway for this selvedge: {why}", target.address);
    Error::coded(Code::GatewayForeign, message)
        .hint("look at the address; the gateway and this program have to be of the same minor version")
}

/// The token is none, or wrong.
pub(super) fn unauthenticated(target: &Target) -> Error {
    let address = &target.address;
    let message = match &target.token {
        None => format!("the gateway at {address} wants a token"),
        Some(_) => format!("the gateway at {address} does not know this token"),
    };
    Error::coded(Code::Unauthenticated, message).hint(
        "give it in SELVEDGE_TOKEN; it stands in `token` or `tokens.toml` in the gateway's data directory",
    )
}

/// It was there, it is gone, and it did not come back.
pub(super) fn gone(target: &Target, session: SessionId, why: &str) -> Error {
    let (address, seconds) = (&target.address, target.patience.as_secs());
    let message =
        format!("the gateway at {address} is gone, and did not come back within {seconds} s: {why}");
    let id = ids::short(&session);
    Error::coded(Code::OutcomeUnknown, message).hint(format!(
        "what was sent is taken up when it is started again; `selvedge attach {id}` shows what became of it"
    ))
}
