//! Another owner comes to the same app-server, which went on alone: nothing is said twice, and nothing is forgotten.

use selvedge_session::{
    BusyPolicy, Command, Heard, Lifecycle, Options, Settings, Status, Verdict, data::Decision,
};

use crate::{Then, play::Play};

fn steer() -> Options {
    Options { busy_policy: Some(BusyPolicy::Steer), ..Options::default() }
}

/// What a new owner does when it has heard everything.
fn caught_up(play: &mut Play) -> Vec<String> {
    play.effects();
    let begun = play.session().begun();
    play.hear(Heard::CaughtUp { begun });
    play.effects()
}

#[test]
fn each_thing_under_way_is_asked_again_or_found_out() {
    let nothing: Then = |_| {};
    let approved: Then = |play| {
        let approval = play.asked("t1");
        play.answer(approval, Decision::Accept).unwrap();
    };
    let interrupted: Then = Play::interrupt;
    let killed: Then = |play| {
        play.interrupt();
        play.kill();
    };
    let named: Then = |play| {
        let patch = selvedge_session::Patch { name: Some("a name".into()), ..Default::default() };
        play.tell(Command::Update(Box::new(patch))).unwrap();
    };
    let cases: [(&str, Then, &[&str]); 5] = [
        ("a turn that runs", nothing, &[]),
        ("an answer that may not have been sent", approved, &["Answer Accept"]),
        ("an interrupt", interrupted, &["Interrupt t1"]),
        ("a forced one", killed, &["KillProcess", "Interrupt t1"]),
        ("a name", named, &["SetName a name"]),
    ];
    for (case, then, effects) in cases {
        let mut play = Play::running("t1");
        then(&mut play);
        assert_eq!(caught_up(&mut play), effects, "{case}");
        play.turn_ends("t1", Status::Completed);
        assert_eq!(play.ends().len(), 1, "{case}");
    }
}

#[test]
fn an_interrupt_has_its_time_from_when_it_is_asked_again() {
    let mut play = Play::running("t1");
    play.interrupt();
    play.wait(9_000);
    assert_eq!(caught_up(&mut play), ["Interrupt t1"]);
    play.wait(9_000);
    assert_eq!(play.ends(), Vec::<String>::new(), "it was asked nine seconds ago");
    play.wait(2_000);
    assert_eq!(play.ends(), ["1 lost: "]);
}

#[test]
fn a_start_of_which_nothing_was_heard_is_looked_for_before_it_is_made_again() {
    let mut play = Play::new(Settings::default());
    play.send(1);
    play.thread_ready();
    assert_eq!(caught_up(&mut play), ["Examine"]);
    play.verdict(Verdict::NeverReached);
    assert_eq!(play.effects(), ["StartTurn 1 #2"]);
}

#[test]
fn what_a_new_owner_begins_before_it_has_heard_everything_is_in_no_doubt() {
    let mut play = Play::running("t1");
    play.send(2);
    let begun = play.session().begun();
    play.turn_ends("t1", Status::Completed);
    assert_eq!(play.effects(), ["StartTurn 2 #1"]);
    play.hear(Heard::CaughtUp { begun });
    assert_eq!(play.effects(), Vec::<String>::new());
    assert_eq!(play.session().lifecycle(), Lifecycle::Running);
    play.turn_starts("t2");
    play.turn_ends("t2", Status::Completed);
    assert_eq!(play.ends(), ["1 completed: ", "2 completed: "]);
}

#[test]
fn what_is_wished_for_meanwhile_is_asked_once_and_what_was_wished_before_is_not_known() {
    let compact = |play: &mut Play| play.tell(Command::Compact).unwrap();
    let mut play = Play::running("t1");
    let begun = play.session().begun();
    play.turn_ends("t1", Status::Completed);
    compact(&mut play);
    assert_eq!(play.effects(), ["Compact"]);
    play.hear(Heard::CaughtUp { begun });
    assert_eq!(play.effects(), Vec::<String>::new());
    assert!(play.session().has_work(), "it is still wished for");
    assert_eq!(caught_up(&mut play), Vec::<String>::new());
    assert!(!play.session().has_work(), "the next owner does not know whether it was done");
}

#[test]
fn a_turn_that_was_to_be_dropped_before_the_next_attempt_is_dropped_again() {
    let mut play = Play::running("t1");
    play.process_gone();
    play.thread_ready();
    play.verdict(Verdict::Cut { acted: false });
    assert_eq!(play.effects().split_off(1), ["DropTurn t1", "StartTurn 1 #2"]);
    assert_eq!(play.session().dropped_turn_id(), Some("t1"));
    // Nobody knows how far that came.
    assert_eq!(caught_up(&mut play), ["Examine"]);
    play.verdict(Verdict::NeverReached);
    assert_eq!(play.effects(), ["DropTurn t1", "StartTurn 1 #3"]);
    assert_eq!(play.session().dropped_turn_id(), Some("t1"));
}

#[test]
fn a_start_that_was_heard_goes_on() {
    let mut play = Play::new(Settings::default());
    play.send(1);
    play.thread_ready();
    play.turn_starts("t1");
    assert_eq!(caught_up(&mut play), Vec::<String>::new());
    play.turn_ends("t1", Status::Completed);
    assert_eq!(play.ends(), ["1 completed: "]);
}

#[test]
fn an_answer_about_a_turn_that_is_over_by_then_says_nothing_about_the_next() {
    let mut play = Play::new(Settings::default());
    play.send(1);
    play.send(2);
    play.thread_ready();
    assert_eq!(caught_up(&mut play), ["Examine"]);
    play.turn_starts("t1");
    play.turn_ends("t1", Status::Completed);
    play.verdict(Verdict::InProgress { turn_id: Some("t1".into()) });
    play.turn_starts("t2");
    play.turn_ends("t2", Status::Completed);
    assert_eq!(play.ends(), ["1 completed: ", "2 completed: "]);
}

#[test]
fn a_steer_that_was_not_answered_is_not_said_again_before_codex_was_asked() {
    let mut play = Play::running("t1");
    play.send_with(2, steer());
    assert_eq!(caught_up(&mut play), Vec::<String>::new());
    play.turn_ends("t1", Status::Completed);
    assert_eq!(play.effects(), ["Examine steered"]);
    play.verdict(Verdict::NeverReached);
    assert_eq!(play.effects(), ["StartTurn 2 #1"]);
}

#[test]
fn an_open_question_is_still_open() {
    let mut play = Play::running("t1");
    let approval = play.asked("t1");
    caught_up(&mut play);
    assert_eq!(play.resolved(), Vec::<String>::new());
    play.answer(approval, Decision::Accept).unwrap();
    assert_eq!(play.effects(), ["Answer Accept"]);
}
