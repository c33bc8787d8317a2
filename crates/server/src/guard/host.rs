//! By which name we were called. A name that is not ours is another site's that points at our address (DNS rebinding).

use std::net::IpAddr;

use axum::{extract::Request, http::header};
use selvedge_session::Code;

use super::text;
use crate::problem::Problem;

/// The names by which a gateway may be called.
#[derive(Debug)]
pub(super) struct Hosts {
    address: IpAddr,
    names: Vec<String>,
}

impl Hosts {
    pub(super) fn new(address: IpAddr, names: &[String]) -> Self {
        Self { address, names: names.iter().map(|name| name.to_ascii_lowercase()).collect() }
    }

    /// The name and port we were called by, if it is ours.
    pub(super) fn check(&self, request: &Request) -> Result<String, Problem> {
        let said = request.uri().authority().map(|authority| authority.as_str());
        let Some(said) = said.or_else(|| text(request.headers(), header::HOST.as_str())) else {
            return Err(Problem::coded(Code::HostRefused, "the request does not say whom it asks"));
        };
        let said = said.to_ascii_lowercase();
        if self.is_ours(&said) {
            return Ok(said);
        }
        Err(Problem::coded(Code::HostRefused, format!("{said:?} is not a name of this gateway")))
    }

    /// Whether a name was given to us, with its port or without.
    pub(super) fn is_named(&self, authority: &str) -> bool {
        self.names.iter().any(|name| name == authority || name == without_port(authority))
    }

    /// The port is not looked at: a tunnel or a container has another one, and rebinding needs a name.
    fn is_ours(&self, authority: &str) -> bool {
        let host = without_port(authority);
        if host == "localhost" || self.is_named(authority) {
            return true;
        }
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        bare.parse().is_ok_and(|called: IpAddr| {
            called == self.address
                || self.address.is_unspecified()
                || (self.address.is_loopback() && called.is_loopback())
        })
    }
}

fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => host,
        _ => authority,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours(address: &str, authority: &str) -> bool {
        Hosts::new(address.parse().unwrap(), &["Agents.example".into()]).is_ours(authority)
    }

    #[test]
    fn our_address_our_names_and_localhost_are_ours() {
        for name in [
            "127.0.0.1:7433",
            "localhost:7433",
            "localhost",
            "[::1]:1",
            "agents.example",
            "agents.example:80",
        ] {
            assert!(ours("127.0.0.1", name), "{name}");
        }
        assert!(ours("0.0.0.0", "192.0.2.7:80"), "every address is ours");
        assert!(ours("192.0.2.7", "192.0.2.7:80"));
    }

    #[test]
    fn others_are_not() {
        for name in
            ["evil.example", "localhost.evil.example", "192.0.2.7", "127.0.0.1.evil.example:7433", "", ":80"]
        {
            assert!(!ours("127.0.0.1", name), "{name}");
        }
        assert!(!ours("0.0.0.0", "evil.example"), "a name is never ours unless it was given");
    }
}
