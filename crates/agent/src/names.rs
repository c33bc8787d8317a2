//! What prompts, sections and tools may be called.

/// Makes a key of a prompt or a section: trimmed and in lower case.
pub(crate) fn key(given: &str) -> Result<String, String> {
    let key = given.trim().to_lowercase();
    let fits = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || matches!(it, '.' | '_' | '-');
    let begins = key.starts_with(|it: char| it.is_ascii_lowercase() || it.is_ascii_digit());
    if key.is_empty() {
        Err("is empty".to_owned())
    } else if !begins || key.len() > 64 || !key.chars().all(fits) {
        Err(format!(
            "cannot be {:?}: letters, digits, `.`, `_` and `-` are allowed, at most 64, and the first is a letter or a digit",
            shown(given)
        ))
    } else {
        Ok(key)
    }
}

/// What is wrong with a tool's name.
pub(crate) fn wrong_tool_name(name: &str) -> Option<String> {
    let fits = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || matches!(it, '_' | '-');
    let why = if name.is_empty() {
        "it is empty"
    } else if name.len() > 64 || !name.chars().all(fits) {
        "lower-case letters, digits, `_` and `-` are allowed, at most 64"
    } else if name == "mcp" || name.starts_with("mcp__") {
        "`mcp`, and what begins with `mcp__`, is what Codex calls the tools of MCP servers"
    } else {
        return None;
    };
    Some(format!("{:?} cannot be a tool's name: {why}", shown(name)))
}

/// What is wrong with what is said about a tool or an example.
pub(crate) fn wrong_description(description: &str) -> Option<String> {
    let length = description.trim().len();
    if length == 0 {
        Some("the description is empty".to_owned())
    } else if length > 200 {
        Some(format!("the description has {length} characters, and may have 200"))
    } else if !description.is_ascii() {
        Some("the description may have ASCII characters only".to_owned())
    } else {
        None
    }
}

/// Enough of it to be found again.
fn shown(name: &str) -> String {
    name.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompt_normalizes_ns_and_key_to_lowercase() {
        assert_eq!(key(" Demo.V-2_x ").as_deref(), Ok("demo.v-2_x"));
        assert_eq!(key(&"a".repeat(64)), Ok("a".repeat(64)));
    }

    #[test]
    fn keys_that_cannot_be_are_refused() {
        for wrong in ["", "  ", "a/b", ".a", "-a", "a b", "ä", &"a".repeat(65)] {
            assert!(key(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn tool_names_and_descriptions_have_limits() {
        assert_eq!(wrong_tool_name("count_lines-2"), None);
        for wrong in ["", "Add", "a.b", " a", "mcp", "mcp__x", &"a".repeat(65)] {
            assert!(wrong_tool_name(wrong).is_some(), "{wrong:?}");
        }
        assert_eq!(wrong_description(&"a".repeat(200)), None);
        for wrong in ["", "  ", "für", &"a".repeat(201)] {
            assert!(wrong_description(wrong).is_some(), "{wrong:?}");
        }
    }
}
