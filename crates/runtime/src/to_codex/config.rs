//! Codex's own configuration for one thread: what the session gives, its MCP servers, and what `bare` leaves out.

use std::collections::BTreeMap;

use selvedge_session::{ApprovalPolicy, Settings};
use serde_json::{Map, Value, json};

use super::{lacking::nearest_effort, policy::Warning, switches, threads::ThreadExtras};

/// The overrides of a thread, nothing if there are none, and what of them does nothing here. A key may be a path with dots:
/// Codex reads both.
pub(super) fn config(
    settings: &Settings,
    extras: &ThreadExtras,
) -> (Option<Map<String, Value>>, Vec<Warning>) {
    let ThreadExtras { mcp_servers, can, .. } = extras;
    let mut config = settings.config.clone();
    let without_effect = switches::translate(&mut config, &extras.features, can);
    let effort = settings.effort.clone().map(|effort| nearest_effort(effort, can));
    // Turns without a message (compaction, review) have no other place for these.
    set_unless_given(&mut config, "model_reasoning_effort", effort.as_ref());
    set_unless_given(&mut config, "model_reasoning_summary", settings.summary.as_ref());
    if settings.bare {
        leave_out_what_is_the_users(&mut config, &extras.skills_off);
    }
    if extras.own_directory {
        trust(&mut config, &settings.cwd);
    }
    if !mcp_servers.is_empty() {
        add_servers(&mut config, mcp_servers);
    }
    if settings.policy() == Some(ApprovalPolicy::Never) {
        approve_servers(&mut config);
    }
    switch_servers(&mut config, &settings.mcp_enabled);
    // When Codex asks is said with the thread and each turn, and nowhere else: two places could disagree.
    config.remove("approval_policy");
    ((!config.is_empty()).then_some(config), without_effect)
}

fn set_unless_given(config: &mut Map<String, Value>, key: &str, value: Option<&String>) {
    if let Some(value) = value {
        config.entry(key).or_insert_with(|| json!(value));
    }
}

/// No AGENTS.md of the project and no list of skills. (Of the one in Codex's directory there is no key: a bare session has
/// another.) A skill that a message names would be read nevertheless, unless it is switched off by its file.
fn leave_out_what_is_the_users(config: &mut Map<String, Value>, skills_off: &[String]) {
    config.insert("project_doc_max_bytes".to_owned(), json!(0));
    config.insert("skills.include_instructions".to_owned(), json!(false));
    if !skills_off.is_empty() {
        let off = skills_off.iter().map(|path| json!({"path": path, "enabled": false})).collect();
        config.insert("skills.config".to_owned(), Value::Array(off));
    }
}

/// Else 0.120 writes of every such directory into the user's configuration that it may be trusted.
fn trust(config: &mut Map<String, Value>, cwd: &str) {
    let projects = config.entry("projects").or_insert_with(|| json!({}));
    if let Value::Object(projects) = projects {
        projects.entry(cwd).or_insert_with(|| json!({"trust_level": "trusted"}));
    }
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

/// Its own servers, and those that Codex's configuration names: a thread's own word counts before that.
fn switch_servers(config: &mut Map<String, Value>, enabled: &BTreeMap<String, bool>) {
    if enabled.is_empty() {
        return;
    }
    let all = config.entry("mcp_servers").or_insert_with(|| json!({}));
    for (name, enabled) in enabled {
        let server = all.as_object_mut().map(|all| all.entry(name).or_insert_with(|| json!({})));
        if let Some(Value::Object(server)) = server {
            server.insert("enabled".to_owned(), json!(enabled));
        }
    }
}

/// Where nobody is asked, Codex itself would refuse every call of a server that may change something.
fn approve_servers(config: &mut Map<String, Value>) {
    let servers = config.get_mut("mcp_servers").and_then(Value::as_object_mut);
    for server in servers.into_iter().flat_map(Map::values_mut).filter_map(Value::as_object_mut) {
        server.entry("default_tools_approval_mode").or_insert_with(|| json!("approve"));
    }
}
