//! Names and docs: from the schema's spelling to Rust's.

use serde_json::Value;

/// What an identifier may not be: Rust's own words that occur in the schema, and the names our types use.
const KEYWORDS: &[&str] = &[
    "as", "async", "box", "const", "continue", "default", "do", "dyn", "else", "enum", "extra", "final",
    "fn", "for", "if", "impl", "in", "loop", "match", "mod", "move", "new", "object", "override", "priv",
    "pub", "ref", "return", "static", "struct", "trait", "true", "type", "use", "where", "yield",
];

/// A doc longer than this is an essay, and belongs to Codex's own documentation.
const LONGEST_DOC: usize = 160;

/// Headings of Codex's source that its schema takes for the description of whatever comes first below them.
const HEADINGS: &[&str] = &["NEW NOTIFICATIONS", "NEW APIs", "DEPRECATED APIs below"];

/// `item/agentMessage/delta` → `ItemAgentMessageDelta`, `on-request` → `OnRequest`, `DISABLED` → `Disabled`.
pub(crate) fn pascal(wire: &str) -> String {
    let shouting = !wire.chars().any(char::is_lowercase);
    let mut name = String::new();
    for part in wire.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty()) {
        let part = if shouting { part.to_ascii_lowercase() } else { part.to_owned() };
        let (first, rest) = part.split_at(1);
        name.push_str(&first.to_ascii_uppercase());
        name.push_str(rest);
    }
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("N{name}") } else { name }
}

/// `threadId` → `thread_id`, `_meta` → `meta`, `type` → `type_`.
pub(crate) fn snake(wire: &str) -> String {
    let mut name = String::new();
    let mut after_lower = false;
    for c in wire.chars() {
        if !c.is_ascii_alphanumeric() {
            if !name.is_empty() && !name.ends_with('_') {
                name.push('_');
            }
            after_lower = false;
            continue;
        }
        if c.is_ascii_uppercase() && after_lower {
            name.push('_');
        }
        after_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        name.push(c.to_ascii_lowercase());
    }
    if KEYWORDS.contains(&name.as_str()) { format!("{name}_") } else { name }
}

/// Whether a property is an id by its name.
pub(crate) fn is_id(wire: &str) -> bool {
    wire == "id" || wire.ends_with("Id") || wire.ends_with("_id")
}

/// Whether a property we send must never be printed: it is a secret, or people put secrets into it.
pub(crate) fn is_secret(wire: &str) -> bool {
    let secrets = ["apikey", "accesstoken", "secretaccesskey", "sessiontoken", "token"];
    let holders = ["env", "config"];
    let wire = wire.to_ascii_lowercase();
    secrets.iter().chain(&holders).any(|name| *name == wire)
}

/// The first sentence of a description, if it is short enough to be read.
pub(crate) fn first_sentence(schema: &Value) -> Option<String> {
    let text = schema.get("description")?.as_str()?.replace("\n\n", ". ").replace('\n', " ");
    let text = HEADINGS.iter().find_map(|heading| text.strip_prefix(heading)).unwrap_or(&text);
    let end = text.find(". ").unwrap_or(text.len());
    let sentence = text[..end].trim().trim_end_matches('.');
    let usable = !sentence.is_empty() && sentence.chars().count() <= LONGEST_DOC;
    usable.then(|| format!("{}.", sentence.replace('[', "\\[").replace('<', "\\<")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_like_rust() {
        let pascals =
            ["item/agentMessage/delta", "on-request", "DISABLED_BY_ADMIN", "thread/inject_items", "2d"];
        assert_eq!(
            pascals.map(pascal),
            ["ItemAgentMessageDelta", "OnRequest", "DisabledByAdmin", "ThreadInjectItems", "N2d"]
        );
        let snakes = ["threadId", "_meta", "type", "developer_instructions", "openaiURL", "startedAtMs"];
        assert_eq!(
            snakes.map(snake),
            ["thread_id", "meta", "type_", "developer_instructions", "openai_url", "started_at_ms"]
        );
    }

    #[test]
    fn a_doc_is_one_short_sentence() {
        let doc = |text: &str| first_sentence(&serde_json::json!({"description": text}));
        assert_eq!(doc("First. Second.").as_deref(), Some("First."));
        assert_eq!(doc("NEW APIs Sent when\nasked.\n\nMore").as_deref(), Some("Sent when asked."));
        assert_eq!(doc("NEW NOTIFICATIONS"), None);
        assert_eq!(doc(&"long ".repeat(60)), None);
    }
}
