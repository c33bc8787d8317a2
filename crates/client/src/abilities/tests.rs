//! Tables made of recorded refusals.
#![cfg(test)]

use super::{asking::Field, refusal::expected, *};

const METHODS_0_98: &str = "Invalid request: unknown variant `selvedge/abilities`, expected one of `initialize`, \
    `thread/start`, `thread/fork`, `thread/rollback`, `thread/read`, `turn/start`";

#[test]
fn a_refusal_names_what_would_have_been_right() {
    assert_eq!(expected(METHODS_0_98).unwrap().len(), 6);
    let two = "Invalid request: unknown variant `?`, expected `inline` or `detached`";
    assert_eq!(expected(two).unwrap(), ["inline", "detached"]);
    let one = "Invalid request: unknown variant `?`, expected `inline`";
    assert_eq!(expected(one).unwrap(), ["inline"]);
    assert_eq!(expected("thread not found: 0"), None);
    assert_eq!(expected("no"), None);
}

#[test]
fn a_field_is_known_if_it_is_what_was_refused() {
    let of = |message| Field::of(Some(message));
    assert_eq!(of("Invalid request: invalid type: integer `5`, expected a string"), Field::Known);
    assert_eq!(of("Invalid request: invalid type: number, expected a boolean"), Field::Known);
    assert_eq!(of("Invalid request: missing field `inputSchema`"), Field::Known);
    assert_eq!(of("Invalid request: invalid type: boolean `true`, expected a string"), Field::Unknown);
    assert_eq!(of("not today"), Field::Unsaid);
    assert_eq!(Field::of(None), Field::Unsaid);
}

#[test]
fn who_says_nothing_is_taken_to_be_of_today() {
    let silent = Abilities::read(&Answers::default());
    assert_eq!(silent, Abilities::newest());
    assert!(silent.steer() && silent.plan_mode() && !silent.on_failure() && !silent.phantom_turns());
    assert_eq!((silent.fork(), silent.history()), (Fork::UpToATurn, History::Pages));
}

#[test]
fn an_old_one_has_what_it_named() {
    let old = Abilities::read(&Answers {
        methods: expected(METHODS_0_98),
        policies: Some(vec!["untrusted".into(), "on-failure".into()]),
        efforts: Some(vec!["low".into(), "high".into()]),
        own_message_ids: Field::Unknown,
        fork_up_to_a_turn: Field::Unknown,
        tools: Field::Known,
        deferred_tools: Field::Unknown,
        tool_namespaces: Field::Known,
        ..Answers::default()
    });
    assert!(!old.steer() && old.on_failure() && old.phantom_turns() && !old.background_terminals());
    assert_eq!((old.fork(), old.unwind(), old.history()), (Fork::Whole, Unwind::Rollback, History::Whole));
    assert_eq!((old.tools(), old.unsubscribe()), (Tools::Flat, Unsubscribe::No));
    assert_eq!(old.efforts(), Efforts::Only(&["low".into(), "high".into()]));
}
