//! A thread that was made or loaded with what no longer holds.

use std::collections::BTreeMap;

use selvedge_session::{Command, Heard, Patch, Settings, Status, ThreadSource};

use crate::play::Play;

fn instructions(words: &str) -> Command {
    Command::Update(Box::new(Patch { base_instructions: Some(words.to_owned()), ..Patch::default() }))
}

fn server(enabled: bool) -> Command {
    let mcp_enabled = BTreeMap::from([("docs".to_owned(), enabled)]);
    Command::Update(Box::new(Patch { mcp_enabled, ..Patch::default() }))
}

fn idle() -> Play {
    let mut play = Play::running("t1");
    play.turn_ends("t1", Status::Completed);
    play.effects();
    play.ends();
    play
}

#[test]
fn other_instructions_leave_the_thread_when_nothing_runs_on_it() {
    let mut play = Play::running("t1");
    play.effects();
    play.tell(instructions("be a ship")).unwrap();
    assert_eq!(play.warnings(), Vec::<String>::new(), "the turn goes on as it began");
    play.send(2);
    assert_eq!(play.effects(), Vec::<String>::new());
    play.turn_ends("t1", Status::Completed);
    assert_eq!(play.warnings(), ["new_thread"]);
    assert_eq!(play.session().thread_source(), ThreadSource::New);
    assert_eq!(play.effects(), ["EnsureThread"]);
    play.hear(Heard::ThreadReady { thread_id: "another".into() });
    assert_eq!(play.effects(), ["StartTurn 2 #1"]);
    assert_eq!(play.warnings(), Vec::<String>::new(), "its history is not gone: it has none");
    assert_eq!(play.session().thread_id(), Some("another"));
    assert_eq!(play.restarted(), *play.session(), "the records say the same");
}

#[test]
fn a_session_that_began_with_anothers_thread_does_not_go_back_to_it() {
    let settings = Settings { thread_id: Some("thread".into()), ..Settings::default() };
    let mut play = Play::new(settings);
    play.send(1);
    play.thread_ready();
    play.turn_starts("t1");
    play.turn_ends("t1", Status::Completed);
    play.tell(instructions("be a ship")).unwrap();
    assert_eq!(play.session().thread_source(), ThreadSource::New);
}

#[test]
fn what_is_said_again_or_before_there_is_a_thread_changes_nothing() {
    let mut play = Play::new(Settings::default());
    play.tell(instructions("be a ship")).unwrap();
    play.send(1);
    play.thread_ready();
    play.turn_starts("t1");
    play.turn_ends("t1", Status::Completed);
    let (events, thread) = (play.session().last_seq(), play.session().thread_id().map(str::to_owned));
    play.tell(instructions("be a ship")).unwrap();
    assert_eq!((play.session().last_seq(), play.session().thread_id().map(str::to_owned)), (events, thread));
    assert_eq!(play.warnings(), Vec::<String>::new());
}

#[test]
fn another_server_has_the_thread_loaded_again_at_once_or_after_the_turn() {
    let mut play = idle();
    play.tell(server(false)).unwrap();
    assert_eq!(play.effects(), ["EnsureThread"]);
    play.send(2);
    assert_eq!(play.effects(), Vec::<String>::new(), "nothing begins before it is loaded");
    assert!(play.session().is_stale());
    play.thread_ready();
    assert_eq!(play.effects(), ["StartTurn 2 #1"]);
    assert!(!play.session().is_stale());
    play.turn_starts("t2");
    play.tell(server(true)).unwrap();
    assert_eq!(play.effects(), Vec::<String>::new());
    play.turn_ends("t2", Status::Completed);
    assert_eq!(play.effects(), ["EnsureThread"]);
    play.thread_ready();
    play.tell(server(true)).unwrap();
    assert_eq!(play.effects(), Vec::<String>::new(), "it is so already");
    assert_eq!(play.warnings(), Vec::<String>::new());
    assert_eq!(play.restarted(), *play.session());
}

#[test]
fn a_thread_that_rests_is_loaded_again_when_it_is_needed() {
    let mut play = idle();
    play.hear(Heard::Parted);
    play.tell(server(false)).unwrap();
    assert_eq!(play.effects(), Vec::<String>::new());
    assert!(play.session().is_stale(), "some app-server may have it loaded");
    play.send(2);
    assert_eq!(play.effects(), ["EnsureThread"]);
}
