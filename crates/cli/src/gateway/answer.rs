//! What a gateway answers: read whole, of our version, and an error as the runtime would have told it.

use bytes::Bytes;
use http_body_util::{BodyExt as _, Limited};
use hyper::{HeaderMap, Response, StatusCode, body::Incoming, header};
use selvedge_runtime::Error;
use selvedge_server::VERSION_HEADER;
use selvedge_session::Code;
use serde::{Deserialize, de::DeserializeOwned};

use super::{Target, words};

/// More is no answer of ours.
const LARGEST: usize = 256 << 20;

/// An answer.
#[derive(Debug)]
pub(super) struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

/// A problem as RFC 9457 writes it, as far as it is used.
#[derive(Deserialize)]
struct Problem {
    code: String,
    detail: String,
    hint: Option<String>,
}

impl Answer {
    /// Reads it to its end.
    pub(super) async fn whole(response: Response<Incoming>) -> Result<Self, String> {
        let (parts, body) = response.into_parts();
        let body = Limited::new(body, LARGEST).collect().await;
        let body = body.map_err(|error| format!("the answer broke off: {error}"))?.to_bytes();
        Ok(Self { status: parts.status, headers: parts.headers, body })
    }

    /// The same, if a gateway of our version did what was asked.
    pub(super) fn understood(self, target: &Target) -> Result<Self, Error> {
        of_our_version(&self.headers, target)?;
        if self.status.is_success() {
            return match self.headers.contains_key(VERSION_HEADER) {
                true => Ok(self),
                false => Err(words::foreign(target, "it does not say that it is one")),
            };
        }
        Err(self.problem(target))
    }

    fn problem(&self, target: &Target) -> Error {
        let kind = self.headers.get(header::CONTENT_TYPE).map(|kind| kind.as_bytes());
        let is_problem = kind.is_some_and(|kind| kind.starts_with(b"application/problem+json"));
        let problem = is_problem.then(|| serde_json::from_slice::<Problem>(&self.body).ok()).flatten();
        let Some(Problem { code, detail, hint }) = problem else {
            return words::foreign(target, &format!("it answered {}", self.status));
        };
        let code = Code::named(&code).unwrap_or(Code::Other);
        if code == Code::Unauthenticated {
            return words::unauthenticated(target);
        }
        Error { code, message: detail, hint, field: None }
    }

    /// What it says.
    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T, String> {
        serde_json::from_slice(&self.body).map_err(|error| format!("its answer cannot be read: {error}"))
    }

    pub(super) fn body(&self) -> &Bytes {
        &self.body
    }
}

/// Another version may mean other things by the same words. Who says none is not known to be one.
pub(super) fn of_our_version(headers: &HeaderMap, target: &Target) -> Result<(), Error> {
    let version = headers.get(VERSION_HEADER).and_then(|version| version.to_str().ok());
    match version {
        Some(version) if !fits(version) => Err(words::foreign(
            target,
            &format!("it is version {version}, and this is {}", env!("CARGO_PKG_VERSION")),
        )),
        _ => Ok(()),
    }
}

/// Whether we understand each other: before 1.0 a minor version may break.
pub(super) fn fits(version: &str) -> bool {
    let minor = |version: &str| {
        let mut parts = version.split('.').map(str::to_owned);
        (parts.next(), parts.next())
    };
    minor(version) == minor(env!("CARGO_PKG_VERSION"))
}
