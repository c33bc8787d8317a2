//! Crashes, silence and deaf turns, met in every order.

use selvedge_session::{Effect, Heard, Options, Retry, Settings, Status, ThreadSource, TurnEnd, Verdict};

use crate::{
    Then,
    play::{Play, item},
};

fn sent() -> Play {
    let mut play = Play::new(Settings::default());
    play.send(1);
    play.thread_ready();
    play.effects();
    play
}

fn in_progress(turn: &str) -> Verdict {
    Verdict::InProgress { turn_id: Some(turn.into()) }
}

#[test]
fn a_turn_that_was_seen_and_of_which_codex_knows_nothing_counts_as_cut() {
    for (acted, effects, ends) in
        [(false, vec!["DropTurn t1", "EnsureThread"], vec![]), (true, vec![], vec!["1 lost: "])]
    {
        let mut play = Play::running("t1");
        if acted {
            play.asked("t1");
        }
        play.process_gone();
        play.effects();
        play.verdict(Verdict::NeverReached);
        assert_eq!(
            (play.effects(), play.ends()),
            (effects.into_iter().map(String::from).collect(), ends.into_iter().map(String::from).collect())
        );
    }
}

#[test]
fn a_start_that_is_not_answered_is_looked_for_and_goes_on_where_it_is_found() {
    let by_verdict = |play: &mut Play| play.verdict(in_progress("t1"));
    let by_its_start = |play: &mut Play| play.turn_starts("t1");
    let by_its_answer = |play: &mut Play| {
        play.hear(Heard::TurnAccepted { turn_id: "t1".into() });
        play.turn_starts("t1");
    };
    let ways: [Then; 3] = [by_verdict, by_its_start, by_its_answer];
    for found in ways {
        let mut play = sent();
        play.hear(Heard::StartUnanswered);
        assert_eq!(play.effects(), ["Examine"]);
        assert_eq!(play.restarted().unfinished().len(), 1);
        found(&mut play);
        assert_eq!(play.session().turn_id(), Some("t1"));
        play.turn_ends("t1", Status::Completed);
        assert_eq!(play.ends(), ["1 completed: "]);
        assert_eq!(play.effects(), Vec::<String>::new(), "it was not sent twice");
    }
}

#[test]
fn a_start_that_is_not_answered_and_never_reached_the_model_is_sent_again() {
    let mut play = sent();
    play.hear(Heard::StartUnanswered);
    play.effects();
    play.verdict(Verdict::NeverReached);
    assert_eq!(play.effects(), ["StartTurn 1 #2"], "the thread is still there");
}

#[test]
fn a_start_that_was_answered_has_nothing_to_be_looked_for() {
    let mut play = Play::running("t1");
    play.hear(Heard::StartUnanswered);
    assert_eq!(play.effects(), Vec::<String>::new());
}

#[test]
fn what_runs_and_cannot_be_named_is_looked_at_again() {
    let mut play = sent();
    play.hear(Heard::StartUnanswered);
    play.effects();
    play.verdict(Verdict::InProgress { turn_id: None });
    play.wait(59_999);
    assert_eq!(play.effects(), Vec::<String>::new());
    play.wait(1);
    assert_eq!(play.effects(), ["Examine"]);
    play.verdict(in_progress("t1"));
    assert_eq!(play.session().turn_id(), Some("t1"));
}

#[test]
fn a_turn_that_outlived_us_goes_on() {
    let mut play = Play::running("t1");
    play.process_gone();
    play.verdict(in_progress("t1"));
    play.turn_ends("t1", Status::Completed);
    assert_eq!(play.ends(), ["1 completed: "]);
}

#[test]
fn an_old_answer_does_not_end_another_turn() {
    let ended = Verdict::Ended(TurnEnd { status: Status::Completed, error: None, text: Some("old".into()) });
    let mut play = Play::running("t1");
    play.send(2);
    play.wait(60_000);
    play.turn_ends("t1", Status::Completed);
    play.turn_starts("t2");
    play.ends();
    play.verdict(ended.clone());
    assert_eq!(play.ends(), Vec::<String>::new(), "asked about t1, answered in t2");
    play.wait(60_000);
    play.verdict(ended);
    assert_eq!(play.ends(), ["2 completed: old"]);
}

#[test]
fn an_interrupt_while_recovering_ends_the_message_instead_of_running_it_again() {
    let cases = [
        (Verdict::NeverReached, "1 interrupted: "),
        (Verdict::Cut { acted: false }, "1 interrupted: "),
        (Verdict::Cut { acted: true }, "1 interrupted: "),
        (Verdict::Unknown, "1 lost: "),
    ];
    for (verdict, end) in cases {
        let mut play = Play::running("t1");
        play.process_gone();
        play.interrupt();
        play.effects();
        play.verdict(verdict.clone());
        assert_eq!(play.ends(), [end], "{verdict:?}");
        assert!(!play.effects().iter().any(|effect| effect.starts_with("StartTurn")), "{verdict:?}");
    }
}

#[test]
fn an_interrupt_while_recovering_reaches_a_turn_that_is_found_alive() {
    let mut play = Play::running("t1");
    play.process_gone();
    play.interrupt();
    play.effects();
    play.verdict(in_progress("t1"));
    assert_eq!(play.effects(), ["Interrupt t1"]);
    let mut play = sent();
    play.hear(Heard::StartUnanswered);
    play.interrupt();
    play.effects();
    play.verdict(in_progress("t1"));
    assert_eq!(play.effects(), ["Interrupt t1"], "also if it had not been seen to start");
}

#[test]
fn stopping_while_recovering_ends_everything() {
    let mut play = Play::running("t1");
    play.send(2);
    play.process_gone();
    play.stop();
    assert_eq!(play.ends(), ["2 interrupted: "]);
    play.verdict(Verdict::Cut { acted: false });
    assert_eq!(play.ends(), ["1 interrupted: "]);
    play.go();
    assert_eq!(play.session().queued().count(), 0);
}

#[test]
fn force_kills_the_process_also_after_an_interrupt_and_only_what_was_interrupted_ends_so() {
    let mut play = Play::running("t1");
    play.item_starts("t1", item("c", "commandExecution"));
    play.interrupt();
    play.kill();
    assert_eq!(play.effects(), ["Interrupt t1", "KillProcess"]);
    assert!(play.restarted().unfinished().contains(&Effect::KillProcess));
    play.process_gone();
    play.verdict(Verdict::Cut { acted: true });
    assert_eq!(play.ends(), ["1 interrupted: "]);
    assert_eq!(play.closed(), ["c interrupted"]);
    let mut play = Play::new(Settings::default());
    assert!(play.tell(selvedge_session::Command::Interrupt { force: true }).is_err(), "nothing runs");
}

#[test]
fn after_a_deaf_turn_the_session_goes_on_with_a_fork_and_hears_the_old_thread_no_more() {
    let mut play = Play::running("t1");
    play.send(2);
    play.interrupt();
    play.wait(10_000);
    play.go();
    assert_eq!(
        play.effects(),
        ["Interrupt t1", "LeaveProcess", "CleanTerminals", "EnsureThread"],
        "the thread is needed anew"
    );
    assert_eq!(
        play.session().thread_source(),
        ThreadSource::Fork { thread_id: "thread".into(), turn_id: None }
    );
    play.item_starts("t1", item("late", "commandExecution"));
    play.hear(Heard::ThreadReady { thread_id: "fork".into() });
    assert_eq!((play.effects(), play.warnings()), (vec!["StartTurn 2 #1".to_owned()], vec![]));
    play.hear(Heard::TurnStarted(selvedge_session::Place { thread: "fork".into(), turn: "t2".into() }));
    play.ends();
    let approval = play.asked("t1");
    assert_eq!(play.effects(), ["Answer Cancel"], "nobody is asked for a turn that is lost");
    assert!(play.answer(approval, selvedge_session::data::Decision::Accept).is_err());
    play.turn_ends("t1", Status::Interrupted);
    assert_eq!(play.ends(), Vec::<String>::new());
    assert_eq!(play.session().lifecycle(), selvedge_session::Lifecycle::Running);
}

#[test]
fn the_time_in_the_queue_counts_while_it_is_held_or_the_thread_is_awaited() {
    let mut play = Play::running("t1");
    play.send_with(2, Options { queue_seconds: Some(30), ..Options::default() });
    play.process_gone();
    play.verdict(Verdict::Unknown);
    assert!(play.session().is_held());
    play.ends();
    play.wait(29_999);
    assert_eq!(play.ends(), Vec::<String>::new());
    play.wait(1);
    assert_eq!(play.ends(), ["2 failed:  (queue_time_exceeded)"]);
    assert_eq!(play.session().next_wake(), None, "nothing is left to wait for");
}

#[test]
fn ticks_that_come_too_often_or_too_late_change_nothing_that_is_not_due() {
    let mut play = Play::running("t1");
    for _ in 0..1_000 {
        play.wait(0);
    }
    assert_eq!(play.effects(), Vec::<String>::new());
    play.wait(3_600_000);
    let asked = play.effects();
    assert!(asked.len() <= 60 && asked.iter().all(|effect| effect == "AskTurn"), "{asked:?}");
    play.interrupt();
    play.wait(3_600_000);
    assert_eq!(play.ends(), ["1 lost: "]);
    assert_eq!(play.effects(), ["Interrupt t1", "LeaveProcess", "CleanTerminals"], "once");
}

#[test]
fn a_message_that_may_not_be_repeated_is_lost_when_it_was_cut() {
    let mut play = Play::new(Settings::default());
    play.send_with(1, Options { retry: Retry::Never, ..Options::default() });
    play.thread_ready();
    play.turn_starts("t1");
    play.process_gone();
    play.verdict(Verdict::Cut { acted: false });
    assert_eq!(play.ends(), ["1 lost: "]);
}

#[test]
fn giving_up_fails_the_session_until_somebody_says_go() {
    let mut play = Play::running("t1");
    play.send(2);
    play.process_gone();
    play.hear(Heard::GaveUp("five ends in ten minutes".into()));
    assert_eq!(play.ends(), ["1 lost: "]);
    assert_eq!(play.session().lifecycle(), selvedge_session::Lifecycle::Failed);
    assert_eq!(play.session().broken(), Some("five ends in ten minutes"));
    assert!(play.try_send(3, Options::default()).is_err());
    play.effects();
    play.go();
    assert_eq!(play.effects(), ["EnsureThread"]);
}

#[test]
fn an_end_that_was_told_is_not_told_again_by_the_next_owner() {
    let mut play = Play::running("t1");
    play.process_gone();
    assert_eq!(play.effects(), ["Examine"]);
    let told = play.session().last_seq();
    play.hear(Heard::Orphaned);
    assert_eq!(play.effects(), ["Examine"], "what became of the turn is still to be found out");
    assert_eq!(play.session().last_seq(), told);
}
