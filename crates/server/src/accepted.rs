//! What a request takes as an answer, by its `Accept` headers: kinds, encodings.

use axum::http::{HeaderMap, HeaderName};

/// Whether this is named among what is taken, and not as what is refused (`q=0`). What takes everything names nothing.
pub(crate) fn names(headers: &HeaderMap, header: &HeaderName, wanted: &str) -> bool {
    let lines = headers.get_all(header).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|taken| {
        let mut parts = taken.split(';').map(str::trim);
        parts.next().is_some_and(|name| name.eq_ignore_ascii_case(wanted)) && !parts.any(refuses)
    })
}

fn refuses(parameter: &str) -> bool {
    let weight = parameter.strip_prefix("q=").or_else(|| parameter.strip_prefix("Q="));
    weight.and_then(|weight| weight.parse::<f32>().ok()) == Some(0.0)
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderValue, header::ACCEPT_ENCODING};

    use super::*;

    #[test]
    fn what_is_named_is_taken_unless_it_weighs_nothing() {
        let gzip = |line: &'static str| {
            let headers = [(ACCEPT_ENCODING, HeaderValue::from_static(line))].into_iter().collect();
            names(&headers, &ACCEPT_ENCODING, "gzip")
        };
        for line in ["gzip", "br, GZIP", "deflate,gzip;q=0.5", "gzip ; q=1"] {
            assert!(gzip(line), "{line}");
        }
        for line in ["", "*", "br", "gzip;q=0", "gzip; q=0.0", "xgzip"] {
            assert!(!gzip(line), "{line}");
        }
        assert!(!names(&HeaderMap::new(), &ACCEPT_ENCODING, "gzip"));
    }
}
