//! What concerns a whole app-server, and what is answered without a session.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::json;

use super::stage::{Stage, delta, turn_started};
use crate::fleet::options::FleetOptions;

#[tokio::test]
async fn notices_are_told_once_to_each_and_warnings_to_late_comers_too() {
    let mut stage = Stage::new();
    let mut first = stage.listen("a", 8);
    let warning = json!({"method": "configWarning", "params": {"summary": "careful"}});
    let limits = |used: u32| json!({"method": "account/rateLimits/updated", "params": {"used": used}});
    for line in [&warning, &warning, &limits(1), &limits(1), &limits(2)] {
        stage.say(line.clone()).await;
    }
    stage.say(json!({"method": "skills/changed", "params": {}})).await;
    stage.say(turn_started("a", "1")).await;
    let expected = [
        r#"notice configWarning {"summary":"careful"}"#,
        r#"notice account/rateLimits/updated {"used":1}"#,
        r#"notice account/rateLimits/updated {"used":2}"#,
        "a: turn 1 begins",
    ];
    for expected in expected {
        assert_eq!(first.next_word().await, expected);
    }
    assert_eq!(stage.counters.notices.get(), 1);
    let mut second = stage.listen("b", 8);
    assert_eq!(second.next_word().await, expected[0]);
    stage.say(turn_started("b", "1")).await;
    assert_eq!(second.next_word().await, "b: turn 1 begins");
}

#[tokio::test]
async fn the_time_is_told_and_what_we_do_not_have_is_refused() {
    let mut stage = Stage::new();
    stage.say(json!({"method": "currentTime/read", "id": 0, "params": {"threadId": "a"}})).await;
    let answer = stage.hears().await;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    assert!(now.abs_diff(answer["result"]["currentTimeAt"].as_u64().unwrap()) < 60, "{answer}");
    for method in ["account/chatgptAuthTokens/refresh", "attestation/generate"] {
        stage.say(json!({"method": method, "id": 1, "params": {"reason": "unauthorized"}})).await;
        assert_eq!(stage.hears().await["error"]["code"], -32601, "{method}");
    }
}

#[tokio::test]
async fn a_secret_is_not_passed_on() {
    let options = FleetOptions::default();
    options.redactions.add("sk-very-secret");
    let mut stage = Stage::with(options);
    let mut ear = stage.listen("a", 8);
    stage.say(delta("a", "the key is sk-very-secret!")).await;
    assert_eq!(ear.next_word().await, "a: the key is [redacted]!");
    // Cut into pieces, also where each is heard at once: the first waits for the second.
    stage.say(delta("a", " Again sk-very")).await;
    stage.say(delta("a", "-secret!")).await;
    assert_eq!(ear.next_word().await, "a:  Again [redacted]!");
    stage.say(delta("a", "a sk")).await;
    assert_eq!(ear.next_word().await, "a: a sk", "that begins too many words");
    stage.say(delta("a", "-ill?")).await;
    assert_eq!(ear.next_word().await, "a: -ill?");
    // What comes in between is not waited for.
    stage.say(delta("a", "my sk-very")).await;
    stage.say(turn_started("a", "1")).await;
    assert_eq!(ear.next_word().await, "a: my [redacted]");
    assert_eq!(ear.next_word().await, "a: turn 1 begins");
}
