//! What holds in every case, whatever it is about: ids are there, no turn ends twice, deltas make the whole text.

use std::collections::BTreeMap;

use selvedge_protocol::see::{Notification, ThreadItem, TurnStatus};

use crate::{acts::message, differences::differences, ear::Ear, transcript::LEGACY};

/// Checks everything that was heard.
pub(crate) fn hold(ear: &Ear) {
    every_item_and_turn_has_its_ids(ear);
    no_turn_ends_twice(ear);
    deltas_make_the_whole_text(ear);
    an_end_holds_the_last_message_or_nothing(ear);
    what_is_said_in_the_old_words_is_said_in_the_new_ones_too(ear);
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
        *ends.entry((told.thread_id(), told.turn_id())).or_insert(0) += 1;
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

/// Where `turn/completed` holds items, they are the last message; a turn that was cut holds none.
fn an_end_holds_the_last_message_or_nothing(ear: &Ear) {
    let mut last = BTreeMap::new();
    for told in ear.told() {
        let key = (told.thread_id(), told.turn_id());
        match told {
            Notification::ItemCompleted(completed) => {
                if let Some(text) = completed.item().and_then(message) {
                    last.insert(key, text);
                }
            }
            Notification::TurnCompleted(completed) => {
                let end = completed.turn().unwrap();
                let held: Vec<_> = end.items().into_iter().flatten().filter_map(message).collect();
                let completed = matches!(end.status(), Some(TurnStatus::Completed));
                let expected = last.remove(&key).filter(|_| completed && differences().end_has_items);
                assert!(held.iter().eq(&expected), "the end of {key:?} does not hold its last message");
            }
            _ => {}
        }
    }
}

/// What comes in the old words is a twin of what is read here, so nobody reads it; that it comes is what is known of a
/// version.
fn what_is_said_in_the_old_words_is_said_in_the_new_ones_too(ear: &Ear) {
    let count = |prefix: &str| ear.told().filter(|told| told.method().starts_with(prefix)).count();
    let (old, new) = (count(LEGACY), count("item/") + count("turn/"));
    assert_eq!(
        old > 0 && new > 0,
        differences().legacy && new > 0,
        "{old} in the old words, {new} in the new"
    );
}
