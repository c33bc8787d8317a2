//! MCP servers as a browser describes them, in Codex's words.

use serde_json::{Map, Value};

/// What both say in the same words.
const KEPT: [&str; 4] = ["command", "args", "env", "url"];

/// The servers as Codex is configured with them, or why not.
pub(super) fn configured(servers: &Map<String, Value>) -> Result<Map<String, Value>, String> {
    let each = servers.iter().map(|(name, server)| Ok((name.clone(), one(name, server)?)));
    let all: Map<_, _> = each.collect::<Result<_, String>>()?;
    if all.is_empty() { Err("no MCP server was given".to_owned()) } else { Ok(all) }
}

fn one(name: &str, server: &Value) -> Result<Value, String> {
    let given = |key: &str| server[key].as_str().is_some_and(|text| !text.is_empty());
    // An `sdk` server lives in the program that asks, which for Codex is nobody.
    if given("command") == given("url") {
        return Err(format!("the MCP server `{name}` needs either a `command` or a `url`"));
    }
    let fields = KEPT.iter().filter(|key| !server[**key].is_null());
    Ok(Value::Object(fields.map(|key| ((*key).to_owned(), server[*key].clone())).collect()))
}
