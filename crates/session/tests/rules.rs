//! The rules, one by one: what happens, exactly, when things go right and wrong.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "rules/approvals.rs"]
mod approvals;
#[path = "rules/calls.rs"]
mod calls;
#[path = "rules/children.rs"]
mod children;
#[path = "rules/commands.rs"]
mod commands;
#[path = "rules/endings.rs"]
mod endings;
#[path = "rules/growth.rs"]
mod growth;
#[path = "rules/outdated.rs"]
mod outdated;
mod play;
#[path = "rules/recovery.rs"]
mod recovery;
#[path = "rules/rejoining.rs"]
mod rejoining;
#[path = "rules/steering.rs"]
mod steering;
#[path = "rules/usage.rs"]
mod usage;

use play::{Play, agent_message, item, text_of};
use selvedge_session::{
    Budget, BusyPolicy, Effect, Failure, Heard, OnLost, Options, Phase, Retry, Settings, Status, Unattended,
    Verdict, data::Decision,
};

#[test]
fn a_message_runs_and_ends_with_what_codex_marks_as_its_answer() {
    let mut play = Play::new(Settings::default());
    play.send(1);
    assert_eq!(play.effects(), ["EnsureThread"]);
    play.thread_ready();
    assert_eq!(play.effects(), ["StartTurn 1 #1"]);
    play.turn_starts("t1");
    play.item_completes("t1", agent_message("a", "the answer", Some("final_answer")));
    play.item_completes("t1", agent_message("b", "an afterthought", None));
    play.turn_ends("t1", Status::Completed);
    assert_eq!(play.ends(), ["1 completed: the answer"]);
}

#[test]
fn without_a_mark_the_last_message_is_the_answer() {
    let mut play = Play::running("t1");
    play.item_completes("t1", agent_message("a", "first", None));
    play.item_completes("t1", agent_message("b", "last", Some("commentary")));
    play.turn_ends("t1", Status::Completed);
    assert_eq!(play.ends(), ["1 completed: last"]);
}

#[test]
fn the_queue_keeps_its_order_and_goes_on_after_failed_and_interrupted() {
    let mut play = Play::running("t1");
    play.send(2);
    play.send(3);
    play.turn_ends("t1", Status::Failed);
    assert_eq!(play.effects(), ["StartTurn 2 #1"]);
    play.turn_starts("t2");
    play.turn_ends("t2", Status::Interrupted);
    assert_eq!(play.effects(), ["StartTurn 3 #1"]);
    assert_eq!(play.ends(), ["1 failed: ", "2 interrupted: "]);
}

#[test]
fn after_lost_the_queue_is_held_until_somebody_says_go() {
    for (on_lost, effects) in [(OnLost::Hold, vec![]), (OnLost::Continue, vec!["EnsureThread"])] {
        let mut play = Play::running_with("t1", Settings { on_lost, ..Settings::default() });
        play.send(2);
        play.item_completes("t1", item("c", "commandExecution"));
        play.process_gone();
        assert_eq!(play.effects(), ["Examine"]);
        play.verdict(Verdict::Cut { acted: true });
        assert_eq!(play.effects(), effects, "{on_lost:?}");
        assert_eq!(play.ends(), ["1 lost: "]);
        play.go();
        assert!(play.session().unfinished().contains(&Effect::EnsureThread), "{on_lost:?}");
    }
}

#[test]
fn a_cut_turn_is_run_again_once_and_only_if_it_did_nothing() {
    let cases = [
        (Retry::Safe, false, false, true),
        (Retry::Safe, true, false, false),
        (Retry::Safe, false, true, false),
        (Retry::Always, true, true, true),
        (Retry::Never, false, false, false),
    ];
    for (retry, seen_acting, rollout_acts, again) in cases {
        let case = format!("{retry:?} seen {seen_acting} rollout {rollout_acts}");
        let mut play = Play::new(Settings::default());
        play.send_with(1, Options { retry, ..Options::default() });
        play.thread_ready();
        play.turn_starts("t1");
        if seen_acting {
            play.item_starts("t1", item("c", "commandExecution"));
        }
        play.process_gone();
        play.effects();
        play.verdict(Verdict::Cut { acted: rollout_acts });
        if !again {
            assert_eq!(play.ends(), ["1 lost: "], "{case}");
            continue;
        }
        assert_eq!(play.effects(), ["DropTurn t1", "EnsureThread"], "{case}");
        play.thread_ready();
        assert_eq!(play.effects(), ["StartTurn 1 #2"], "{case}");
        play.turn_starts("t2");
        play.process_gone();
        play.verdict(Verdict::Cut { acted: false });
        assert_eq!(play.ends(), ["1 lost: "], "{case}: not twice");
    }
}

#[test]
fn a_message_that_never_reached_the_model_is_sent_again() {
    let mut play = Play::new(Settings::default());
    play.send_with(1, Options { retry: Retry::Never, ..Options::default() });
    play.thread_ready();
    play.effects();
    play.process_gone();
    play.effects();
    play.verdict(Verdict::NeverReached);
    assert_eq!(play.effects(), ["EnsureThread"]);
    play.thread_ready();
    assert_eq!(play.effects(), ["StartTurn 1 #2"]);
}

#[test]
fn a_turn_that_had_ended_when_its_process_died_has_its_own_end() {
    let mut play = Play::running("t1");
    play.process_gone();
    let text = Some("it was done".to_owned());
    play.verdict(Verdict::Ended(selvedge_session::TurnEnd { status: Status::Completed, error: None, text }));
    assert_eq!(play.ends(), ["1 completed: it was done"]);
}

#[test]
fn an_ephemeral_thread_has_nothing_to_be_asked() {
    let mut play = Play::running_with("t1", Settings { ephemeral: true, ..Settings::default() });
    play.process_gone();
    assert_eq!(play.ends(), ["1 lost: "]);
}

#[test]
fn a_steer_joins_the_turn_and_ends_with_it() {
    let mut play = Play::running("t1");
    play.send_with(2, busy(BusyPolicy::Steer));
    assert_eq!(play.effects(), ["Steer 2 into t1"]);
    play.item_starts("t1", agent_message("cut", "", None));
    play.steered(2, true);
    play.turn_ends("t1", Status::Completed);
    assert_eq!(play.ends(), ["2 completed:  (steered)", "1 completed: "]);
    assert_eq!(play.closed(), ["cut superseded"]);
}

#[test]
fn what_wants_something_of_its_own_is_queued_and_a_refused_steer_too() {
    let mut play = Play::running("t1");
    play.send_with(2, Options { model: Some("other".into()), ..busy(BusyPolicy::Steer) });
    assert_eq!(play.effects(), Vec::<String>::new());
    let mut play = Play::running("t1");
    play.send_with(2, busy(BusyPolicy::Steer));
    play.effects();
    play.steered(2, false);
    play.turn_ends("t1", Status::Completed);
    assert_eq!(play.effects(), ["StartTurn 2 #1"]);
}

#[test]
fn a_steer_answered_after_its_turn_ends_as_the_turn_did() {
    for (joined, ends) in [(true, vec!["2 failed:  (steered)"]), (false, vec![])] {
        let mut play = Play::running("t1");
        play.send_with(2, busy(BusyPolicy::Steer));
        play.turn_ends("t1", Status::Failed);
        assert_eq!(play.ends(), ["1 failed: "]);
        play.effects();
        play.steered(2, joined);
        assert_eq!(play.ends(), ends);
        assert_eq!(play.effects().len(), usize::from(!joined), "queued again: {}", !joined);
    }
}

#[test]
fn a_message_that_interrupts_is_told_what_was_cut() {
    let mut play = Play::running("t1");
    play.send(2);
    play.send_with(3, busy(BusyPolicy::Interrupt));
    assert_eq!(play.effects(), ["Interrupt t1"]);
    play.delta("t1", "a", "half an ans");
    play.turn_ends("t1", Status::Interrupted);
    let Some(Effect::StartTurn { message_id, after: Some(cut), .. }) = play.last_effect() else { panic!() };
    assert_eq!(
        (message_id.0.as_u128(), text_of(&cut.input), cut.partial.as_str()),
        (3, "message 1", "half an ans")
    );
}

#[test]
fn reject_refuses_and_changes_nothing() {
    let mut play = Play::running("t1");
    assert!(play.try_send(2, busy(BusyPolicy::Reject)).is_err());
    assert_eq!(play.session().queued().count(), 0);
}

#[test]
fn an_interrupt_before_the_turn_has_started_is_made_when_it_has() {
    let mut play = Play::new(Settings::default());
    play.send(1);
    play.thread_ready();
    play.effects();
    play.interrupt();
    assert_eq!(play.effects(), Vec::<String>::new());
    play.turn_starts("t1");
    assert_eq!(play.effects(), ["Interrupt t1"]);
    play.hear(Heard::InterruptAnswered { not_started: true });
    assert_eq!(play.effects(), ["Interrupt t1"], "refused although it had started by then: again");
    play.hear(Heard::InterruptAnswered { not_started: false });
    play.interrupt();
    assert_eq!(play.effects(), Vec::<String>::new(), "never twice for one that was interrupted");
}

#[test]
fn a_turn_that_does_not_hear_the_interrupt_is_lost_and_its_process_left() {
    let mut play = Play::running("t1");
    play.interrupt();
    play.effects();
    play.wait(9_999);
    assert_eq!(play.ends(), Vec::<String>::new());
    play.wait(1);
    assert_eq!(play.ends(), ["1 lost: "]);
    assert_eq!(play.effects(), ["LeaveProcess", "CleanTerminals"]);
}

#[test]
fn silence_makes_us_ask_and_never_interrupts() {
    let mut play = Play::running("t1");
    play.wait(59_999);
    assert_eq!(play.effects(), Vec::<String>::new());
    play.wait(1);
    assert_eq!(play.effects(), ["AskTurn"]);
    play.verdict(Verdict::InProgress { turn_id: None });
    play.wait(59_999);
    assert_eq!(play.effects(), Vec::<String>::new(), "asked and answered: alive");
    play.wait(1);
    assert_eq!(play.effects(), ["AskTurn"], "and again");
    assert_eq!(play.ends(), Vec::<String>::new());
}

#[test]
fn a_person_is_told_once_when_it_is_quiet_for_five_minutes() {
    let mut play = Play::running("t1");
    for _ in 0..12 {
        play.wait(50_000);
    }
    assert_eq!(play.warnings(), ["quiet"]);
    assert_eq!(play.ends(), Vec::<String>::new());
}

#[test]
fn an_idle_thread_without_an_end_is_asked_after_two_seconds() {
    let mut play = Play::running("t1");
    play.hear(Heard::Idle);
    play.wait(1_999);
    assert_eq!(play.effects(), Vec::<String>::new());
    play.wait(1);
    assert_eq!(play.effects(), ["AskTurn"]);
}

#[test]
fn an_error_without_retry_fails_the_turn_after_five_seconds() {
    let failure = Failure {
        phase: Phase::Response,
        code: "other".into(),
        message: "broken".into(),
        hint: None,
        details: None,
    };
    let mut play = Play::running("t1");
    let place = play::place("t1");
    play.hear(Heard::Trouble { place: place.clone(), will_retry: true, failure: failure.clone() });
    play.wait(20_000);
    assert_eq!((play.warnings(), play.ends()), (vec!["retrying".to_owned()], vec![]));
    play.hear(Heard::Trouble { place, will_retry: false, failure });
    play.wait(4_999);
    assert_eq!(play.ends(), Vec::<String>::new());
    play.wait(1);
    assert_eq!(play.ends(), ["1 failed:  (other)"]);
}

#[test]
fn a_deadline_does_not_count_the_wait_for_a_person() {
    let mut play = Play::running_with("t1", Settings { deadline_seconds: Some(30), ..Settings::default() });
    play.wait(20_000);
    let approval = play.asked("t1");
    play.wait(3_600_000);
    play.answer(approval, Decision::Accept).unwrap();
    play.effects();
    play.wait(9_999);
    assert_eq!(play.effects(), Vec::<String>::new());
    play.wait(1);
    assert_eq!(play.effects(), ["Interrupt t1"]);
    play.turn_ends("t1", Status::Interrupted);
    assert_eq!(play.ends(), ["1 failed:  (deadline_exceeded)"]);
}

#[test]
fn a_budget_stops_the_turn_at_the_report_that_exceeds_it() {
    let budget = Some(Budget { max_total_tokens: Some(100), ..Budget::default() });
    let mut play = Play::running_with("t1", Settings { budget, ..Settings::default() });
    play.used("t1", 100);
    assert_eq!(play.effects(), Vec::<String>::new());
    play.used("t1", 101);
    assert_eq!(play.effects(), ["Interrupt t1"]);
    play.turn_ends("t1", Status::Interrupted);
    assert_eq!(play.ends(), ["1 failed:  (budget_exceeded)"]);
}

#[test]
fn usage_is_the_difference_of_totals_and_a_resumed_threads_past_is_not_ours() {
    let adopted = Settings { thread_id: Some("thread".into()), ..Settings::default() };
    let mut play = Play::new(adopted);
    play.thread_ready();
    play.used("old", 5_000);
    play.send(1);
    play.turn_starts("t1");
    play.used("t1", 5_010);
    play.used("t1", 5_010);
    play.turn_ends("t1", Status::Completed);
    assert_eq!(play.session().usage().total, 10);
}

#[test]
fn the_first_answer_wins() {
    let mut play = Play::running("t1");
    let approval = play.asked("t1");
    play.answer(approval, Decision::Decline).unwrap();
    assert_eq!(play.effects(), ["Answer Decline"]);
    assert!(play.answer(approval, Decision::Accept).is_err());
    assert_eq!(play.effects(), Vec::<String>::new());
}

#[test]
fn nobody_answers_for_a_person_but_the_policy_and_the_clock() {
    let decline = Settings { unattended: Unattended::Decline, ..Settings::default() };
    let mut play = Play::running_with("t1", decline);
    play.asked("t1");
    assert_eq!(
        (play.effects(), play.resolved()),
        (vec!["Answer Decline".to_owned()], vec!["decline by policy".to_owned()])
    );
    let timeout = Settings { approval_timeout_seconds: Some(10), ..Settings::default() };
    let mut play = Play::running_with("t1", timeout);
    play.asked("t1");
    play.wait(10_000);
    assert_eq!(play.resolved(), ["decline by timeout"]);
    let mut play = Play::running("t1");
    play.asked("t1");
    play.wait(86_400_000);
    assert_eq!(play.resolved(), Vec::<String>::new(), "it waits as long as it takes");
}

#[test]
fn what_codex_asked_ends_with_its_turn_and_with_its_process() {
    let mut play = Play::running("t1");
    play.asked("t1");
    play.turn_ends("t1", Status::Interrupted);
    assert_eq!(play.resolved(), ["cancel by codex"]);
    let mut play = Play::running("t1");
    play.asked("t1");
    play.process_gone();
    assert_eq!(play.resolved(), ["expired by expired"]);
}

#[test]
fn stopping_interrupts_the_turn_and_ends_the_queue() {
    let mut play = Play::running("t1");
    play.send(2);
    play.stop();
    assert_eq!(
        (play.effects(), play.ends()),
        (vec!["Interrupt t1".to_owned()], vec!["2 interrupted: ".to_owned()])
    );
    play.turn_ends("t1", Status::Interrupted);
    assert_eq!(play.ends(), ["1 interrupted: "]);
    assert!(play.try_send(3, Options::default()).is_err());
    play.go();
    play.send(4);
    assert_eq!(play.effects(), ["CleanTerminals", "StartTurn 4 #1"]);
}

#[test]
fn a_turn_without_a_message_is_followed_and_blocks_the_next() {
    let mut play = Play::new(Settings::default());
    play.thread_ready();
    play.turn_starts("compaction");
    play.send(1);
    assert_eq!(play.effects(), Vec::<String>::new());
    play.turn_ends("compaction", Status::Completed);
    assert_eq!(play.effects(), ["StartTurn 1 #1"]);
}

fn busy(policy: BusyPolicy) -> Options {
    Options { busy_policy: Some(policy), ..Options::default() }
}

/// Something that happens in one case of many.
type Then = fn(&mut Play);
