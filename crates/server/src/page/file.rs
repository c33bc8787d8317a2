//! One file of the page, and how it is answered: compressed for whoever takes that, and kept by the browser.

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::Response,
};
use sha2::{Digest as _, Sha256};

use crate::accepted;

/// A file within this program.
#[derive(Debug)]
pub(crate) struct File {
    /// Where it lies in the built page, without a slash before it.
    pub(crate) path: &'static str,
    pub(crate) plain: &'static [u8],
    /// The same, compressed.
    pub(crate) gzip: Option<&'static [u8]>,
}

impl File {
    /// Whether its name changes with what is in it: `assets/index-B1x2.js`.
    pub(crate) fn is_asset(&self) -> bool {
        self.path.starts_with("assets/")
    }

    /// The answer to a request with these headers.
    pub(crate) fn answer(&self, asked: &HeaderMap) -> Response {
        let mut response = self.in_a_form_for(asked);
        if self.is_asset() {
            say(&mut response, header::CACHE_CONTROL, "public, max-age=31536000, immutable");
            return response;
        }
        say(&mut response, header::CACHE_CONTROL, "no-cache");
        let tag = self.tag();
        if is_known(asked, &tag) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            *response.body_mut() = Body::empty();
        }
        if let Ok(tag) = HeaderValue::try_from(tag) {
            response.headers_mut().insert(header::ETAG, tag);
        }
        response
    }

    fn in_a_form_for(&self, asked: &HeaderMap) -> Response {
        let gzip = self.gzip.filter(|_| accepted::names(asked, &header::ACCEPT_ENCODING, "gzip"));
        let mut response = Response::new(Body::from(Bytes::from_static(gzip.unwrap_or(self.plain))));
        say(&mut response, header::CONTENT_TYPE, kind(self.path));
        if gzip.is_some() {
            say(&mut response, header::CONTENT_ENCODING, "gzip");
        }
        if self.gzip.is_some() {
            say(&mut response, header::VARY, "accept-encoding");
        }
        response
    }

    /// Weak, for it is the same for both forms.
    fn tag(&self) -> String {
        let sum: [u8; 32] = Sha256::digest(self.plain).into();
        let hex: String = sum.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
        format!("W/\"{hex}\"")
    }
}

fn say(response: &mut Response, name: HeaderName, value: &'static str) {
    response.headers_mut().insert(name, HeaderValue::from_static(value));
}

fn is_known(asked: &HeaderMap, tag: &str) -> bool {
    let lines = asked.get_all(header::IF_NONE_MATCH).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|known| known.trim() == tag)
}

/// What a browser is told it is; `nosniff` makes it believe that.
fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;

    use super::*;

    const SCRIPT: File = File { path: "assets/index-B1x2.js", plain: b"plain", gzip: Some(b"small") };
    const ICON: File = File { path: "icon.svg", plain: b"<svg/>", gzip: None };

    async fn asked(file: &File, header: HeaderName, value: &str) -> (StatusCode, HeaderMap, Bytes) {
        let value = HeaderValue::try_from(value).unwrap();
        let (head, body) = file.answer(&[(header, value)].into_iter().collect()).into_parts();
        (head.status, head.headers, body.collect().await.unwrap().to_bytes())
    }

    #[tokio::test]
    async fn it_comes_compressed_to_whoever_takes_that() {
        let (_, head, body) = asked(&SCRIPT, header::ACCEPT_ENCODING, "br, gzip").await;
        assert_eq!((&head["content-encoding"], &body[..]), (&"gzip".parse().unwrap(), &b"small"[..]));
        let (_, head, body) = asked(&SCRIPT, header::ACCEPT_ENCODING, "br").await;
        assert_eq!((head.get("content-encoding"), &body[..]), (None, &b"plain"[..]));
        assert_eq!(head["vary"], "accept-encoding");
        let (_, head, body) = asked(&ICON, header::ACCEPT_ENCODING, "gzip").await;
        assert_eq!((head.get("content-encoding"), &body[..]), (None, &b"<svg/>"[..]));
    }

    #[tokio::test]
    async fn what_has_a_name_of_its_own_is_kept_and_the_rest_is_asked_for_again() {
        let (_, head, _) = asked(&SCRIPT, header::ACCEPT, "*/*").await;
        assert_eq!(head["cache-control"], "public, max-age=31536000, immutable");
        assert_eq!(head["content-type"], "text/javascript; charset=utf-8");
        let (status, head, _) = asked(&ICON, header::IF_NONE_MATCH, "\"another\"").await;
        assert_eq!((status, &head["cache-control"]), (StatusCode::OK, &"no-cache".parse().unwrap()));
        let tag = head["etag"].to_str().unwrap();
        let (status, head, body) = asked(&ICON, header::IF_NONE_MATCH, &format!("\"another\", {tag}")).await;
        assert_eq!((status, body.len()), (StatusCode::NOT_MODIFIED, 0));
        assert_eq!(head["etag"], tag);
    }
}
