//! Everything that nobody knows is in a journal, as it was said, and in order; what nobody knows is asked is refused.

use std::collections::HashMap;

use serde_json::Value;

use crate::{
    journals::{Journals, Where},
    proxy_log::Did,
};

/// JSON-RPC's "there is no such method".
const NOT_FOUND: i64 = -32601;
/// What a proxy does at once: so much of it may not have been said any more when it was killed.
const IN_HAND: usize = 10;

/// Panics if something is missing, changed, or out of order.
pub(crate) fn check(did: &[Did], journals: &Journals, killed: &[i32]) {
    assert!(
        did.iter().all(|did| did.did != "stray"),
        "an answer with another id than the question's: {did:#?}"
    );
    let mut places: HashMap<(i32, Option<&str>), Where> = HashMap::new();
    let mut missing: HashMap<i32, Vec<&Did>> = HashMap::new();
    for did in did.iter().filter(|did| is_kept(did)) {
        let Some(at) = journals.find(&did.mark) else {
            missing.entry(did.pid).or_default().push(did);
            continue;
        };
        let lost = missing.get(&did.pid);
        assert!(lost.is_none(), "not in any journal: {lost:#?}\nbut this is, which came later: {did:#?}");
        is_whole(did, journals.event(at));
        let before = places.insert((did.pid, did.thread.as_deref()), at);
        let in_order = before.is_none_or(|before| before.journal != at.journal || before.place <= at.place);
        assert!(in_order, "out of order: {did:#?}");
    }
    for (pid, missing) in missing {
        assert!(killed.contains(&pid) && missing.len() <= IN_HAND, "not in any journal: {missing:#?}");
    }
    are_refused(did);
}

/// Whether it has to be in a journal. Answers and what is said of a whole process are not, unless nobody knows them; pieces of
/// items are too many.
fn is_kept(did: &Did) -> bool {
    match did.did.as_str() {
        "item" | "notification" | "request" | "method" | "end" => true,
        "type" if !did.value.to_string().contains(&did.mark) => false,
        "field" | "word" | "type" => {
            did.thread.is_some() && did.path.starts_with("/params") && !did.name.ends_with("elta")
        }
        _ => false,
    }
}

/// What was said stands there as it was said.
fn is_whole(did: &Did, event: &Value) {
    let method = did.value["method"].as_str().unwrap_or_default();
    match did.did.as_str() {
        "item" if matches!(method, "item/started" | "item/completed") => {
            let kept = [&event["data"]["item"], &event["data"]["params"]["item"]];
            assert!(kept.contains(&&did.value["params"]["item"]), "{event:#}\ninstead of {did:#?}");
        }
        "item" | "notification" | "request" => {
            assert_eq!(event["type"], "codex.unknown", "{event:#}\nof {did:#?}");
            assert_eq!(raw(event).as_ref(), Some(&did.value), "{event:#}\ninstead of {did:#?}");
        }
        "method" => assert_eq!(event["type"], "codex.unknown", "{event:#}\nof {did:#?}"),
        _ => {}
    }
}

/// The line in an event. Of what nobody claimed, it is said before it who said it.
fn raw(event: &Value) -> Option<Value> {
    let raw = event["data"]["raw"].as_str()?;
    let begin = raw.find('{')?;
    serde_json::from_str(&raw[begin..]).ok()
}

/// Each request that was added was refused; only the last ones before the end may have no answer.
fn are_refused(did: &[Did]) {
    let answers: HashMap<&str, &Value> =
        did.iter().filter(|did| did.did == "answer").map(|did| (did.mark.as_str(), &did.value)).collect();
    let mut unanswered: HashMap<i32, &Did> = HashMap::new();
    for did in did.iter().filter(|did| did.did == "request") {
        match answers.get(did.mark.as_str()) {
            Some(answer) => {
                assert_eq!(answer["error"]["code"], NOT_FOUND, "{did:#?}");
                assert!(!unanswered.contains_key(&did.pid), "never answered: {unanswered:#?}");
            }
            None => drop(unanswered.insert(did.pid, did)),
        }
    }
}
