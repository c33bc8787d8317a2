//! What stands in the path: what cannot be read there names nothing that there is.

use axum::{
    extract::{FromRequestParts, Path, RawPathParams, path::ErrorKind, rejection::PathRejection},
    http::request::Parts,
};
use selvedge_session::Code;
use serde::de::DeserializeOwned;

use crate::problem::Problem;

/// A part of the path, or several.
pub(crate) struct InPath<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for InPath<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let read = Path::<T>::from_request_parts(parts, state).await;
        match read {
            Ok(Path(read)) => Ok(Self(read)),
            Err(error) => {
                let problem = Problem::coded(Code::NotFound, error.body_text());
                let params = RawPathParams::from_request_parts(parts, state).await;
                Err(problem.field(params.ok().and_then(|params| name(&error, &params)).unwrap_or_default()))
            }
        }
    }
}

/// The name of the part that cannot be read. Where the address has one only, axum does not say which.
fn name(error: &PathRejection, params: &RawPathParams) -> Option<String> {
    let PathRejection::FailedToDeserializePathParams(error) = error else { return None };
    let place = match error.kind() {
        ErrorKind::ParseErrorAtKey { key, .. }
        | ErrorKind::DeserializeError { key, .. }
        | ErrorKind::InvalidUtf8InPathParam { key } => return Some(key.clone()),
        ErrorKind::ParseErrorAtIndex { index, .. } => *index,
        _ => 0,
    };
    params.iter().nth(place).map(|(name, _)| name.to_owned())
}
