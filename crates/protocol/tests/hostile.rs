//! Whatever a later Codex changes in a message, reading it never fails, never panics, and never gives a wrong id.

mod common;
mod mutate;

use std::sync::LazyLock;

use common::{Received, received, walk};
use mutate::{Mutation, apply, mutations};
use proptest::{
    prelude::{ProptestConfig, prop_assert, prop_assert_eq},
    proptest,
    test_runner::TestCaseError,
};
use selvedge_protocol::{
    frame::{Frame, Outcome},
    see::{Notification, ServerRequest},
    touch::Seen,
};
use serde_json::{Value, value::RawValue};

/// Every message of every recorded version, and whether it has a view as it is.
static RECEIVED: LazyLock<Vec<(Received, bool)>> = LazyLock::new(|| {
    let known = |it: &Received| walk(&it.text, it.answers.as_deref(), &mut |_| {});
    received(|_| true).into_iter().map(|it| (it.clone(), known(&it))).collect()
});

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_message_changed_in_any_way_is_still_read(changes in mutations()) {
        for (number, message) in RECEIVED.iter().enumerate() {
            check(message, &changes, number)?;
        }
    }
}

fn check(
    (message, was_known): &(Received, bool),
    changes: &[Mutation],
    salt: usize,
) -> Result<(), TestCaseError> {
    let text = apply(&message.text, changes, salt);
    let mut wrong = None;
    let known = walk(&text, message.answers.as_deref(), &mut |seen| {
        if let Seen::Id { object, key, id } = seen
            && !same_id(object, key, &id)
        {
            wrong = Some(format!("{key} is not {id} in {object}"));
        }
    });
    prop_assert!(wrong.is_none(), "{}: {wrong:?}\n{text}", message.origin);
    raw_text_is_kept(&text)?;
    prop_assert!(
        known || !was_known || !ids_are_left(&message.text, &text),
        "{}: lost {text}",
        message.origin
    );
    Ok(())
}

/// Whether another reader of the JSON finds the same id.
fn same_id(object: &RawValue, key: &str, id: &str) -> bool {
    match serde_json::from_str::<Value>(object.get()).as_ref().map(|it| &it[key]) {
        Ok(Value::String(text)) => text == id,
        Ok(Value::Number(number)) => number.to_string() == id,
        _ => false,
    }
}

/// Whatever a message is read as, its parameters are still the text that came, and its ids are in that text.
fn raw_text_is_kept(text: &str) -> Result<(), TestCaseError> {
    let (params, kept, ids) = match Frame::read(text) {
        Frame::Notification { method, params } => {
            let it = Notification::read(method.clone(), params);
            prop_assert_eq!(it.method(), method.as_ref());
            (
                params,
                it.params(),
                [("thread", it.thread_id()), ("turn", it.turn_id()), ("item", it.item_id())],
            )
        }
        Frame::Request { method, params, .. } => {
            let it = ServerRequest::read(method.clone(), params);
            prop_assert_eq!(it.method(), method.as_ref());
            (
                params,
                it.params(),
                [("thread", it.thread_id()), ("turn", it.turn_id()), ("item", it.item_id())],
            )
        }
        _ => return Ok(()),
    };
    let Some(params) = params else { return Ok(()) };
    prop_assert_eq!(kept.map(RawValue::get), Some(params.get()));
    let value: Value =
        serde_json::from_str(params.get()).map_err(|error| TestCaseError::fail(error.to_string()))?;
    for (what, id) in ids {
        let places = [&value[format!("{what}Id")], &value[what]["id"]];
        prop_assert!(
            id.is_none() || places.iter().any(|it| it.as_str() == id.as_deref()),
            "{what} {id:?} {text}"
        );
    }
    Ok(())
}

/// Whether the message still has its method, and whatever is an id at the top of it or of its parameters.
fn ids_are_left(before: &str, after: &str) -> bool {
    let parse = |text| serde_json::from_str::<Value>(text).unwrap_or_default();
    let (before, after) = (parse(before), parse(after));
    if before["method"] != after["method"] || before["id"] != after["id"] {
        return false;
    }
    if before.get("method").is_none() {
        // A response: its result is what has to be left, as an object.
        return after["result"].is_object()
            && after.get("error").is_none()
            && id_fields(&before["result"], &after["result"]);
    }
    after["params"].is_object() && id_fields(&before["params"], &after["params"])
}

fn id_fields(before: &Value, after: &Value) -> bool {
    let Some(fields) = before.as_object() else { return false };
    let ids = fields.iter().filter(|(key, _)| *key == "id" || key.ends_with("Id"));
    ids.into_iter().all(|(key, value)| after[key] == *value)
}

#[test]
fn an_unknown_item_keeps_its_id_and_its_raw_text() {
    let line = r#"{"method":"item/started","params":{"threadId":"t","turnId":"u","item":{"type":"hologram","id":"h","depth":3}}}"#;
    let Frame::Notification { method, params } = Frame::read(line) else { panic!("a notification") };
    let message = Notification::read(method, params);
    assert_eq!(message.item_id().as_deref(), Some("h"));
    let Notification::ItemStarted(started) = message else { panic!("a known method") };
    let item = started.item().expect("an item");
    assert_eq!(item.tag().as_deref(), Some("hologram"));
    assert_eq!(item.as_raw().get(), r#"{"type":"hologram","id":"h","depth":3}"#);
    assert_eq!(item.get::<i64>("depth"), Some(3));
}

#[test]
fn a_known_method_without_its_ids_is_unknown_and_whole() {
    let line = r#"{"method":"item/agentMessage/delta","params":{"threadId":"t","turnId":7,"itemId":"i","delta":"x"}}"#;
    let Frame::Notification { method, params } = Frame::read(line) else { panic!("a notification") };
    let message = Notification::read(method, params);
    assert!(matches!(message, Notification::Unknown { .. }));
    assert_eq!(message.method(), "item/agentMessage/delta");
    assert_eq!(message.thread_id().as_deref(), Some("t"), "what is there can still be asked for");
    assert_eq!(message.turn_id(), None);
    assert_eq!(message.params().map(RawValue::get), params.map(RawValue::get));
}

#[test]
fn a_method_without_params_is_read_where_it_needs_none() {
    assert!(matches!(Notification::read("skills/changed", None), Notification::SkillsChanged(_)));
    assert!(matches!(Notification::read("turn/started", None), Notification::Unknown { params: None, .. }));
    assert!(matches!(
        Frame::read(r#"{"id":1,"result":{}}"#),
        Frame::Response { outcome: Outcome::Result(_), .. }
    ));
}
