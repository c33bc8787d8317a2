//! Which site asks. Another one may bring a person here by a link; it may ask nothing in their name.

use axum::{
    extract::Request,
    http::{HeaderMap, Method},
};
use selvedge_session::Code;

use super::{host::Hosts, text};
use crate::problem::Problem;

/// Refuses what a browser asks for another site.
pub(super) fn check(request: &Request, host: &str, hosts: &Hosts) -> Result<(), Problem> {
    let headers = request.headers();
    if headers.contains_key("origin") {
        let origin = text(headers, "origin").unwrap_or_default().to_ascii_lowercase();
        if !is_same(&origin, host, hosts) {
            return Err(Problem::coded(Code::OriginRefused, format!("{origin:?} may not ask this")));
        }
        return Ok(());
    }
    let elsewhere = matches!(text(headers, "sec-fetch-site"), Some("cross-site" | "same-site"));
    if elsewhere && !is_link(request.method(), headers) {
        return Err(Problem::of(Code::OriginRefused));
    }
    Ok(())
}

fn is_same(origin: &str, host: &str, hosts: &Hosts) -> bool {
    let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    authority.is_some_and(|authority| authority == host || hosts.is_named(authority))
}

/// A person followed a link: a whole page, not a frame or a picture. Cookies do not come with it.
fn is_link(method: &Method, headers: &HeaderMap) -> bool {
    *method == Method::GET
        && text(headers, "sec-fetch-mode") == Some("navigate")
        && text(headers, "sec-fetch-dest") == Some("document")
}
