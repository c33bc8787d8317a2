//! Codex's own configuration for one thread: what the session gives, its MCP servers, and what `bare` leaves out.

use selvedge_session::{ApprovalPolicy, Settings};
use serde_json::{Map, Value, json};

use super::{lacking::nearest_effort, threads::ThreadExtras};

/// The overrides of a thread; nothing if there are none. A key may be a path with dots: Codex reads both.
pub(super) fn config(settings: &Settings, extras: &ThreadExtras) -> Option<Map<String, Value>> {
    let ThreadExtras { mcp_servers, can } = extras;
    let mut config = settings.config.clone();
    let effort = settings.effort.clone().map(|effort| nearest_effort(effort, can));
    // Turns without a message (compaction, review) have no other place for these.
    set_unless_given(&mut config, "model_reasoning_effort", effort.as_ref());
    set_unless_given(&mut config, "model_reasoning_summary", settings.summary.as_ref());
    if settings.bare {
        leave_out_what_is_the_users(&mut config);
    }
    if !mcp_servers.is_empty() {
        add_servers(&mut config, mcp_servers);
    }
    if settings.policy() == Some(ApprovalPolicy::Never) {
        approve_servers(&mut config);
    }
    // When Codex asks is said with the thread and each turn, and nowhere else: two places could disagree.
    config.remove("approval_policy");
    (!config.is_empty()).then_some(config)
}

fn set_unless_given(config: &mut Map<String, Value>, key: &str, value: Option<&String>) {
    if let Some(value) = value {
        config.entry(key).or_insert_with(|| json!(value));
    }
}

/// No AGENTS.md of the project and no list of skills. (The one in CODEX_HOME is always read: Codex has no key for it.)
fn leave_out_what_is_the_users(config: &mut Map<String, Value>) {
    config.insert("project_doc_max_bytes".to_owned(), json!(0));
    config.insert("skills.include_instructions".to_owned(), json!(false));
}

/// Beside those that the configuration names.
fn add_servers(config: &mut Map<String, Value>, servers: &Map<String, Value>) {
    let all = config.entry("mcp_servers").or_insert_with(|| json!({}));
    if let Value::Object(all) = all {
        all.extend(servers.clone());
    } else {
        *all = Value::Object(servers.clone());
    }
}

/// Where nobody is asked, Codex itself would refuse every call of a server that may change something.
fn approve_servers(config: &mut Map<String, Value>) {
    let servers = config.get_mut("mcp_servers").and_then(Value::as_object_mut);
    for server in servers.into_iter().flat_map(Map::values_mut).filter_map(Value::as_object_mut) {
        server.entry("default_tools_approval_mode").or_insert_with(|| json!("approve"));
    }
}
