//! What holds in every case, whatever it is about: ids are there, no turn ends twice, deltas make the whole text.

use std::collections::BTreeMap;

use selvedge_protocol::see::{Notification, ThreadItem};

use crate::ear::Ear;

/// Checks everything that was heard.
pub(crate) fn hold(ear: &Ear) {
    every_item_and_turn_has_its_ids(ear);
    no_turn_ends_twice(ear);
    deltas_make_the_whole_text(ear);
}

fn every_item_and_turn_has_its_ids(ear: &Ear) {
    for told in
        ear.told().filter(|told| told.method().starts_with("item/") || told.method().starts_with("turn/"))
    {
        assert!(!matches!(told, Notification::Unknown { .. }), "a view for {told:?}");
        assert!(told.thread_id().is_some() && told.turn_id().is_some(), "thread and turn id on {told:?}");
        let of_an_item = told.method().starts_with("item/");
        assert!(!of_an_item || told.item_id().is_some(), "item id on {told:?}");
    }
}

fn no_turn_ends_twice(ear: &Ear) {
    let mut ends = BTreeMap::new();
    for told in ear.told().filter(|told| matches!(told, Notification::TurnCompleted(_))) {
        *ends.entry(told.turn_id()).or_insert(0) += 1;
    }
    assert!(ends.values().all(|count| *count == 1), "each turn ends once: {ends:?}");
}

fn deltas_make_the_whole_text(ear: &Ear) {
    let mut streamed: BTreeMap<_, String> = BTreeMap::new();
    for told in ear.told() {
        let key = (told.thread_id(), told.item_id());
        match told {
            Notification::ItemAgentMessageDelta(delta) => {
                streamed.entry(key).or_default().push_str(&delta.delta().unwrap());
            }
            Notification::ItemCompleted(completed) => {
                let Some(ThreadItem::AgentMessage(message)) = completed.item() else { continue };
                let Some(streamed) = streamed.remove(&key) else { continue };
                assert!(message.text().unwrap() == streamed, "the deltas of {key:?} are not its text");
            }
            _ => {}
        }
    }
}
