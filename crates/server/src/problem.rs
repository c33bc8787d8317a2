//! Every error of the gateway: `application/problem+json`, with a stable code, and what to do.

use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use selvedge_runtime::Error;
use selvedge_session::Code;
use serde::Serialize;

/// Why a request was not done, as RFC 9457 writes it.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct Problem {
    /// The HTTP status, again.
    pub status: u16,
    /// Stable, for programs; `docs/errors.md` lists them.
    pub code: &'static str,
    /// What the code means.
    pub title: &'static str,
    /// What happened.
    pub detail: String,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What of the request is wrong, as a path: `budget.max_total_tokens`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

impl Problem {
    /// With the code's own words.
    pub(crate) fn of(code: Code) -> Self {
        Self::coded(code, code.message())
    }

    /// With words of one's own.
    pub(crate) fn coded(code: Code, detail: impl Into<String>) -> Self {
        Error::coded(code, detail).into()
    }

    /// With another way out than the code's own.
    pub(crate) fn hint(mut self, hint: &str) -> Self {
        self.hint = Some(hint.to_owned());
        self
    }

    /// About this part of the request.
    pub(crate) fn field(mut self, path: impl Into<String>) -> Self {
        self.field = Some(path.into()).filter(|path| !path.is_empty());
        self
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let Error { code, message, hint, field } = error;
        let status = status(code).as_u16();
        Self {
            status,
            code: code.as_str(),
            title: code.message(),
            detail: message,
            hint,
            field: field.or_else(|| always_about(code)).map(str::to_owned),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        // Strings and a number: it can be written.
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = status;
        let kind = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        if matches!(status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
        }
        if [Code::BodyTooLarge.as_str(), Code::BodyTooSlow.as_str()].contains(&self.code) {
            // What is left of the body is not read, so nothing can follow it.
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}

/// What of a request a code is about wherever it comes from.
fn always_about(code: Code) -> Option<&'static str> {
    match code {
        Code::KeyReused => Some("Idempotency-Key"),
        Code::DecisionNotOffered => Some("decision"),
        _ => None,
    }
}

/// The one table from codes to statuses.
fn status(code: Code) -> StatusCode {
    match code {
        Code::Unauthenticated => StatusCode::UNAUTHORIZED,
        Code::Forbidden | Code::OriginRefused | Code::OutsideRoots => StatusCode::FORBIDDEN,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        Code::BodyTooSlow => StatusCode::REQUEST_TIMEOUT,
        Code::BodyTooLarge | Code::InputTooLong => StatusCode::PAYLOAD_TOO_LARGE,
        Code::MediaTypeUnsupported => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Code::HostRefused => StatusCode::MISDIRECTED_REQUEST,
        Code::TooManyAttempts | Code::TooMuch => StatusCode::TOO_MANY_REQUESTS,
        Code::Busy
        | Code::NotRunning
        | Code::Archived
        | Code::NotQueued
        | Code::AlreadyAnswered
        | Code::Idle
        | Code::Duplicate
        | Code::CursorAhead
        | Code::ToolsFixed
        | Code::ThreadBusy
        | Code::OwnedElsewhere => StatusCode::CONFLICT,
        Code::KeyReused | Code::DecisionNotOffered | Code::PriceUnknown | Code::ImageUrlRefused => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        Code::StorageFull => StatusCode::INSUFFICIENT_STORAGE,
        Code::Draining | Code::CodexMissing | Code::CodexUnusable | Code::NotLoggedIn => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        Code::Internal | Code::JournalDamaged | Code::JournalNewer => StatusCode::INTERNAL_SERVER_ERROR,
        _ => StatusCode::BAD_REQUEST,
    }
}
