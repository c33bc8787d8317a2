//! What is secret in the configuration of an MCP server.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// The parts whose values are secret, whatever they are.
const PARTS: [&str; 4] = ["env", "headers", "http_headers", "bearer_token"];
/// Words in the name of an option or a header that say that its value is secret.
const WORDS: [&str; 9] =
    ["key", "token", "secret", "password", "passwd", "auth", "credential", "bearer", "session"];
/// A part of an address that is so long, with letters and digits, is made to be guessed by nobody.
const UNGUESSABLE: usize = 16;

/// The secrets of servers, as Codex is told of them.
pub(super) fn secrets(servers: &Map<String, Value>) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for server in servers.values() {
        PARTS.iter().for_each(|part| whole(&server[*part], &mut found));
        if let Some(url) = server["url"].as_str() {
            in_address(url, &mut found);
        }
        if let Some(arguments) = server["args"].as_array() {
            let arguments: Vec<&str> = arguments.iter().filter_map(Value::as_str).collect();
            in_arguments(&arguments, &mut found);
        }
    }
    found
}

/// All texts in it; of `Bearer xyz` also what follows the word, as it may be said alone.
fn whole<'v>(value: &'v Value, found: &mut BTreeSet<&'v str>) {
    match value {
        Value::String(text) => {
            found.insert(text);
            found.extend(text.split_once(' ').map(|(_, token)| token.trim()));
        }
        Value::Array(values) => values.iter().for_each(|value| whole(value, found)),
        Value::Object(fields) => fields.values().for_each(|value| whole(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Who asks, what is asked, and parts of the path that nobody would guess.
fn in_address<'v>(url: &'v str, found: &mut BTreeSet<&'v str>) {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (place, path) = rest.split_once('/').unwrap_or((rest, ""));
    if let Some((who, _)) = place.rsplit_once('@') {
        found.extend(who.split(':'));
    }
    found.extend(path.split('/').filter(|part| is_unguessable(part)));
    found.insert(fragment);
    found.extend(query.split('&').map(|pair| pair.split_once('=').map_or(pair, |(_, value)| value)));
}

/// The values of options that are called so, wherever the value stands, and whatever looks like a key.
fn in_arguments<'v>(arguments: &[&'v str], found: &mut BTreeSet<&'v str>) {
    let mut follows = false;
    for argument in arguments {
        let named = argument.split_once('=').or_else(|| argument.split_once(": "));
        match named {
            Some((name, value)) if is_secret(name) => {
                found.insert(value);
                found.extend(value.split_once(' ').map(|(_, token)| token.trim()));
            }
            _ if follows && !argument.starts_with('-') => {
                found.insert(argument);
            }
            _ if argument.contains("://") => in_address(argument, found),
            _ if is_unguessable(argument) => {
                found.insert(argument);
            }
            _ => {}
        }
        follows = argument.starts_with('-') && named.is_none() && is_secret(argument);
    }
}

fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    WORDS.iter().any(|word| name.contains(word))
}

fn is_unguessable(part: &str) -> bool {
    let of_a_key = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    part.len() >= UNGUESSABLE
        && part.chars().all(of_a_key)
        && part.contains(|letter: char| letter.is_ascii_digit())
        && part.contains(|letter: char| letter.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(server: Value) -> Vec<String> {
        let servers = Map::from_iter([("s".to_owned(), server)]);
        secrets(&servers).into_iter().filter(|found| !found.is_empty()).map(str::to_owned).collect()
    }

    #[test]
    fn of_an_address_it_is_who_asks_what_is_asked_and_what_nobody_guesses() {
        let cases: &[(&str, &[&str])] = &[
            ("https://example.com/mcp", &[]),
            ("https://example.com/mcp?token=of-the-query&x=1", &["1", "of-the-query"]),
            ("https://me:of-the-user@example.com/mcp", &["me", "of-the-user"]),
            ("https://example.com/s/9f86d081884c7d659a2f/mcp#there", &["9f86d081884c7d659a2f", "there"]),
            ("https://example.com/a-very-long-part-of-a-path", &[]),
        ];
        for (url, expected) in cases {
            assert_eq!(of(json!({"url": url})), *expected, "{url}");
        }
    }

    #[test]
    fn of_arguments_it_is_the_values_of_what_is_called_so() {
        let cases: &[(&[&str], &[&str])] = &[
            (&["--port", "443000", "--root=/srv/project"], &[]),
            (&["--api-key=of-the-option"], &["of-the-option"]),
            (&["--token", "of-what-follows", "plain"], &["of-what-follows"]),
            (&["--token", "--verbose"], &[]),
            (
                &["--header", "Authorization: Bearer of-the-header"],
                &["Bearer of-the-header", "of-the-header"],
            ),
            (&["mcp-remote", "https://example.com/mcp?key=of-the-address"], &["of-the-address"]),
            (&["sk4ab8cd2ef6gh0ij1"], &["sk4ab8cd2ef6gh0ij1"]),
        ];
        for (arguments, expected) in cases {
            assert_eq!(of(json!({"args": arguments})), *expected, "{arguments:?}");
        }
    }
}
