//! A login that a program brings: every app-server gets it before its first thread.

use std::{fmt, sync::Arc};

use selvedge_client::{
    Abilities, CallError, Client, Credentials, Redactions, RefreshReason, TokenSource, Tokens,
};

/// How app-servers are logged in, instead of with what lies in Codex's own directory. It is kept in memory, by Codex too, and written
/// nowhere: not to the journal, a recording, a log or an error.
///
/// A clone is the same one, and only clones are equal.
///
/// ```
/// use selvedge_runtime::{Config, Login, Tokens};
///
/// let config = Config { login: Some(Login::api_key("sk-…")), ..Config::default() };
/// assert!(!format!("{config:?}").contains("sk-"));
///
/// let tokens = Tokens { access_token: "…".into(), account_id: Some("…".into()), ..Tokens::default() };
/// let login = Login::tokens(tokens).renewed_by(async |_why| Err("log in again".to_owned()));
/// ```
#[derive(Clone)]
pub struct Login {
    inner: Arc<Inner>,
}

struct Inner {
    credentials: Credentials,
    source: Option<TokenSource>,
}

impl Login {
    /// With an API key.
    pub fn api_key(key: impl Into<String>) -> Self {
        Self::of(Credentials::ApiKey(key.into()), None)
    }

    /// With tokens of a ChatGPT account that the program keeps. When they expire the turn fails, unless somebody
    /// [renews](Login::renewed_by) them.
    #[must_use]
    pub fn tokens(tokens: Tokens) -> Self {
        Self::of(Credentials::ExternalTokens(tokens), None)
    }

    /// Who gives new tokens when Codex asks for them. An error refuses, with its words.
    #[must_use]
    pub fn renewed_by<F>(self, renew: impl Fn(RefreshReason) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<Tokens, String>> + Send + 'static,
    {
        Self::of(self.inner.credentials.clone(), Some(TokenSource::new(renew)))
    }

    fn of(credentials: Credentials, source: Option<TokenSource>) -> Self {
        Self { inner: Arc::new(Inner { credentials, source }) }
    }

    pub(crate) fn source(&self) -> Option<TokenSource> {
        self.inner.source.clone()
    }

    /// Nothing of it is passed on from here on.
    pub(crate) fn hide(&self, redactions: &Redactions) {
        match &self.inner.credentials {
            Credentials::ApiKey(key) => redactions.add(key),
            Credentials::ExternalTokens(tokens) => {
                redactions.add(&tokens.access_token);
                tokens.id_token.iter().for_each(|token| redactions.add(token));
            }
        }
    }

    /// Logs an app-server in.
    pub(crate) async fn log_in(&self, client: &Client) -> Result<(), CallError> {
        let can = match &self.inner.credentials {
            // It has one shape only.
            Credentials::ApiKey(_) => Abilities::default(),
            Credentials::ExternalTokens(_) => client.abilities().await?,
        };
        client.login(&self.inner.credentials, &can).await.map(drop)
    }
}

impl PartialEq for Login {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }
}

// Without the values: what is debugged ends in logs.
impl fmt::Debug for Login {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Login").field(&self.inner.credentials).finish()
    }
}
