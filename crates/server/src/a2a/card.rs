//! An agent's card: what it says of itself to everybody, and a little more to who has a token.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::Response,
};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::agents::{Agent, Extension, Skill};
use selvedge_session::Timestamp;

/// The version of the protocol that is spoken.
pub(crate) const VERSION: &str = "1.0";
/// For how long a card may be kept, in seconds.
const KEPT: u32 = 300;

/// Who asks for a card, and from where.
pub(crate) struct Asked<'a> {
    /// The gateway as it is reached, with scheme and host.
    pub(crate) base: &'a str,
    /// Whether a token is needed.
    pub(crate) locked: bool,
    /// Whether who asks has shown one.
    pub(crate) extended: bool,
}

/// The card.
pub(crate) fn card(agent: &Agent, asked: &Asked<'_>) -> Value {
    let base = agent.url.as_deref().unwrap_or(asked.base).trim_end_matches('/');
    let place = if agent.default { format!("{base}/a2a") } else { format!("{base}/a2a/{}", agent.key) };
    let interface = |url: String, binding: &str| json!({"url": url, "protocolBinding": binding, "protocolVersion": VERSION});
    let extended = if asked.extended { agent.extended_skills.as_slice() } else { &[] };
    let skills: Vec<Value> = agent.skills.iter().chain(extended).map(skill).collect();
    let description = match agent.description.as_str() {
        "" => "A coding agent.",
        description => description,
    };
    let mut card = json!({
        "name": agent.title(),
        "description": description,
        "supportedInterfaces": [
            interface(place.clone(), "JSONRPC"),
            interface(format!("{place}/rest"), "HTTP+JSON"),
        ],
        "version": agent.version,
        "capabilities": {
            "streaming": true,
            "pushNotifications": agent.push,
            "extendedAgentCard": true,
        },
        "defaultInputModes": modes(agent),
        "defaultOutputModes": ["text/plain", "application/json"],
        "skills": if skills.is_empty() { vec![skill(&Skill::plain())] } else { skills },
    });
    if let Some(card) = card.as_object_mut() {
        say_more(card, agent, asked.locked);
    }
    card
}

fn say_more(card: &mut Map<String, Value>, agent: &Agent, locked: bool) {
    if let Some(organization) = &agent.organization {
        let url = agent.organization_url.clone().unwrap_or_default();
        card.insert("provider".to_owned(), json!({"organization": organization, "url": url}));
    }
    for (name, url) in [("documentationUrl", &agent.documentation_url), ("iconUrl", &agent.icon_url)] {
        if let Some(url) = url {
            card.insert(name.to_owned(), json!(url));
        }
    }
    if !agent.extensions.is_empty() {
        let said =
            |it: &Extension| json!({"uri": it.uri, "description": it.description, "required": it.required});
        card["capabilities"]["extensions"] = agent.extensions.iter().map(said).collect();
    }
    if locked {
        let scheme = json!({"httpAuthSecurityScheme": {"scheme": "Bearer", "description": "A token of the gateway's."}});
        card.insert("securitySchemes".to_owned(), json!({"token": scheme}));
        card.insert("securityRequirements".to_owned(), json!([{"schemes": {"token": {"list": []}}}]));
    }
}

/// What is taken, by name: a list that says everything says nothing to a program.
fn modes(agent: &Agent) -> Vec<&str> {
    if agent.input_modes.iter().any(|mode| mode == "*/*") {
        return vec!["text/plain", "application/json", "image/png", "image/jpeg", "application/octet-stream"];
    }
    agent.input_modes.iter().map(String::as_str).collect()
}

impl Skill {
    /// What an agent can do that says nothing else of itself.
    fn plain() -> Self {
        Self {
            id: "code".to_owned(),
            name: "Work on code".to_owned(),
            description: "Reads, changes and runs code in its workspace.".to_owned(),
            tags: vec!["code".to_owned()],
            examples: Vec::new(),
        }
    }
}

fn skill(skill: &Skill) -> Value {
    let name = if skill.name.is_empty() { &skill.id } else { &skill.name };
    let mut said =
        json!({"id": skill.id, "name": name, "description": skill.description, "tags": skill.tags});
    if !skill.examples.is_empty() {
        said["examples"] = json!(skill.examples);
    }
    said
}

/// The card as an answer: to be kept for a while, and not sent again to who has it. It changes only with the configuration,
/// which is read when the gateway begins.
pub(crate) fn answer(card: &Value, begun: Timestamp, asked: &HeaderMap) -> Response {
    let body = card.to_string();
    let tag: String = Sha256::digest(&body).iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{tag}\"");
    let known = is_known(asked, &tag, begun);
    let mut response = Response::new(if known { Body::empty() } else { Body::from(body) });
    if known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (header::CACHE_CONTROL, format!("public, max-age={KEPT}")),
        (header::ETAG, tag),
        (header::LAST_MODIFIED, httpdate::fmt_http_date(second_of(begun))),
        (header::VARY, "Host, A2A-Version".to_owned()),
    ] {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(name, value);
        }
    }
    response
}

/// Whether who asks has this card. A tag says more than a time.
fn is_known(asked: &HeaderMap, tag: &str, begun: Timestamp) -> bool {
    let text = |name| asked.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    match (text(header::IF_NONE_MATCH), text(header::IF_MODIFIED_SINCE)) {
        (Some(tags), _) => tags
            .split(',')
            .map(|known| known.trim().trim_start_matches("W/"))
            .any(|known| known == tag || known == "*"),
        // Who has it since then or later has this one.
        (None, Some(known)) => httpdate::parse_http_date(known).is_ok_and(|at| at >= second_of(begun)),
        (None, None) => false,
    }
}

/// A moment as HTTP counts: no finer than seconds.
fn second_of(at: Timestamp) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(u64::try_from(at.0.div_euclid(1_000)).unwrap_or_default())
}
