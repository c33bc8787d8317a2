//! Where a message belongs: its thread, turn and item.

use serde_json::Value;

/// What a message names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) thread: Option<String>,
    pub(super) turn: Option<String>,
    pub(super) item: Option<String>,
    /// Of which kind its item is.
    pub(super) kind: Option<String>,
    /// Whether its thread was said to be idle: nothing begins there any more.
    pub(super) rests: bool,
}

impl Place {
    pub(super) fn of(message: &Value) -> Self {
        let params = &message["params"];
        let named = |what: &str| {
            let id = params[format!("{what}Id")].as_str().or_else(|| params[what]["id"].as_str());
            id.map(str::to_owned)
        };
        let kind = params["item"]["type"].as_str().map(str::to_owned);
        Self { thread: named("thread"), turn: named("turn"), item: named("item"), kind, rests: false }
    }
}
