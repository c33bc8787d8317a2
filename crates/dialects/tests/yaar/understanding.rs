//! What YAAR's pages say.

use selvedge_dialects::{
    Wish,
    yaar::{Heard, understand},
};
use selvedge_session::{BusyPolicy, data::Decision};
use serde_json::{Value, json};

use crate::support::id;

fn wish(said: Value) -> Wish {
    match understand(&said.to_string()) {
        Heard::Wishes { mut wishes, .. } if wishes.len() == 1 => wishes.remove(0),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_message_steers_an_agent_that_is_busy_and_is_said_once() {
    let said = json!({"type": "USER_MESSAGE", "messageId": "m1", "content": "Hello", "monitorId": "0", "interactions": []});
    let Heard::Wishes { key, .. } = understand(&said.to_string()) else { panic!() };
    assert_eq!(key.as_deref(), Some("m1"));
    assert!(
        matches!(wish(said), Wish::Send { text, when_busy: Some(BusyPolicy::Steer), .. } if text == "Hello")
    );
}

#[test]
fn a_message_with_instructions_waits_for_the_turn_that_has_others() {
    let said = json!({"type": "USER_MESSAGE", "messageId": "m1", "content": "Hello", "systemPrompt": "Be a desktop."});
    let Heard::Wishes { key: Some(key), wishes } = understand(&said.to_string()) else { panic!() };
    let [Wish::Update(patch), Wish::Send { text, when_busy: Some(BusyPolicy::Queue), .. }] =
        wishes.as_slice()
    else {
        panic!("{wishes:?}")
    };
    assert_eq!((key.as_str(), text.as_str()), ("m1", "Hello"));
    assert_eq!(patch.base_instructions.as_deref(), Some("Be a desktop."));
}

#[test]
fn dialogs_are_answered() {
    for (confirmed, remembered, decision) in [
        (true, json!("once"), Decision::Accept),
        (true, json!("always"), Decision::AcceptForSession),
        (true, Value::Null, Decision::Accept),
        (false, json!("deny_always"), Decision::Decline),
    ] {
        let said = json!({"type": "DIALOG_FEEDBACK", "dialogId": id(9), "confirmed": confirmed, "rememberChoice": remembered});
        assert!(matches!(wish(said), Wish::Answer { decision: decided, .. } if decided == decision));
    }
    let wrong = json!({"type": "DIALOG_FEEDBACK", "dialogId": "x", "confirmed": true});
    assert!(matches!(understand(&wrong.to_string()), Heard::Refused(_)));
}

#[test]
fn the_rest_is_understood_refused_or_left_to_others() {
    assert_eq!(wish(json!({"type": "INTERRUPT"})), Wish::Interrupt);
    assert_eq!(wish(json!({"type": "INTERRUPT_AGENT", "agentId": "a"})), Wish::Interrupt);
    for kind in ["RESET", "SET_PROVIDER"] {
        assert!(matches!(understand(&json!({ "type": kind }).to_string()), Heard::Refused(_)), "{kind}");
    }
    for frame in ["", "{", r#"{"type":"send"}"#, r#"{"type":"USER_MESSAGE"}"#] {
        assert_eq!(understand(frame), Heard::Nothing, "{frame}");
    }
}
