//! The tokens that are known now: those of the start, until somebody changes them.

use std::sync::Arc;

use tokio::sync::watch;

use super::{
    scope::Scope,
    tokens::{TokenId, Tokens},
};

/// What is known, as of each moment.
#[derive(Debug, Clone)]
pub(crate) struct Known(watch::Receiver<Arc<Tokens>>);

impl Known {
    pub(super) fn new(said: watch::Receiver<Arc<Tokens>>) -> Self {
        Self(said)
    }

    /// These, for good.
    pub(crate) fn fixed(tokens: Tokens) -> Self {
        Self(watch::channel(Arc::new(tokens)).1)
    }

    pub(super) fn now(&self) -> Arc<Tokens> {
        Arc::clone(&self.0.borrow())
    }

    /// Waits until a token may no longer look.
    pub(super) fn revoked(&self, token: TokenId) -> impl Future<Output = ()> + Send + use<> {
        let mut said = self.0.clone();
        async move {
            let gone = |tokens: &Arc<Tokens>| !tokens.has(token, Scope::Read);
            if said.wait_for(gone).await.is_err() {
                // Nobody will change them any more.
                std::future::pending::<()>().await;
            }
        }
    }
}
