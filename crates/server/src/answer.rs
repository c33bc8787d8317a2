//! An answer in JSON.

use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use selvedge_session::Code;
use serde::Serialize;

use crate::problem::Problem;

/// A status, and what is said with it.
pub(crate) struct Answer<T>(pub(crate) StatusCode, pub(crate) T);

impl<T> Answer<T> {
    /// Here it is.
    pub(crate) fn ok(said: T) -> Self {
        Self(StatusCode::OK, said)
    }

    /// It is there from now on.
    pub(crate) fn created(said: T) -> Self {
        Self(StatusCode::CREATED, said)
    }

    /// It will be done.
    pub(crate) fn accepted(said: T) -> Self {
        Self(StatusCode::ACCEPTED, said)
    }
}

impl<T: Serialize> IntoResponse for Answer<T> {
    fn into_response(self) -> Response {
        let Ok(body) = serde_json::to_vec(&self.1) else {
            return Problem::coded(Code::Internal, "the answer cannot be written").into_response();
        };
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = self.0;
        let kind = HeaderValue::from_static("application/json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        response
    }
}
