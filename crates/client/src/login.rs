//! Logging in, and keeping external tokens fresh.

use std::{fmt, future::Future, pin::Pin, sync::Arc};

use selvedge_protocol::frame::RequestId;
use serde::Serialize;
use serde_json::{Value, json, value::RawValue};
use tokio::task::JoinSet;

use crate::{
    abilities::{Abilities, TokenShape},
    client::{Client, Reply},
    error::CallError,
    lanes::{Lane, Lanes, Outgoing},
    redactions::Redactions,
};

/// What Codex asks when its external tokens have expired.
pub(crate) const REFRESH_METHOD: &str = "account/chatgptAuthTokens/refresh";
const INTERNAL_ERROR: i64 = -32603;

/// How to log in.
#[derive(Clone)]
pub enum Credentials {
    /// An API key.
    ApiKey(String),
    /// Tokens that somebody else keeps; give a [`TokenSource`] too, for when they expire.
    ExternalTokens(Tokens),
}

/// Tokens of a ChatGPT account.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Always needed.
    pub access_token: String,
    /// Needed where the shape is [`TokenShape::WithIdToken`].
    pub id_token: Option<String>,
    /// Needed where it is [`TokenShape::AccessToken`].
    pub account_id: Option<String>,
    /// Told to newer versions if known.
    pub plan_type: Option<String>,
}

// Without the values: what is debugged ends in logs.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ApiKey(_) => "ApiKey(…)",
            Self::ExternalTokens(_) => "ExternalTokens(…)",
        })
    }
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tokens(…)")
    }
}

impl Tokens {
    /// The fields that a Codex wants. Old and unknown ones get both shapes: each passes over what it does not know.
    fn fields(&self, shape: Option<TokenShape>) -> Value {
        let mut fields = json!({ "accessToken": self.access_token });
        let old = shape != Some(TokenShape::AccessToken);
        let optional = [
            ("idToken", self.id_token.as_ref().filter(|_| old)),
            ("chatgptAccountId", self.account_id.as_ref()),
            ("chatgptPlanType", self.plan_type.as_ref()),
        ];
        for (name, value) in optional {
            if let Some(value) = value {
                fields[name] = json!(value);
            }
        }
        fields
    }

    fn redact(&self, redactions: &Redactions) {
        redactions.add(&self.access_token);
        if let Some(id_token) = &self.id_token {
            redactions.add(id_token);
        }
    }
}

impl Client {
    /// Logs in, in the shape that this Codex wants.
    pub async fn login(&self, credentials: &Credentials, can: &Abilities) -> Result<Reply, CallError> {
        let params = match credentials {
            Credentials::ApiKey(key) => {
                self.redactions().add(key);
                json!({ "type": "apiKey", "apiKey": key })
            }
            Credentials::ExternalTokens(tokens) => {
                tokens.redact(self.redactions());
                let mut params = tokens.fields(Some(can.tokens()));
                params["type"] = json!("chatgptAuthTokens");
                params
            }
        };
        self.request("account/login/start", &params).await
    }
}

/// Why Codex wants new tokens, in its own words, and for which account.
#[derive(Debug, Clone, Default)]
pub struct RefreshReason {
    /// For example `unauthorized`.
    pub reason: Option<String>,
    /// The account whose tokens these were.
    pub previous_account_id: Option<String>,
}

type Refreshing = Pin<Box<dyn Future<Output = Result<Tokens, String>> + Send>>;

/// Gives new tokens when Codex asks for them. An error refuses, with its words.
#[derive(Clone)]
pub struct TokenSource {
    refresh: Arc<dyn Fn(RefreshReason) -> Refreshing + Send + Sync>,
}

impl TokenSource {
    /// A source from an async function.
    pub fn new<F, T>(refresh: F) -> Self
    where
        F: Fn(RefreshReason) -> T + Send + Sync + 'static,
        T: Future<Output = Result<Tokens, String>> + Send + 'static,
    {
        Self { refresh: Arc::new(move |reason| Box::pin(refresh(reason))) }
    }
}

impl fmt::Debug for TokenSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenSource")
    }
}

/// Answers refresh requests beside the reader; what is under way ends with it.
pub(crate) struct Refresher {
    source: TokenSource,
    lanes: Arc<Lanes>,
    redactions: Redactions,
    under_way: JoinSet<()>,
}

#[derive(Serialize)]
struct RefreshAnswer<'a> {
    id: &'a RequestId<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

impl Refresher {
    pub(crate) fn new(source: TokenSource, lanes: Arc<Lanes>, redactions: Redactions) -> Self {
        Self { source, lanes, redactions, under_way: JoinSet::new() }
    }

    /// Asks the source and answers Codex, without holding up the reader.
    pub(crate) fn refresh(&mut self, id: RequestId<'static>, params: Option<&RawValue>) {
        while self.under_way.try_join_next().is_some() {}
        let params: Value = params.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
        let text = |key: &str| params[key].as_str().map(str::to_owned);
        let reason = RefreshReason { reason: text("reason"), previous_account_id: text("previousAccountId") };
        let (lanes, redactions) = (Arc::clone(&self.lanes), self.redactions.clone());
        let refreshing = (self.source.refresh)(reason);
        self.under_way.spawn(async move {
            let outcome = refreshing.await;
            if let Ok(tokens) = &outcome {
                tokens.redact(&redactions);
            }
            let (result, error) = match outcome {
                // The reader does not know the version; both shapes at once suit each.
                Ok(tokens) => (Some(tokens.fields(None)), None),
                Err(message) => (None, Some(json!({ "code": INTERNAL_ERROR, "message": message }))),
            };
            if let Ok(mut line) = serde_json::to_vec(&RefreshAnswer { id: &id, result, error }) {
                line.push(b'\n');
                // Closed lanes mean that Codex is gone, and with it the one who asked.
                let _unsent = lanes.push(Lane::Urgent, Outgoing { id: None, line });
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_codex_gets_the_fields_it_wants() {
        let tokens = Tokens {
            access_token: "access".into(),
            id_token: Some("id".into()),
            account_id: Some("account".into()),
            plan_type: None,
        };
        let old = json!({"accessToken": "access", "idToken": "id", "chatgptAccountId": "account"});
        let new = json!({"accessToken": "access", "chatgptAccountId": "account"});
        let cases =
            [(Some(TokenShape::WithIdToken), &old), (Some(TokenShape::AccessToken), &new), (None, &old)];
        for (shape, expected) in cases {
            assert_eq!(&tokens.fields(shape), expected, "{shape:?}");
        }
    }

    #[test]
    fn secrets_are_not_debugged() {
        let tokens = Tokens { access_token: "secret".into(), ..Tokens::default() };
        let shown = format!(
            "{tokens:?} {:?} {:?}",
            Credentials::ApiKey("secret".into()),
            Credentials::ExternalTokens(tokens.clone())
        );
        assert!(!shown.contains("secret"), "{shown}");
    }
}
