//! Who is logged in to Codex, and how much of the limits is used. Nothing of it is secret.

use std::borrow::Cow;

use selvedge_client::protocol::{object::Object, view::View as _};
use selvedge_session::{Code, Json};
use serde::Serialize;
use serde_json::{json, value::RawValue};

use crate::{asking, error::Error, runtime::Runtime};

/// The one kind of account whose limits Codex knows.
const WITH_LIMITS: &str = "chatgpt";

/// Whose account Codex works with.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Account {
    /// Whether somebody is logged in.
    pub logged_in: bool,
    /// Whether somebody has to be: not with a provider of one's own.
    pub login_needed: bool,
    /// How, in Codex's words: `apiKey`, `chatgpt`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Who.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// What was bought.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// How much of the account's limits is used, in Codex's words; unknown for accounts without.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Object>))]
    pub rate_limits: Option<Json>,
}

impl Runtime {
    /// Whose account Codex works with.
    pub async fn account(&self) -> Result<Account, Error> {
        let reply = asking::ask(&self.house, "account/read", &json!({})).await?;
        let unreadable =
            || Error::coded(Code::CodexUnusable, "what Codex says of its account cannot be read");
        let said = Object::view(reply.result()).ok_or_else(unreadable)?;
        let mut account = read(&said);
        if account.kind.as_deref() == Some(WITH_LIMITS) {
            // Without them the account is still one.
            account.rate_limits = self.rate_limits().await.ok().flatten();
        }
        Ok(account)
    }

    async fn rate_limits(&self) -> Result<Option<Json>, Error> {
        let asked = json!({ "excludeResetCreditDetails": true });
        let reply = asking::ask(&self.house, "account/rateLimits/read", &asked).await?;
        Ok(Object::view(reply.result()).and_then(|said| said.get::<&RawValue>("rateLimits")).map(Json::from))
    }
}

fn read(said: &Object<'_>) -> Account {
    let who = said.get::<Object<'_>>("account");
    let text = |key: &str| who.as_ref()?.get::<Cow<'_, str>>(key).map(Cow::into_owned);
    Account {
        logged_in: who.is_some(),
        login_needed: said.get("requiresOpenaiAuth").unwrap_or(false),
        kind: text("type"),
        email: text("email"),
        plan: text("planType"),
        rate_limits: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(text: &str) -> Account {
        read(&Object::view(&RawValue::from_string(text.to_owned()).unwrap()).unwrap())
    }

    #[test]
    fn nothing_but_who_it_is_is_told() {
        let chatgpt = account(
            r#"{"account":{"type":"chatgpt","email":"a@b.c","planType":"plus","token":"secret"},"requiresOpenaiAuth":true}"#,
        );
        assert_eq!((chatgpt.logged_in, chatgpt.login_needed), (true, true));
        assert_eq!((chatgpt.email.as_deref(), chatgpt.plan.as_deref()), (Some("a@b.c"), Some("plus")));
        assert!(!serde_json::to_string(&chatgpt).unwrap().contains("secret"));
        let nobody = account(r#"{"account":null,"requiresOpenaiAuth":true}"#);
        assert_eq!(nobody, Account { login_needed: true, ..Account::default() });
        assert_eq!(account(r#"{"account":null,"requiresOpenaiAuth":false}"#), Account::default());
    }
}
