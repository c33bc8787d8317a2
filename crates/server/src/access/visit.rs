//! Somebody who was let in and stays: what they may do is asked anew each time, for tokens change.

use std::convert::Infallible;

use axum::{extract::FromRequestParts, http::request::Parts};

use super::{known::Known, scope::Scope, tokens::TokenId};

/// A visit by a token; without one, everything may be done.
#[derive(Debug, Clone, Default)]
pub(crate) struct Visit(Option<(TokenId, Known)>);

impl Visit {
    pub(super) fn new(token: TokenId, known: Known) -> Self {
        Self(Some((token, known)))
    }

    /// Whether this may be done now.
    pub(crate) fn may(&self, scope: Scope) -> bool {
        self.0.as_ref().is_none_or(|(token, known)| known.now().has(*token, scope))
    }

    /// Waits until they may stay no longer.
    pub(crate) async fn over(self) {
        match self.0 {
            Some((token, known)) => known.revoked(token).await,
            None => std::future::pending().await,
        }
    }
}

impl<S: Sync> FromRequestParts<S> for Visit {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get::<Self>().cloned().unwrap_or_default())
    }
}
