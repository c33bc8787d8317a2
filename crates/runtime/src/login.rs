//! A login that a program brings: every app-server gets it before its first thread.

use std::{fmt, sync::Arc};

use selvedge_client::{
    Abilities, CallError, Client, Credentials, Redactions, RefreshReason, TokenSource, Tokens,
};
use sha2::{Digest, Sha256};

use crate::files::hex;

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

    /// By what it is told from another login, in this program or the next; it gives nothing of it away.
    pub(crate) fn mark(&self) -> String {
        let mut digest = Sha256::new();
        // Each with its length, so that no two logins are written the same.
        let mut add = |part: &str| {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        };
        match &self.inner.credentials {
            Credentials::ApiKey(key) => ["key", key.as_str()].into_iter().for_each(add),
            Credentials::ExternalTokens(tokens) => {
                let Tokens { access_token, id_token, account_id, plan_type: _ } = tokens;
                add("tokens");
                add(access_token);
                [id_token, account_id].into_iter().for_each(|part| add(part.as_deref().unwrap_or_default()));
            }
        }
        hex(&digest.finalize())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_tells_logins_apart_and_nothing_of_them() {
        let tokens = |access: &str, account: Option<&str>| {
            let account_id = account.map(str::to_owned);
            Login::tokens(Tokens { access_token: access.into(), account_id, ..Tokens::default() })
        };
        let marks = [
            Login::api_key("secret-a"),
            Login::api_key("secret-b"),
            tokens("secret-a", None),
            tokens("secret-a", Some("team")),
            tokens("secret-b", Some("team")),
        ]
        .map(|login| login.mark());
        let different: std::collections::BTreeSet<_> = marks.iter().collect();
        assert_eq!(different.len(), marks.len());
        assert!(marks.iter().all(|mark| !mark.contains("secret")));
        assert_eq!(Login::api_key("secret-a").mark(), marks[0], "another program finds the same");
    }
}
