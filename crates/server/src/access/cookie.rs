//! The page's cookie: how it is named, set and found.

use super::tokens::page_secret;

/// Thirty days.
const LIFE: u32 = 30 * 24 * 60 * 60;
/// What programs ask; everything else is the page's.
const OF_PROGRAMS: [&str; 9] =
    ["v1", "ws", "a2a", "mcp", "metrics", "openapi.json", "healthz", "readyz", ".well-known"];

/// Two gateways on one machine have the same host, and a browser tells cookies apart by host only.
pub(super) fn name(port: u16) -> String {
    format!("selvedge_{port}")
}

/// Whether a browser shows what is at this address.
pub(crate) fn is_page(path: &str) -> bool {
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    !OF_PROGRAMS.contains(&first)
}

/// The header that sets it: for this site's own requests only, and not for scripts.
pub(super) fn set(name: &str, secret: &str) -> String {
    format!("{name}={}; Path=/; Max-Age={LIFE}; HttpOnly; SameSite=Strict", page_secret(secret))
}

/// Its value in a `Cookie` header.
pub(super) fn value<'a>(header: &'a str, name: &str) -> Option<&'a str> {
    let mut pairs = header.split(';').filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(known, _)| *known == name).map(|(_, value)| value)
}
