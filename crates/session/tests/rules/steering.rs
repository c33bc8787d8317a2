//! Messages that join a turn, and turns beside the running one.

use selvedge_session::{BusyPolicy, Command, Heard, Options, Refusal, Settings, Status, TurnEnd, Verdict};
use serde_json::json;

use crate::play::{Play, message, place};

fn steer() -> Options {
    Options { busy_policy: Some(BusyPolicy::Steer), ..Options::default() }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn user_message(n: u128) -> selvedge_session::Json {
    json!({"type": "userMessage", "id": format!("u{n}"), "clientId": message(n).to_string()}).into()
}

#[test]
fn a_steer_that_is_seen_in_the_turn_has_joined_whatever_became_of_its_answer() {
    let mut play = Play::running("t1");
    play.send_with(2, steer());
    play.item_starts("t1", user_message(2));
    assert_eq!(play.session().running(), [message(1), message(2)]);
    play.steered(2, false);
    play.turn_ends("t1", Status::Completed);
    assert_eq!(play.ends(), ["2 completed:  (steered)", "1 completed: "]);
    assert_eq!(play.effects(), ["Steer 2 into t1"], "not sent again");
}

#[test]
fn a_steer_whose_turn_and_process_ended_before_its_answer_is_looked_for_when_its_turn_comes() {
    let completed =
        Verdict::Ended(TurnEnd { status: Status::Completed, error: None, text: Some("both".into()) });
    let cases: [(&str, Verdict, &[&str], &[&str]); 5] = [
        ("never heard", Verdict::NeverReached, &["StartTurn 2 #1"], &[]),
        ("heard, and its turn ended", completed, &[], &["2 completed: both"]),
        ("cut before it did anything", Verdict::Cut { acted: false }, &["StartTurn 2 #2"], &[]),
        ("cut after it did something", Verdict::Cut { acted: true }, &[], &["2 lost: "]),
        ("nobody can say", Verdict::Unknown, &[], &["2 lost: "]),
    ];
    for (case, verdict, effects, ends) in cases {
        for gone in [Play::process_gone as fn(&mut Play), |play| play.hear(Heard::Parted)] {
            let mut play = Play::running("t1");
            play.send_with(2, steer());
            play.turn_ends("t1", Status::Completed);
            play.effects();
            play.ends();
            gone(&mut play);
            assert_eq!(play.effects(), ["EnsureThread"], "{case}");
            play.thread_ready();
            assert_eq!(play.effects(), ["Examine steered"], "{case}");
            play.steered(2, true);
            play.verdict(verdict.clone());
            assert_eq!((play.effects(), play.ends()), (owned(effects), owned(ends)), "{case}");
        }
    }
}

#[test]
fn a_steer_without_an_answer_in_time_is_looked_for_when_its_turn_is_over() {
    let mut play = Play::running("t1");
    play.send_with(2, steer());
    play.hear(Heard::SteerUnanswered { message_id: message(2) });
    play.turn_ends("t1", Status::Completed);
    assert_eq!(play.effects(), ["Steer 2 into t1", "Examine steered"]);
    let end = TurnEnd { status: Status::Completed, error: None, text: Some("both".into()) };
    play.verdict(Verdict::Ended(end));
    assert_eq!(play.ends(), ["1 completed: ", "2 completed: both"]);
}

#[test]
fn a_steer_without_an_answer_that_is_seen_in_the_turn_after_all_has_joined() {
    let unanswered: fn(&mut Play) = |play| play.hear(Heard::SteerUnanswered { message_id: message(2) });
    let another_owner: fn(&mut Play) = |play| {
        let begun = play.session().begun();
        play.hear(Heard::CaughtUp { begun });
    };
    for doubt in [unanswered, another_owner] {
        let mut play = Play::running("t1");
        play.send_with(2, steer());
        doubt(&mut play);
        play.item_starts("t1", user_message(2));
        assert_eq!(play.session().running(), [message(1), message(2)]);
        play.turn_ends("t1", Status::Completed);
        assert_eq!(play.effects(), ["Steer 2 into t1"], "nothing is left to be found out");
        assert_eq!(play.ends(), ["2 completed:  (steered)", "1 completed: "]);
    }
}

#[test]
fn a_message_in_doubt_that_is_taken_back_is_lost_and_cannot_be_edited() {
    let mut play = Play::running("t1");
    play.send_with(2, steer());
    play.process_gone();
    let edit = Command::Edit { message_id: message(2), input: Some(Vec::new()), position: None };
    assert_eq!(play.tell(edit), Err(Refusal::NotQueued));
    play.tell(Command::TakeBack(message(2))).unwrap();
    assert_eq!(play.ends(), ["2 lost: "]);
}

#[test]
fn a_message_in_doubt_of_a_thread_that_is_not_stored_is_lost() {
    let ephemeral = Settings { ephemeral: true, ..Settings::default() };
    let mut play = Play::running_with("t1", ephemeral);
    play.send_with(2, steer());
    play.process_gone();
    play.go();
    play.thread_ready();
    assert_eq!(play.ends(), ["1 lost: ", "2 lost: "]);
}

#[test]
fn a_deaf_turn_takes_its_unanswered_steers_with_it() {
    let mut play = Play::running("t1");
    play.send_with(2, steer());
    play.interrupt();
    play.wait(11_000);
    assert_eq!(play.ends(), ["2 lost: ", "1 lost: "]);
}

#[test]
fn steers_that_were_not_answered_when_the_process_died_keep_their_order() {
    let mut play = Play::running("t1");
    play.send_with(2, steer());
    play.send_with(3, steer());
    play.send(4);
    play.process_gone();
    play.verdict(Verdict::Unknown);
    assert_eq!(play.session().queued().collect::<Vec<_>>(), [message(2), message(3), message(4)]);
}

#[test]
fn an_item_cut_by_a_steer_is_superseded_and_one_cut_by_an_interrupt_is_interrupted() {
    for (status, closed) in
        [(Status::Completed, "superseded"), (Status::Interrupted, "interrupted"), (Status::Failed, "failed")]
    {
        let mut play = Play::running("t1");
        play.item_starts("t1", json!({"type": "agentMessage", "id": "cut"}).into());
        play.send_with(2, steer());
        play.steered(2, true);
        play.item_starts("t1", json!({"type": "agentMessage", "id": "after"}).into());
        play.item_completes("t1", json!({"type": "agentMessage", "id": "after", "text": "x"}).into());
        play.turn_ends("t1", status);
        assert_eq!(play.closed(), [format!("cut {closed}")]);
    }
}

#[test]
fn a_phantom_turn_is_kept_and_not_followed() {
    let mut play = Play::running("t1");
    play.turn_starts("phantom");
    play.turn_ends("phantom", Status::Completed);
    assert_eq!(play.session().turn_id(), Some("t1"));
    assert_eq!(play.ends(), Vec::<String>::new());
    play.turn_ends("t1", Status::Completed);
    assert_eq!(play.ends(), ["1 completed: "]);
}

#[test]
fn an_answer_that_names_the_running_turn_means_that_it_joined() {
    let mut play = Play::new(selvedge_session::Settings::default());
    play.thread_ready();
    play.send(1);
    play.turn_starts("begun by Codex itself");
    play.hear(Heard::TurnAccepted { turn_id: "begun by Codex itself".into() });
    play.turn_ends("begun by Codex itself", Status::Completed);
    assert_eq!(play.ends(), ["1 completed: "]);
}

#[test]
fn a_turn_of_codexs_own_takes_no_steer_and_the_message_waits() {
    let mut play = Play::new(selvedge_session::Settings::default());
    play.thread_ready();
    play.turn_starts("compaction");
    play.send_with(1, steer());
    assert_eq!(play.effects(), Vec::<String>::new());
    play.hear(Heard::TurnStarted(place("compaction")));
    play.turn_ends("compaction", Status::Completed);
    assert_eq!(play.effects(), ["StartTurn 1 #1"]);
}

#[test]
fn each_wish_of_its_own_keeps_a_message_from_joining() {
    let own = [
        Options { output_schema: Some(json!({}).into()), ..steer() },
        Options { model: Some("m".into()), ..steer() },
        Options { effort: Some("high".into()), ..steer() },
        Options { deadline_seconds: Some(1), ..steer() },
    ];
    for options in own {
        let mut play = Play::running("t1");
        play.send_with(2, options.clone());
        assert_eq!(play.effects(), Vec::<String>::new(), "{options:?}");
        assert_eq!(play.session().queued().count(), 1);
    }
}
