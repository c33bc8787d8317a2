//! How turns end, sentence by sentence, and what their messages say then.

use selvedge_session::{
    Budget, BusyPolicy, Code, Effect, Failure, Heard, Isolation, MadeWith, Options, Phase, Price, Refusal,
    Retry, Settings, Status, TurnEnd, Usage, Verdict, data::DeltaKind,
};
use serde_json::json;

use crate::play::{Play, agent_message, child_place, item, message, place};

#[test]
fn only_the_end_of_the_turn_is_its_end_also_after_an_interrupt() {
    let mut play = Play::running("t1");
    play.interrupt();
    play.hear(Heard::InterruptAnswered { not_started: false });
    assert_eq!(play.ends(), Vec::<String>::new());
    play.turn_ends("t1", Status::Interrupted);
    assert_eq!(play.ends(), ["1 interrupted: "]);
}

#[test]
fn an_interrupt_that_is_refused_again_and_again_is_not_sent_for_ever() {
    let mut play = Play::running("t1");
    play.interrupt();
    for _ in 0..10 {
        play.hear(Heard::InterruptAnswered { not_started: true });
    }
    assert_eq!(play.effects(), ["Interrupt t1", "Interrupt t1", "Interrupt t1"]);
    play.wait(10_000);
    assert_eq!(play.ends(), ["1 lost: "]);
}

#[test]
fn an_answered_interrupt_has_five_more_seconds() {
    let mut play = Play::running("t1");
    play.interrupt();
    play.wait(3_000);
    play.hear(Heard::InterruptAnswered { not_started: false });
    play.wait(4_999);
    assert_eq!(play.ends(), Vec::<String>::new());
    play.wait(1);
    assert_eq!(play.ends(), ["1 lost: "]);
}

#[test]
fn an_interrupted_turn_whose_thread_rests_is_asked_after_before_it_is_given_up() {
    let mut play = Play::running("t1");
    play.interrupt();
    play.hear(Heard::InterruptAnswered { not_started: false });
    play.hear(Heard::Idle);
    play.wait(1_999);
    assert_eq!(play.effects(), ["Interrupt t1"]);
    play.wait(1);
    assert_eq!(play.effects(), ["AskTurn"]);
    play.verdict(Verdict::Ended(TurnEnd { status: Status::Interrupted, error: None, text: None }));
    assert_eq!(play.ends(), ["1 interrupted: "]);
}

#[test]
fn what_a_command_says_that_was_left_behind_is_no_sign_of_its_turn() {
    let mut play = Play::running("t1");
    play.interrupt();
    play.hear(Heard::Idle);
    let tick = |play: &mut Play| {
        let (kind, delta) = (DeltaKind::Output, "tick".to_owned());
        play.hear(Heard::Delta { place: place("t1"), item_id: "c".into(), kind, delta });
    };
    tick(&mut play);
    play.wait(2_000);
    assert_eq!(play.effects(), ["Interrupt t1", "AskTurn"]);
    tick(&mut play);
    play.verdict(Verdict::Ended(TurnEnd { status: Status::Interrupted, error: None, text: None }));
    assert_eq!(play.ends(), ["1 interrupted: "]);
}

#[test]
fn a_deaf_turn_isolates_the_session_and_lets_the_message_that_interrupted_run() {
    let mut play = Play::running("t1");
    play.send_with(2, Options { busy_policy: Some(BusyPolicy::Interrupt), ..Options::default() });
    play.wait(10_000);
    assert_eq!(play.ends(), ["1 lost: "]);
    assert!(!play.session().is_held(), "somebody wants this one instead");
    assert_eq!(play.session().settings().isolation, Isolation::Isolated);
    assert_eq!(play.effects(), ["Interrupt t1", "LeaveProcess", "CleanTerminals", "EnsureThread"]);
}

#[test]
fn quiet_is_told_although_codex_says_that_the_turn_goes_on_and_again_after_it_spoke() {
    let mut play = Play::running("t1");
    let five_quiet_minutes = |play: &mut Play| {
        for _ in 0..5 {
            play.wait(60_000);
            assert_eq!(play.effects(), ["AskTurn"]);
            play.verdict(Verdict::InProgress { turn_id: Some("t1".into()) });
        }
    };
    five_quiet_minutes(&mut play);
    assert_eq!(play.warnings(), ["quiet"]);
    five_quiet_minutes(&mut play);
    assert_eq!(play.warnings(), Vec::<String>::new(), "once");
    play.delta("t1", "a", "x");
    five_quiet_minutes(&mut play);
    assert_eq!(play.warnings(), ["quiet"]);
    assert_eq!(play.ends(), Vec::<String>::new());
}

#[test]
fn trouble_that_codex_retries_is_no_sign_of_life() {
    let mut play = Play::running("t1");
    for minutes in 1..=5 {
        for _ in 0..6 {
            play.wait(10_000);
            let failure = Failure::of(Code::HttpConnectionFailed);
            play.hear(Heard::Trouble { place: place("t1"), will_retry: true, failure });
        }
        assert_eq!(play.effects(), ["AskTurn"], "minute {minutes}: it is asked after as if nothing was said");
        play.verdict(Verdict::InProgress { turn_id: None });
    }
    play.wait(1);
    let warnings = play.warnings();
    assert_eq!(warnings.iter().filter(|code| *code == "retrying").count(), 30, "and people are told");
    assert!(warnings.contains(&"quiet".to_owned()), "{warnings:?}");
}

#[test]
fn a_stalled_turn_is_interrupted_only_if_the_session_says_so() {
    let mut play = Play::running_with("t1", Settings { stall_seconds: Some(90), ..Settings::default() });
    play.wait(60_000);
    assert_eq!(play.effects(), ["AskTurn"]);
    play.verdict(Verdict::InProgress { turn_id: None });
    play.wait(30_000);
    assert_eq!(play.effects(), ["Interrupt t1"], "Codex's word for it is not a word of the turn's");
    play.turn_ends("t1", Status::Interrupted);
    assert_eq!(play.ends(), ["1 failed:  (stalled)"]);
}

#[test]
fn a_turn_that_is_never_seen_to_start_is_asked_after_and_can_be_interrupted() {
    let accepted = || {
        let mut play = Play::new(Settings::default());
        play.send(1);
        play.thread_ready();
        play.hear(Heard::TurnAccepted { turn_id: "t1".into() });
        play.effects();
        play
    };
    let mut play = accepted();
    play.wait(60_000);
    assert_eq!(play.effects(), ["AskTurn"]);
    play.verdict(Verdict::Ended(TurnEnd {
        status: Status::Completed,
        error: None,
        text: Some("done".into()),
    }));
    assert_eq!(play.ends(), ["1 completed: done"]);
    let mut play = accepted();
    play.interrupt();
    play.wait(60_000);
    assert_eq!(play.effects(), ["AskTurn"]);
    play.verdict(Verdict::InProgress { turn_id: Some("t1".into()) });
    assert_eq!(play.effects(), ["Interrupt t1"]);
}

#[test]
fn a_question_or_a_tool_call_shows_that_the_turn_acted() {
    let asked = |play: &mut Play| _ = play.asked("t1");
    let called = |play: &mut Play| _ = play.tool_called("t1", "k");
    let cases: [crate::Then; 2] = [asked, called];
    for then in cases {
        let mut play = Play::running("t1");
        then(&mut play);
        play.process_gone();
        play.verdict(Verdict::Cut { acted: false });
        assert_eq!(play.ends(), ["1 lost: "]);
    }
}

#[test]
fn a_message_that_is_run_again_takes_those_that_had_joined_with_it() {
    let mut play = Play::running("t1");
    let steer = Options { busy_policy: Some(BusyPolicy::Steer), ..Options::default() };
    play.send_with(2, steer);
    play.steered(2, true);
    play.process_gone();
    play.effects();
    play.verdict(Verdict::Cut { acted: false });
    assert_eq!(play.effects(), ["DropTurn t1", "EnsureThread"]);
    assert_eq!(
        play.restarted().unfinished(),
        [Effect::DropTurn { turn_id: "t1".into() }, Effect::EnsureThread],
        "also after a crash"
    );
    play.thread_ready();
    play.turn_starts("t2");
    assert_eq!(play.effects(), ["StartTurn 1 #2", "Steer 2 into t2"]);
    play.steered(2, true);
    play.turn_ends("t2", Status::Completed);
    assert_eq!(play.ends(), ["2 completed:  (steered)", "1 completed: "]);
}

#[test]
fn what_perhaps_joined_a_turn_that_is_run_again_counts_as_said_before() {
    let mut play = Play::running("t1");
    let steer = Options { busy_policy: Some(BusyPolicy::Steer), ..Options::default() };
    play.send_with(2, steer);
    play.process_gone();
    play.verdict(Verdict::Cut { acted: false });
    play.thread_ready();
    play.turn_starts("t2");
    play.effects();
    play.turn_ends("t2", Status::Completed);
    assert_eq!(play.effects(), ["StartTurn 2 #2"], "Codex may have heard it in the turn that was dropped");
}

#[test]
fn a_turn_is_run_again_only_if_everything_said_in_it_may_be_said_again() {
    let cases = [
        (Retry::Always, Retry::Always, true, true),
        (Retry::Always, Retry::Safe, false, true),
        (Retry::Always, Retry::Safe, true, false),
        (Retry::Always, Retry::Never, false, false),
        (Retry::Safe, Retry::Always, false, true),
        (Retry::Safe, Retry::Always, true, false),
        (Retry::Safe, Retry::Never, false, false),
    ];
    for (case @ (opener, steered, acted, again), answered) in
        cases.into_iter().flat_map(|case| [(case, true), (case, false)])
    {
        let mut play = Play::new(Settings::default());
        play.send_with(1, Options { retry: opener, ..Options::default() });
        play.thread_ready();
        play.turn_starts("t1");
        let policy = Some(BusyPolicy::Steer);
        play.send_with(2, Options { retry: steered, busy_policy: policy, ..Options::default() });
        if answered {
            play.steered(2, true);
        }
        play.process_gone();
        play.effects();
        play.verdict(Verdict::Cut { acted });
        let runs_again = play.effects().contains(&"DropTurn t1".to_owned());
        assert_eq!(runs_again, again, "{case:?}, the steer was answered: {answered}");
        assert_eq!(play.ends().contains(&"1 lost: ".to_owned()), !again, "{case:?}");
    }
}

#[test]
fn a_steer_sent_before_the_turn_has_started_joins_when_it_has() {
    let mut play = Play::new(Settings::default());
    play.send(1);
    let steer = Options { busy_policy: Some(BusyPolicy::Steer), ..Options::default() };
    play.send_with(2, steer);
    play.thread_ready();
    play.effects();
    play.turn_starts("t1");
    assert_eq!(play.effects(), ["Steer 2 into t1"]);
}

#[test]
fn an_answer_in_the_wrong_shape_has_failed_and_its_text_is_kept() {
    let shape = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
    let shaped = || Options { output_schema: Some(shape.clone().into()), ..Options::default() };
    let run = |text: &str| {
        let mut play = Play::new(Settings::default());
        play.send_with(1, shaped());
        play.thread_ready();
        play.turn_starts("t1");
        play.item_completes("t1", agent_message("a", text, Some("final_answer")));
        play.turn_ends("t1", Status::Completed);
        play.finished().remove(0)
    };
    let good = run("{\"a\":\n 1}");
    assert_eq!((good.status, good.output.unwrap().text()), (Status::Completed, r#"{"a":  1}"#));
    for (text, why) in [("I would say: 1", "expected value"), (r#"{"a": "1"}"#, "`/a`"), ("[1]", "object")] {
        let bad = run(text);
        let error = bad.error.unwrap();
        assert_eq!((bad.status, bad.text.as_str(), bad.output), (Status::Failed, text, None));
        assert_eq!((error.code.as_str(), error.phase), ("output_invalid", Phase::Response));
        assert!(error.message.contains(why), "{}", error.message);
    }
}

#[test]
fn a_limit_that_ended_a_turn_names_its_phase() {
    let settings = Settings { deadline_seconds: Some(5), ..Settings::default() };
    let mut play = Play::running_with("t1", settings);
    play.wait(5_000);
    play.turn_ends("t1", Status::Interrupted);
    assert_eq!(play.finished()[0].error.as_ref().unwrap().phase, Phase::Request);
    let budget = Some(Budget { max_total_tokens: Some(1), ..Budget::default() });
    let mut play = Play::running_with("t1", Settings { budget, ..Settings::default() });
    play.used("t1", 2);
    play.turn_ends("t1", Status::Interrupted);
    assert_eq!(play.finished()[0].error.as_ref().unwrap().phase, Phase::Budget);
}

#[test]
fn a_limit_that_came_too_late_changes_nothing() {
    let mut play = Play::running_with("t1", Settings { deadline_seconds: Some(5), ..Settings::default() });
    play.item_completes("t1", agent_message("a", "done", None));
    play.wait(5_000);
    play.turn_ends("t1", Status::Completed);
    assert_eq!(play.ends(), ["1 completed: done"]);
}

#[test]
fn a_limit_in_money_needs_a_price() {
    let budget = Some(Budget { max_cost_usd: Some(1.0), ..Budget::default() });
    let model = Some("m".to_owned());
    let mut play = Play::new(Settings { budget, model, ..Settings::default() });
    assert_eq!(play.try_send(1, Options::default()), Err(Refusal::PriceUnknown));
    assert_eq!(Refusal::PriceUnknown.code(), Code::PriceUnknown);
    let own = Options { budget: Some(Budget::default()), ..Options::default() };
    assert_eq!(play.try_send(1, own), Ok(()), "the message's own budget counts, and has no such limit");
}

/// A session with a limit in money, whose model nobody chose, and two messages that were accepted before it had a thread.
fn made_with(price: Option<Price>) -> Play {
    let budget = Some(Budget { max_cost_usd: Some(1.0), ..Budget::default() });
    let mut play = Play::new(Settings { budget, ..Settings::default() });
    play.send(1);
    play.send(2);
    let model = Some("usual".to_owned());
    play.hear(Heard::MadeWith(MadeWith { model, price, ..MadeWith::default() }));
    play.thread_ready();
    play
}

#[test]
fn a_model_that_nobody_chose_has_the_price_of_the_one_that_codex_chose() {
    let mut play = made_with(Some(Price { input: 1.0, ..Price::default() }));
    play.turn_starts("t1");
    let used = Usage { input: 500_000, total: 500_000, ..Usage::default() };
    play.used_with(place("t1"), used, used);
    play.turn_ends("t1", Status::Completed);
    assert_eq!(play.finished()[0].cost_usd, Some(0.5));
    play.restarted();
}

#[test]
fn without_its_price_a_limit_in_money_ends_a_message_before_codex_hears_of_it() {
    let mut play = made_with(None);
    assert_eq!(play.ends(), ["1 failed:  (price_unknown)", "2 failed:  (price_unknown)"]);
    assert!(!play.effects().iter().any(|effect| effect.starts_with("StartTurn")));
    assert_eq!(play.try_send(3, Options::default()), Err(Refusal::PriceUnknown), "now it is known at once");
    play.restarted();
}

#[test]
fn what_went_over_its_budget_has_failed_whether_or_not_it_could_be_stopped() {
    let budget = Some(Budget { max_total_tokens: Some(1), ..Budget::default() });
    let mut play = Play::running_with("t1", Settings { budget, ..Settings::default() });
    play.item_completes("t1", agent_message("a", "done", None));
    play.used("t1", 2);
    play.turn_ends("t1", Status::Completed);
    assert_eq!(play.ends(), ["1 failed: done (budget_exceeded)"]);
}

#[test]
fn no_sandbox_is_told_once() {
    let mut play = Play::running("t1");
    let failed = json!({"type": "commandExecution", "id": "c", "status": "failed",
        "aggregatedOutput": "bwrap: Creating new namespace failed: nesting depth exceeded\n"});
    play.item_completes("t1", failed.clone().into());
    play.item_completes("t1", failed.into());
    assert_eq!(play.warnings(), ["sandbox_unavailable"]);
}

#[test]
fn a_sub_agent_that_outlives_its_parents_turn_still_waits_for_its_answer() {
    let mut play = Play::running("t1");
    play.hear(Heard::ItemStarted(child_place("c1"), item("work", "commandExecution")));
    let request = json!({});
    let approval = play.asked_for(child_place("c1"), selvedge_session::data::ApprovalKind::Command, request);
    play.turn_ends("t1", Status::Completed);
    assert_eq!((play.closed(), play.resolved()), (vec![], vec![]));
    play.answer(approval, selvedge_session::data::Decision::Accept).unwrap();
    assert_eq!(play.effects(), ["Answer Accept"]);
    let end = TurnEnd { status: Status::Interrupted, error: None, text: None };
    play.hear(Heard::TurnEnded(child_place("c1"), end));
    assert_eq!(play.closed(), ["work interrupted"]);
}

#[test]
fn a_sub_agents_end_ends_only_what_is_its_own() {
    let mut play = Play::running("t1");
    play.item_starts("t1", item("mine", "commandExecution"));
    play.hear(Heard::ItemStarted(child_place("t1"), item("mine", "commandExecution")));
    let end = TurnEnd { status: Status::Failed, error: Some(Failure::of(Code::Other)), text: None };
    play.hear(Heard::TurnEnded(child_place("t1"), end));
    assert_eq!((play.closed(), play.ends()), (vec!["mine failed".to_owned()], vec![]));
    play.turn_ends("t1", Status::Interrupted);
    assert_eq!(play.closed(), ["mine interrupted"], "the same turn and item of another thread");
}

#[test]
fn a_stopped_session_keeps_nothing_that_comes_back_to_its_queue() {
    let mut play = Play::running("t1");
    let steer = Options { busy_policy: Some(BusyPolicy::Steer), ..Options::default() };
    play.send_with(2, steer);
    play.stop();
    play.turn_ends("t1", Status::Interrupted);
    assert_eq!(play.ends(), ["1 interrupted: "]);
    play.steered(2, false);
    assert_eq!(play.ends(), ["2 interrupted: "]);
}

#[test]
fn taking_back_a_queued_message_ends_it_and_a_running_or_joining_one_stops_its_turn() {
    use selvedge_session::Command::TakeBack;
    let mut play = Play::running("t1");
    let steer = Options { busy_policy: Some(BusyPolicy::Steer), ..Options::default() };
    play.send_with(2, steer);
    play.send(3);
    play.effects();
    play.tell(TakeBack(message(3))).unwrap();
    assert_eq!(play.ends(), ["3 interrupted: "]);
    play.tell(TakeBack(message(2))).unwrap();
    assert_eq!(play.effects(), ["Interrupt t1"]);
    assert_eq!(play.tell(TakeBack(message(9))), Err(Refusal::NotFound));
}

#[test]
fn an_interrupt_tells_the_next_message_of_the_cut_only_if_that_came_to_interrupt() {
    let mut play = Play::running("t1");
    play.delta("t1", "a", "half");
    play.interrupt();
    play.turn_ends("t1", Status::Interrupted);
    play.send(2);
    let Some(Effect::StartTurn { after, .. }) = play.last_effect() else { panic!() };
    assert_eq!(after, None);
}

#[test]
fn what_a_message_that_interrupts_is_told_survives_a_crash_and_a_second_attempt() {
    let mut play = Play::running("t1");
    play.delta("t1", "a", "half");
    play.send_with(2, Options { busy_policy: Some(BusyPolicy::Interrupt), ..Options::default() });
    play.turn_ends("t1", Status::Interrupted);
    let told = |effect: &Effect| matches!(effect, Effect::StartTurn { after: Some(cut), .. } if cut.partial == "half");
    assert!(play.restarted().unfinished().iter().any(told));
    play.process_gone();
    play.verdict(Verdict::NeverReached);
    play.thread_ready();
    assert!(play.last_effect().is_some_and(|effect| told(&effect)));
}

#[test]
fn a_finished_message_names_its_turn() {
    let mut play = Play::running("t1");
    play.hear(Heard::TurnEnded(place("t1"), TurnEnd { status: Status::Completed, error: None, text: None }));
    assert_eq!(play.last_turn_of_a_finished_message(), Some("t1".to_owned()));
}

#[test]
fn a_cut_turn_ends_before_its_message_is_run_again() {
    let mut play = Play::running("t1");
    play.process_gone();
    play.thread_ready();
    play.verdict(Verdict::Cut { acted: false });
    assert_eq!(play.turns(), ["started t1", "completed t1"], "who saw it begin sees it end");
    play.turn_starts("t2");
    play.turn_ends("t2", Status::Completed);
    assert_eq!(play.turns(), ["started t2", "completed t2"]);
}

#[test]
fn what_comes_of_an_item_after_its_turn_is_kept_beside_it() {
    let mut play = Play::running("t1");
    play.item_starts("t1", item("c", "commandExecution"));
    play.interrupt();
    play.turn_ends("t1", Status::Interrupted);
    assert_eq!(play.closed(), ["c interrupted"]);
    play.item_completes("t1", item("c", "commandExecution"));
    assert_eq!(play.closed(), Vec::<String>::new(), "it is closed once");
}
