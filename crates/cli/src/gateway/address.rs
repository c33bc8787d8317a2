//! The address of a gateway: `http://` or `https://`, a host, perhaps a path before `/v1`, and nothing secret.

use std::fmt;

use hyper::Uri;

use crate::failure::Failure;

const EXAMPLE: &str = "write it in full, for example http://127.0.0.1:7433";

/// Where a gateway is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    /// Without a slash at its end.
    base: String,
    https: bool,
}

impl Address {
    /// Reads what somebody wrote. What may hold a token is refused, and not shown.
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        if text.contains(['?', '@', '#']) {
            let what = "the gateway's address has more than a host, a port and a path";
            return Err(Failure::bad_input(
                what,
                "give the address alone, and the token in SELVEDGE_TOKEN or with --token",
            ));
        }
        let wrong = || Failure::bad_input(format!("{text:?} is no address of a gateway"), EXAMPLE);
        let uri: Uri = text.parse().map_err(|_| wrong())?;
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err(wrong());
        };
        if !matches!(scheme, "http" | "https") || authority.host().is_empty() {
            return Err(wrong());
        }
        let base = format!("{scheme}://{authority}{}", uri.path().trim_end_matches('/'));
        Ok(Self { base, https: scheme == "https" })
    }

    pub(super) fn is_https(&self) -> bool {
        self.https
    }

    /// The address of something there; the path begins with a slash.
    pub(super) fn of(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.base)
    }
}

/// As it stands in an address.
pub(crate) fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let written = |byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(written).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_before_ours_is_kept_and_a_slash_at_the_end_is_not() {
        for (written, meant) in [
            ("http://127.0.0.1:7433", "http://127.0.0.1:7433/v1/sessions"),
            ("http://[::1]:80/", "http://[::1]:80/v1/sessions"),
            ("HTTPS://agents.example/selvedge/", "https://agents.example/selvedge/v1/sessions"),
        ] {
            assert_eq!(Address::parse(written).unwrap().of("/v1/sessions"), meant);
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for wrong in ["", "localhost", "127.0.0.1:7433", "/v1", "file:///x", "http://", "http://a b"] {
            assert_eq!(Address::parse(wrong).unwrap_err().told().0, 2, "{wrong:?}");
        }
    }
}
