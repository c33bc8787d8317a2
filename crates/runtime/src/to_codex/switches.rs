//! Tools of Codex's own that a session switches on or off. Each version calls the switches otherwise, some it has not: a
//! session says one in any version's word, Codex hears its own, and what it cannot hear people are told.

use std::collections::BTreeMap;

use selvedge_client::Abilities;
use selvedge_session::Code;
use serde_json::{Map, Value, json};

use super::policy::Warning;

/// Under this key stand Codex's features, as a table or as paths.
const FEATURES: &str = "features";

/// The features that a Codex names, and whether each still does anything; nothing of one that names none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Features(Option<BTreeMap<String, bool>>);

impl Features {
    /// Of what `experimentalFeature/list` answered.
    #[must_use]
    pub fn of_reply(reply: &str) -> Self {
        #[derive(serde::Deserialize)]
        struct Page {
            data: Vec<Feature>,
        }
        #[derive(serde::Deserialize)]
        struct Feature {
            name: String,
            #[serde(default)]
            stage: String,
        }
        let page: Option<Page> = serde_json::from_str(reply).ok();
        let named =
            page.map(|page| page.data.into_iter().map(|it| (it.name, it.stage != "removed")).collect());
        Self(named)
    }

    /// Whether a feature does anything; nothing if this Codex does not say.
    fn has(&self, name: &str) -> Option<bool> {
        self.0.as_ref().map(|named| named.get(name).copied().unwrap_or(false))
    }
}

/// Whether a session's configuration switches anything, so that Codex has to be asked what it hears.
#[must_use]
pub fn switches(config: &Map<String, Value>) -> bool {
    let mut given = config.clone();
    flatten(&mut given);
    given.keys().any(|key| key.starts_with("features.") || of_key(key).is_some())
}

/// A tool, or a group of them, and every word for its switch.
struct Switch {
    what: &'static str,
    words: &'static [&'static str],
    hint: &'static str,
}

const SHELL: &str = "features.shell_tool";
const SEARCH: &str = "web_search";
const OLD_SEARCH: &str = "tools.web_search";
const PATCH: &str = "features.apply_patch_freeform";
const AGENTS: &str = "features.multi_agent";
const OLD_AGENTS: &str = "features.collab";
const IMAGE: &str = "features.view_image";
const OLD_IMAGE: &str = "tools.view_image";

const SWITCHES: [Switch; 5] = [
    Switch { what: "commands", words: &[SHELL], hint: "use a newer Codex" },
    Switch {
        what: "web search",
        words: &[SEARCH, OLD_SEARCH, "features.web_search_request"],
        hint: "use a newer Codex",
    },
    Switch {
        what: "looking at images",
        words: &[IMAGE, OLD_IMAGE, "features.view_image_tool"],
        hint: "use a newer Codex",
    },
    Switch {
        what: "patches",
        words: &[PATCH, "include_apply_patch_tool"],
        hint: "the model decides; with the sandbox `read-only` a patch changes nothing that was not approved",
    },
    Switch { what: "sub-agents", words: &[AGENTS, OLD_AGENTS], hint: "use a newer Codex" },
];

fn of_key(key: &str) -> Option<&'static Switch> {
    SWITCHES.iter().find(|switch| switch.words.contains(&key))
}

/// Says each switch in this Codex's own word, takes out those it has none for, and tells of them.
pub(super) fn translate(
    config: &mut Map<String, Value>,
    features: &Features,
    can: &Abilities,
) -> Vec<Warning> {
    if !switches(config) {
        return Vec::new();
    }
    flatten(config);
    let mut warnings = Vec::new();
    for switch in &SWITCHES {
        let Some(given) = switch.words.iter().copied().find(|word| config.contains_key(*word)) else {
            continue;
        };
        let value = config.get(given).cloned().unwrap_or_default();
        let Some(on) = is_on(&value) else { continue };
        let heard = own_word(switch, on, features, can);
        if heard == Some(given) {
            continue;
        }
        for word in switch.words {
            config.remove(*word);
        }
        match heard {
            Some(SEARCH) => _ = config.insert(SEARCH.to_owned(), json!(if on { "live" } else { "disabled" })),
            Some(word) => _ = config.insert(word.to_owned(), json!(on)),
            None => warnings.push(without_effect(switch, given, &value)),
        }
    }
    warnings.extend(unknown(config, features));
    warnings
}

/// The word that this Codex hears, as measured on those that do not say it themselves.
fn own_word(switch: &Switch, on: bool, features: &Features, can: &Abilities) -> Option<&'static str> {
    // Before it, switches were fewer and had other names.
    let since_read = can.has("thread/read");
    let has = |name: &str, otherwise: bool| features.has(name).unwrap_or(otherwise);
    match switch.words.first().copied() {
        Some(SHELL) => has("shell_tool", true).then_some(SHELL),
        Some(SEARCH) => Some(if since_read { SEARCH } else { OLD_SEARCH }),
        Some(IMAGE) if has("view_image", false) => Some(IMAGE),
        Some(IMAGE) => (!since_read).then_some(OLD_IMAGE),
        // It adds the tool where the model has none, and takes it from nobody.
        Some(PATCH) => (on && has("apply_patch_freeform", true)).then_some(PATCH),
        Some(AGENTS) if has("multi_agent", false) => Some(AGENTS),
        Some(AGENTS) => since_read.then_some(OLD_AGENTS),
        _ => None,
    }
}

/// Whatever else is said of features, and does nothing here.
fn unknown(config: &Map<String, Value>, features: &Features) -> Vec<Warning> {
    let others = config.iter().filter(|(key, _)| of_key(key).is_none());
    let named = others.filter_map(|(key, value)| Some((key, key.strip_prefix("features.")?, value)));
    let idle = named.filter(|(_, name, value)| value.is_boolean() && features.has(name) == Some(false));
    idle.map(|(key, _, value)| {
        warning(format!("this Codex has no switch `{key}`: {value} changes nothing"), None)
    })
    .collect()
}

fn without_effect(switch: &Switch, given: &str, value: &Value) -> Warning {
    let message =
        format!("this Codex has no switch for {}: `{given}` = {value} changes nothing", switch.what);
    warning(message, Some(switch.hint.to_owned()))
}

fn warning(message: String, hint: Option<String>) -> Warning {
    let code = Code::SwitchWithoutEffect;
    Warning { code, message, hint: hint.or_else(|| Some(code.hint().to_owned())) }
}

/// Yes or no, in the words that switches are set with.
fn is_on(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(on) => Some(*on),
        Value::String(word) => Some(word != "disabled"),
        _ => None,
    }
}

/// Tables become paths, for both are read; other values than switches stay where they are.
fn flatten(config: &mut Map<String, Value>) {
    for table in [FEATURES, "tools"] {
        let Some(Value::Object(fields)) = config.get_mut(table) else { continue };
        let plain: Vec<_> =
            fields.iter().filter(|(_, value)| value.is_boolean()).map(|(name, _)| name.clone()).collect();
        let moved: Vec<_> = plain.iter().filter_map(|name| fields.remove_entry(name)).collect();
        let empty = fields.is_empty();
        if empty {
            config.remove(table);
        }
        for (name, value) in moved {
            config.entry(format!("{table}.{name}")).or_insert(value);
        }
    }
}

#[cfg(test)]
mod tests;
