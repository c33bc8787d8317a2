//! Which of a session's own tools Codex would refuse: said when the session is made, not by its first message's failure.

mod schema;

use std::collections::HashSet;

use selvedge_session::ToolSpec;
use serde_json::Value;

/// The most characters a name may have.
const LONGEST: usize = 128;

/// A tool that Codex would refuse because of its name or its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongTool {
    /// Its place in the list, from 0.
    pub index: usize,
    /// Which of its fields is wrong, or what lies in it: `name`, `input_schema.properties.id`.
    pub field: String,
    /// What is wrong with it.
    pub why: String,
}

impl WrongTool {
    /// The first one, if there is any. The rules are those of Codex 0.166.0.
    #[must_use]
    pub fn among(tools: &[ToolSpec]) -> Option<Self> {
        let mut names = HashSet::new();
        tools.iter().enumerate().find_map(|(index, tool)| {
            let again = !names.insert(tool.name.as_str());
            let wrong = if again { Some("another tool has that name") } else { wrong_name(&tool.name) };
            match wrong {
                Some(why) => {
                    let why = format!("{:?} cannot be a tool's name: {why}", shown(&tool.name));
                    Some(Self { index, field: "name".to_owned(), why })
                }
                None => Self::of_schema(index, tool),
            }
        })
    }

    fn of_schema(index: usize, tool: &ToolSpec) -> Option<Self> {
        // It was read as JSON when it came.
        let schema: Value = serde_json::from_str(tool.input_schema.text()).ok()?;
        let schema::Unreadable { place, why } = schema::unreadable(&schema)?;
        let field = format!("input_schema{place}");
        Some(Self {
            index,
            why: format!("Codex cannot read `{field}` of the tool {}: {why}", tool.name),
            field,
        })
    }
}

fn wrong_name(name: &str) -> Option<&'static str> {
    let fits = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    if name.is_empty() {
        Some("it is empty")
    } else if !name.chars().all(fits) {
        Some("it may have letters from a to z, digits, `_` and `-`")
    } else if name.len() > LONGEST {
        Some("it may have 128 characters")
    } else if name == "mcp" || name.starts_with("mcp__") {
        Some("`mcp`, and what begins with `mcp__`, is what Codex calls the tools of MCP servers")
    } else {
        None
    }
}

/// Enough of it to be found again.
fn shown(name: &str) -> String {
    name.chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use selvedge_session::Json;
    use serde_json::json;

    use super::*;

    fn wrong_among(names: &[&str]) -> Option<usize> {
        let tool = |name: &&str| ToolSpec {
            name: (*name).to_owned(),
            description: String::new(),
            input_schema: Json::from(json!({})),
            timeout_seconds: None,
        };
        WrongTool::among(&names.iter().map(tool).collect::<Vec<_>>()).map(|wrong| wrong.index)
    }

    #[test]
    fn names_are_taken_and_refused_as_by_codex() {
        let longest = "a".repeat(LONGEST);
        for name in ["a", "A-1_b", "1", "_", "-", "mcp_x", "exec", &longest] {
            assert_eq!(wrong_among(&[name]), None, "{name:?}");
        }
        let longer = "a".repeat(LONGEST + 1);
        for name in ["", " ", "a ", "a b", "a.b", "a/b", "a\n", "é", "mcp", "mcp__x", &longer] {
            assert_eq!(wrong_among(&["fine", name]), Some(1), "{name:?}");
        }
    }

    #[test]
    fn a_name_is_given_once() {
        assert_eq!(wrong_among(&["a", "b", "a"]), Some(2));
        assert_eq!(wrong_among(&["a", "A"]), None, "case tells them apart");
        assert_eq!(wrong_among(&[]), None);
    }
}
