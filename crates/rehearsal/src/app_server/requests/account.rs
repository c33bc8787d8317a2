//! Models, the account and the configuration: there is one model, no account, and little to configure.

use serde_json::{Value, json};

use super::super::{
    dispatch::{Ask, Handled, Reply},
    messages,
    params::{self, Login},
    thread::{MODEL, PROVIDER},
    wire::RpcError,
};

pub(in super::super) fn models() -> Value {
    let efforts =
        json!([{ "reasoningEffort": "medium", "description": "There is no reasoning in a rehearsal" }]);
    let model = json!({
        "id": MODEL, "model": MODEL, "upgrade": null, "upgradeInfo": null, "availabilityNux": null,
        "displayName": "Rehearsal", "description": "Plays a scenario; no model is asked.", "modelSpecialty": null,
        "hidden": false, "supportedReasoningEfforts": efforts, "defaultReasoningEffort": "medium",
        "inputModalities": ["text", "image"], "supportsPersonality": false, "multiAgentVersion": "v2",
        "additionalSpeedTiers": [], "serviceTiers": [], "defaultServiceTier": null,
        "availableAccessPrograms": null, "isDefault": true,
    });
    json!({ "data": [model], "nextCursor": null })
}

/// As Codex says it with a provider of one's own: no account, and none needed.
pub(in super::super) fn account() -> Value {
    json!({ "account": null, "requiresOpenaiAuth": false, "workspaceRouting": null })
}

pub(in super::super) fn config() -> Value {
    let config = json!({
        "model": MODEL, "model_provider": PROVIDER, "approval_policy": "on-request",
        "sandbox_mode": "workspace-write", "mcp_servers": {}, "model_providers": {}, "profiles": {},
    });
    json!({ "config": config, "origins": {}, "layers": null })
}

/// Any key is taken and none is kept.
pub(in super::super) async fn login(ask: Ask<'_>) -> Handled {
    let (kind, mode) = match params::read(ask.params.clone())? {
        Login::ApiKey { api_key } if api_key.is_empty() => {
            return Err(RpcError::invalid("an API key is not empty"));
        }
        Login::ApiKey { .. } => ("apiKey", "apikey"),
        Login::ChatgptAuthTokens {} => ("chatgptAuthTokens", "chatgptAuthTokens"),
        Login::Chatgpt {} | Login::ChatgptDeviceCode {} => {
            return Err(RpcError::invalid("a rehearsal has no browser login"));
        }
    };
    ask.answer(json!({ "type": kind })).await;
    ask.server.tell(&messages::login_completed()).await;
    ask.server.tell(&messages::account_updated(mode)).await;
    Ok(Reply::Later)
}
