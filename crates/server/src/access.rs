//! Who asks.

use std::convert::Infallible;

use axum::{extract::FromRequestParts, http::request::Parts};

/// Who asks: the name of their token, and the surface.
#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) name: String,
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get::<Self>().cloned().unwrap_or_else(|| Self { name: "local/http".to_owned() }))
    }
}
