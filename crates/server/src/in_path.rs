//! What stands in the path: what cannot be read there names nothing that there is.

use axum::{
    extract::{FromRequestParts, Path},
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
        let Path(read) = read.map_err(|error| Problem::coded(Code::NotFound, error.body_text()))?;
        Ok(Self(read))
    }
}
