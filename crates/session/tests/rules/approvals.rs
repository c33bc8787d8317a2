//! Who answers what Codex asks, and what becomes of the answer.

use selvedge_session::{
    ApprovalPolicy, Code, Command, Effect, Heard, Patch, PermissionMode, Refusal, RequestKey, Settings,
    Status, Unattended, Verdict,
    data::{ApprovalKind, Decision},
};
use serde_json::json;

use crate::{
    Then,
    play::{Play, child_place, place, text_of},
};

/// Every kind of question, by a short name.
fn ask(play: &mut Play, what: &str) {
    let (kind, request) = match what {
        "command" => (ApprovalKind::Command, json!({"availableDecisions": ["accept", "cancel"]})),
        "files" => (ApprovalKind::FileChange, json!({})),
        "permissions" => (ApprovalKind::Permissions, json!({"permissions": {"network": {}}})),
        "question" => (ApprovalKind::UserInput, json!({"questions": []})),
        "mcp" => (
            ApprovalKind::Elicitation,
            json!({"_meta": {"codex_approval_kind": "mcp_tool_call", "persist": ["session"]}}),
        ),
        "form" => (ApprovalKind::Elicitation, json!({"requestedSchema": {"required": ["name"]}})),
        _ => (ApprovalKind::Elicitation, json!({"requestedSchema": {"type": "object", "properties": {}}})),
    };
    play.asked_for(place("t1"), kind, request);
}

#[test]
fn the_policy_answers_what_it_covers_and_nothing_else() {
    use ApprovalPolicy::{Never, OnFailure, OnRequest, Untrusted};
    use PermissionMode::{AcceptEdits, BypassPermissions, Default, Plan};
    const KINDS: [&str; 7] = ["command", "files", "permissions", "question", "mcp", "form", "empty form"];
    // y: accepted, n: declined, ?: a person is asked.
    let cases = [
        (None, None, "???????"),
        (Some(Never), None, "yynnynn"),
        (Some(Untrusted), None, "???????"),
        (Some(OnFailure), None, "???????"),
        (Some(OnRequest), None, "???????"),
        (None, Some(Default), "???????"),
        (None, Some(Plan), "???????"),
        (None, Some(AcceptEdits), "?y?????"),
        (None, Some(BypassPermissions), "yyy?y?y"),
        (Some(Untrusted), Some(BypassPermissions), "???????"),
    ];
    for (approval_policy, permission_mode, answers) in cases {
        for (unattended, unanswered) in [(Unattended::Wait, '?'), (Unattended::Decline, 'n')] {
            for (kind, answer) in KINDS.iter().zip(answers.chars()) {
                let settings =
                    Settings { approval_policy, permission_mode, unattended, ..Settings::default() };
                let case = format!("{approval_policy:?} {permission_mode:?} {unattended:?} {kind}");
                let mut play = Play::running_with("t1", settings);
                ask(&mut play, kind);
                let expected = match if answer == '?' { unanswered } else { answer } {
                    'y' => vec!["accept by policy"],
                    'n' => vec!["decline by policy"],
                    _ => vec![],
                };
                assert_eq!(play.resolved(), expected, "{case}");
                assert_eq!(play.effects().len(), expected.len(), "{case}");
            }
        }
    }
}

#[test]
fn a_policy_that_is_changed_counts_from_the_next_turn_on() {
    use ApprovalPolicy::{Never, Untrusted};
    let changed_to = |play: &mut Play, policy| {
        let patch = Patch { approval_policy: Some(policy), ..Patch::default() };
        play.tell(Command::Update(Box::new(patch))).unwrap();
    };
    for (before, after, [then, next]) in
        [(Untrusted, Never, ["", "accept"]), (Never, Untrusted, ["accept", ""])]
    {
        let settings = Settings { approval_policy: Some(before), ..Settings::default() };
        let mut play = Play::running_with("t1", settings);
        changed_to(&mut play, after);
        ask(&mut play, "command");
        let by_policy = |play: &mut Play| play.resolved().concat().replace(" by policy", "");
        assert_eq!(by_policy(&mut play), then, "{before:?}: the turn goes on as it began");
        play.turn_ends("t1", Status::Completed);
        play.resolved();
        play.send(2);
        play.turn_starts("t1");
        ask(&mut play, "command");
        assert_eq!(by_policy(&mut play), next, "{after:?}: the next one asks as Codex was told with it");
    }
    // What is run again is another turn of Codex's, and told what counts now.
    let mut play =
        Play::running_with("t1", Settings { approval_policy: Some(Untrusted), ..Settings::default() });
    changed_to(&mut play, Never);
    play.process_gone();
    play.verdict(Verdict::Cut { acted: false });
    play.thread_ready();
    play.turn_starts("t1");
    ask(&mut play, "command");
    assert_eq!(play.resolved(), ["accept by policy"]);
}

#[test]
fn a_decision_that_codex_does_not_offer_is_refused_and_the_question_stays_open() {
    use Decision::{Accept, AcceptForSession, Cancel, Decline, Expired};
    let cases = [
        ("command", vec![Accept, AcceptForSession, Decline, Cancel]),
        ("files", vec![Accept, AcceptForSession, Decline, Cancel]),
        ("permissions", vec![Accept, AcceptForSession, Decline]),
        ("question", vec![Accept, Decline]),
        ("mcp", vec![Accept, AcceptForSession, Decline, Cancel]),
        ("form", vec![Accept, Decline, Cancel]),
    ];
    for (kind, offered) in cases {
        for decision in [Accept, AcceptForSession, Decline, Cancel, Expired] {
            let mut play = Play::running("t1");
            ask(&mut play, kind);
            let open = play.session().open_approvals().next().unwrap();
            assert_eq!(open.offered, offered, "{kind}");
            let id = open.id;
            let answer = play.answer(id, decision);
            if offered.contains(&decision) {
                assert_eq!(answer, Ok(()), "{kind} {decision:?}");
            } else {
                assert_eq!(answer, Err(Refusal::NotOffered), "{kind} {decision:?}");
                assert_eq!(play.session().open_approvals().count(), 1);
            }
        }
    }
    assert_eq!(Refusal::NotOffered.code(), Code::DecisionNotOffered);
}

#[test]
fn a_later_answer_is_told_who_answered() {
    let mut play = Play::running("t1");
    let approval = play.asked("t1");
    play.answer(approval, Decision::Accept).unwrap();
    let late = play.answer(approval, Decision::Decline);
    assert_eq!(late, Err(Refusal::Answered { by: Some("somebody".into()) }));
    let approval = play.asked("t1");
    play.process_gone();
    let late = play.answer(approval, Decision::Accept);
    assert_eq!(late, Err(Refusal::Answered { by: Some("expired".into()) }), "an old answer is not applied");
    let never = selvedge_session::ApprovalId(uuid::Uuid::from_u128(1));
    assert_eq!(play.answer(never, Decision::Accept), Err(Refusal::NotFound));
}

#[test]
fn what_is_said_with_a_no_reaches_the_agent_in_its_turn() {
    let mut play = Play::running("t1");
    let approval = play.asked("t1");
    play.answer_saying(approval, Decision::Decline, "use the other one");
    assert_eq!(play.effects(), ["Tell t1: use the other one"]);
    assert!(matches!(play.restarted().unfinished()[..], [Effect::Tell { .. }]), "also after a crash");
    play.hear(Heard::Told { turn_id: "t1".into(), reached: true });
    assert_eq!(play.effects(), ["Answer Decline"], "the model is asked again when the words are there");
    assert!(matches!(play.restarted().unfinished()[..], [Effect::Answer { .. }]));
    play.send(2);
    play.turn_ends("t1", Status::Completed);
    let Some(Effect::StartTurn { input, .. }) = play.last_effect() else { panic!() };
    assert_eq!(text_of(&input), "message 2", "told once");
}

#[test]
fn what_is_said_with_a_no_comes_with_the_next_message_if_the_turn_does_not_hear_it() {
    let refused = |play: &mut Play| play.hear(Heard::Told { turn_id: "t1".into(), reached: false });
    let unanswered = |_: &mut Play| {};
    let stale = |play: &mut Play| play.hear(Heard::Told { turn_id: "t0".into(), reached: true });
    let cases: [(&str, Decision, Then); 4] = [
        ("the steer was refused", Decision::Decline, refused),
        ("the turn ended first", Decision::Decline, unanswered),
        ("an answer about another turn", Decision::Decline, stale),
        ("the turn ends with it", Decision::Cancel, unanswered),
    ];
    for (case, decision, then) in cases {
        let mut play = Play::running("t1");
        let approval = play.asked("t1");
        play.answer_saying(approval, decision, "not that");
        then(&mut play);
        play.turn_ends("t1", Status::Interrupted);
        play.send(2);
        let Some(Effect::StartTurn { input, .. }) = play.last_effect() else { panic!("{case}") };
        let texts: Vec<_> = input.chunks(1).map(text_of).collect();
        assert_eq!(texts, ["not that", "message 2"], "{case}");
        assert!(
            play.restarted().unfinished().contains(&play.last_effect().unwrap()),
            "{case}: also after a crash"
        );
        play.turn_starts("t2");
        play.turn_ends("t2", Status::Completed);
        play.send(3);
        let Some(Effect::StartTurn { input, .. }) = play.last_effect() else { panic!("{case}") };
        assert_eq!(text_of(&input), "message 3", "{case}: told once");
    }
}

#[test]
fn a_no_does_not_wait_for_words_that_nobody_hears() {
    let refused: Then = |play| play.hear(Heard::Told { turn_id: "t1".into(), reached: false });
    // Another owner comes to the same app-server: of what was being told nothing more is heard.
    let rejoined: Then = |play| {
        let begun = play.session().begun();
        play.hear(Heard::CaughtUp { begun });
    };
    let ended: Then = |play| play.turn_ends("t1", Status::Completed);
    for (case, then) in
        [("the steer was refused", refused), ("another owner", rejoined), ("the turn ended first", ended)]
    {
        let mut play = Play::running("t1");
        // A sub-agent may wait for it, and outlives the turn.
        let approval = play.asked_for(child_place("c1"), ApprovalKind::Command, json!({}));
        play.answer_saying(approval, Decision::Decline, "not that");
        assert_eq!(play.effects(), ["Tell t1: not that"], "{case}");
        then(&mut play);
        assert_eq!(play.effects(), ["Answer Decline"], "{case}");
    }
}

#[test]
fn answers_wait_for_their_own_words_and_no_other_answer_does() {
    let mut play = Play::running("t1");
    let [first, second, third] = [(); 3].map(|()| play.asked("t1"));
    play.answer_saying(first, Decision::Decline, "one");
    play.answer_saying(second, Decision::Decline, "two");
    play.answer(third, Decision::Accept).unwrap();
    assert_eq!(play.effects(), ["Tell t1: one", "Tell t1: two", "Answer Accept"]);
    let told = |play: &mut Play| play.hear(Heard::Told { turn_id: "t1".into(), reached: true });
    told(&mut play);
    assert_eq!(
        play.effects(),
        Vec::<String>::new(),
        "whose words were heard is not known: they wait for all"
    );
    told(&mut play);
    assert_eq!(play.effects(), ["Answer Decline", "Answer Decline"]);
    told(&mut play);
    assert_eq!(play.effects(), Vec::<String>::new(), "once");
}

#[test]
fn a_question_that_is_repeated_is_not_answered_before_the_words_are_there() {
    let mut play = Play::running("t1");
    let approval = play.asked("t1");
    play.answer_saying(approval, Decision::Decline, "not that");
    assert_eq!(play.effects(), ["Tell t1: not that"]);
    play.hear(repeated());
    assert_eq!(play.effects(), Vec::<String>::new());
    play.hear(Heard::Told { turn_id: "t1".into(), reached: true });
    assert_eq!(play.effects(), ["Answer Decline"]);
    play.hear(repeated());
    assert_eq!(play.effects(), ["Answer Decline"], "the answer is sent again");
}

#[test]
fn a_yes_with_words_says_nothing_to_the_agent() {
    let mut play = Play::running("t1");
    let approval = play.asked("t1");
    play.answer_saying(approval, Decision::Accept, "go on");
    assert_eq!(play.effects(), ["Answer Accept"]);
}

/// The first question, as a thread that is loaded again repeats it.
fn repeated() -> Heard {
    Heard::Asked {
        approval_id: selvedge_session::ApprovalId(uuid::Uuid::from_u128(7)),
        key: RequestKey("1001".into()),
        place: place("t1"),
        item_id: None,
        kind: ApprovalKind::Command,
        request: json!({}).into(),
    }
}

#[test]
fn a_question_repeated_when_the_thread_is_loaded_again_is_the_same_question() {
    let mut play = Play::running("t1");
    let approval = play.asked("t1");
    let repeat = |play: &mut Play| play.hear(repeated());
    repeat(&mut play);
    assert_eq!(play.session().open_approvals().count(), 1, "not asked twice");
    play.answer(approval, Decision::Accept).unwrap();
    assert_eq!(play.effects(), ["Answer Accept"]);
    repeat(&mut play);
    assert_eq!(play.effects(), ["Answer Accept"], "the answer is sent again");
    assert!(play.restarted().unfinished().iter().any(|effect| matches!(effect, Effect::Answer { .. })));
    play.hear(Heard::Withdrawn(RequestKey("1001".into())));
    assert_eq!(play.session().unfinished(), [], "Codex has it");
}

#[test]
fn a_tool_call_past_its_time_is_answered_as_failed_and_a_repeated_one_as_before() {
    let tool = serde_json::from_value(
        json!({"name": "look", "description": "", "input_schema": {}, "timeout_seconds": 5}),
    );
    let mut play = Play::running_with("t1", Settings { tools: vec![tool.unwrap()], ..Settings::default() });
    play.tool_called("t1", "k");
    play.wait(4_999);
    assert_eq!(play.effects(), Vec::<String>::new());
    play.wait(1);
    assert_eq!(play.effects(), ["AnswerTool"]);
    play.tool_called("t1", "k");
    assert_eq!(play.effects(), ["AnswerTool"]);
    assert_eq!(play.session().open_tools().count(), 0);
}
