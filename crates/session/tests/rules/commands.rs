//! Compaction, review, names, archives, forks: what else is wanted of a session.

use selvedge_session::{
    Code, Command, Effect, Failure, ForkedFrom, Heard, InputPart, Patch, Refusal, SessionId, Settings,
    Status, ThreadSource, Verdict,
};
use serde_json::json;
use uuid::Uuid;

use crate::{
    Then,
    play::{Play, message},
};

#[test]
fn compaction_and_review_wait_for_the_thread_and_the_queue_waits_for_them() {
    for (command, effect) in
        [(Command::Compact, "Compact"), (Command::Review(json!({"target": 1}).into()), "Review")]
    {
        let mut play = Play::new(Settings::default());
        play.tell(command).unwrap();
        assert_eq!(play.effects(), ["EnsureThread"]);
        play.thread_ready();
        assert_eq!(play.effects(), [effect]);
        play.send(1);
        assert_eq!(play.effects(), Vec::<String>::new());
        play.turn_starts("own kind");
        play.turn_ends("own kind", Status::Completed);
        assert_eq!(play.effects(), ["StartTurn 1 #1"], "{effect}");
    }
}

#[test]
fn compaction_and_review_are_refused_while_anything_runs_or_nothing_may() {
    let mut play = Play::running("t1");
    assert_eq!(play.tell(Command::Compact), Err(Refusal::Busy));
    let mut play = Play::new(Settings::default());
    play.tell(Command::Compact).unwrap();
    assert_eq!(play.tell(Command::Review(json!({}).into())), Err(Refusal::Busy));
    let mut play = Play::new(Settings::default());
    play.stop();
    assert_eq!(play.tell(Command::Compact), Err(Refusal::NotRunning));
}

#[test]
fn what_changes_in_the_queue_is_told() {
    let mut play = Play::running("t1");
    for n in [2, 3, 4] {
        play.send(n);
    }
    let edit = |n, words: Option<&str>, position| {
        let input = words.map(|words| vec![InputPart::Text { text: words.to_owned() }]);
        Command::Edit { message_id: message(n), input, position }
    };
    for (n, words, position, told) in [
        (3, Some("other words"), None, "3 says other words"),
        (4, None, Some(0), "4 after 1"),
        (2, Some("last"), Some(9), "2 says last after 3"),
    ] {
        play.tell(edit(n, words, position)).unwrap();
        assert_eq!(play.edits(), [told]);
    }
    play.tell(edit(2, None, None)).unwrap();
    assert_eq!(play.edits(), Vec::<String>::new(), "nothing changed");
    assert_eq!(play.tell(edit(1, Some("too late"), None)), Err(Refusal::NotQueued));
    assert_eq!(play.edits(), Vec::<String>::new());
}

#[test]
fn a_review_that_begins_under_one_name_and_ends_under_another_ends() {
    for named in [true, false] {
        let mut play = Play::new(Settings::default());
        play.thread_ready();
        play.tell(Command::Review(json!({}).into())).unwrap();
        if named {
            play.hear(Heard::TurnAccepted { turn_id: "answered".into() });
        }
        play.turn_starts("started");
        assert_eq!(play.session().turn_id(), Some(if named { "answered" } else { "started" }));
        play.send(1);
        play.effects();
        play.interrupt();
        assert_eq!(play.effects(), ["Interrupt started"], "Codex stops it by this name only");
        assert!(play.restarted().unfinished().contains(&Effect::Interrupt { turn_id: "started".into() }));
        play.turn_ends("answered", Status::Completed);
        assert_eq!(play.effects(), ["CleanTerminals", "StartTurn 1 #1"]);
    }
}

#[test]
fn a_compaction_that_is_lost_is_told_and_the_queue_goes_on() {
    let refused = |play: &mut Play| play.hear(Heard::TurnRefused(Failure::of(Code::Other)));
    let killed = |play: &mut Play| play.process_gone();
    let silent = |play: &mut Play| play.wait(120_000);
    let unanswered = |play: &mut Play| play.hear(Heard::StartUnanswered);
    let no_thread = |play: &mut Play| play.hear(Heard::ThreadFailed(Failure::of(Code::ThreadFailed)));
    let cases: [(&str, Then); 5] = [
        ("refused", refused),
        ("killed", killed),
        ("silent", silent),
        ("unanswered", unanswered),
        ("no thread", no_thread),
    ];
    for (case, then) in cases {
        let mut play = Play::new(Settings::default());
        play.thread_ready();
        play.tell(Command::Compact).unwrap();
        assert_eq!(play.restarted().unfinished(), [Effect::Compact], "{case}: visible in the state");
        play.send(1);
        play.effects();
        then(&mut play);
        assert_eq!(play.warnings(), ["compaction_lost"], "{case}");
        assert_eq!(play.effects().len(), 1, "{case}: the next message goes on");
        assert_eq!(play.ends(), Vec::<String>::new(), "{case}");
    }
}

fn rename(play: &mut Play, name: &str) {
    let patch = Patch { name: Some(name.into()), ..Patch::default() };
    play.tell(Command::Update(Box::new(patch))).unwrap();
}

#[test]
fn a_change_leaves_what_it_does_not_name() {
    let mut play = Play::new(Settings { model: Some("m".into()), ..Settings::default() });
    rename(&mut play, "called so");
    let patch = Patch { effort: Some("high".into()), ..Patch::default() };
    play.tell(Command::Update(Box::new(patch))).unwrap();
    let settings = play.session().settings();
    let said = [&settings.name, &settings.model, &settings.effort].map(Option::as_deref);
    assert_eq!(said, [Some("called so"), Some("m"), Some("high")], "of two changes none is lost");
}

#[test]
fn a_name_reaches_codex_when_there_is_a_thread_to_name() {
    let mut play = Play::new(Settings { name: Some("first".into()), ..Settings::default() });
    play.send(1);
    play.effects();
    play.thread_ready();
    assert_eq!(play.effects(), ["SetName first", "StartTurn 1 #1"]);
    rename(&mut play, "second");
    assert_eq!(play.effects(), ["SetName second"]);
    assert_eq!(play.session().settings().name.as_deref(), Some("second"));
    rename(&mut play, "second");
    assert_eq!(play.effects(), Vec::<String>::new(), "the name is the same");
}

fn named(play: &mut Play, name: &str, told: bool) {
    play.hear(Heard::Named { name: name.into(), told });
}

#[test]
fn a_name_that_was_not_answered_is_told_to_the_next_app_server() {
    let gone: [(&str, Then); 2] = [("died", Play::process_gone), ("parted", |play| play.hear(Heard::Parted))];
    for (case, gone) in gone {
        let mut play = Play::new(Settings::default());
        play.thread_ready();
        rename(&mut play, "first");
        rename(&mut play, "second");
        play.effects();
        named(&mut play, "first", true);
        assert!(play.restarted().has_errands(), "{case}: of the newest name nothing was heard");
        gone(&mut play);
        assert_eq!(play.effects(), ["SetName second"], "{case}");
        play.thread_ready();
        assert_eq!(play.effects(), Vec::<String>::new(), "{case}: it is on its way");
        named(&mut play, "second", true);
        assert!(!play.restarted().has_errands(), "{case}");
        gone(&mut play);
        assert_eq!(play.effects(), Vec::<String>::new(), "{case}: it was told");
    }
}

#[test]
fn a_name_that_a_thread_cannot_hear_now_is_told_when_it_is_loaded() {
    let mut play = Play::new(Settings::default());
    play.thread_ready();
    play.hear(Heard::Parted);
    rename(&mut play, "first");
    assert_eq!(play.effects(), ["SetName first"], "also of a thread that rests");
    named(&mut play, "first", false);
    assert!(!play.restarted().has_errands(), "a start has nothing to do for it");
    play.thread_ready();
    assert_eq!(play.effects(), ["SetName first"]);
    named(&mut play, "first", true);
    play.tell(Command::Archive).unwrap();
    play.hear(Heard::PutAway { away: true });
    play.effects();
    rename(&mut play, "second");
    assert_eq!(play.effects(), Vec::<String>::new(), "Codex names no thread that is put away");
    play.tell(Command::Unarchive).unwrap();
    play.thread_ready();
    assert_eq!(play.effects(), ["Unarchive", "SetName second"]);
}

#[test]
fn an_archive_that_was_not_answered_is_asked_of_the_next_app_server() {
    let mut play = Play::new(Settings { name: Some("named".into()), ..Settings::default() });
    play.thread_ready();
    play.tell(Command::Archive).unwrap();
    play.effects();
    play.process_gone();
    assert_eq!(play.effects(), ["SetName named", "Archive"], "a thread that is put away cannot be named");
    named(&mut play, "named", true);
    play.hear(Heard::PutAway { away: true });
    play.process_gone();
    assert_eq!((play.effects(), play.restarted().has_errands()), (Vec::new(), false));
    play.tell(Command::Unarchive).unwrap();
    play.send(1);
    play.effects();
    play.hear(Heard::PutAway { away: true });
    play.hear(Heard::Parted);
    assert_eq!(play.effects(), ["Unarchive", "EnsureThread"], "an older answer is not its answer");
    play.hear(Heard::PutAway { away: false });
    play.hear(Heard::Parted);
    assert_eq!(play.effects(), ["EnsureThread"]);
}

#[test]
fn archiving_ends_everything_then_puts_the_thread_away() {
    let mut play = Play::running("t1");
    play.send(2);
    play.tell(Command::Archive).unwrap();
    assert_eq!(
        (play.effects(), play.ends()),
        (vec!["Interrupt t1".to_owned()], vec!["2 interrupted: ".to_owned()])
    );
    play.turn_ends("t1", Status::Interrupted);
    assert_eq!(play.effects(), ["CleanTerminals", "Archive"]);
    assert_eq!(play.restarted().unfinished(), [Effect::Archive], "archiving twice does no harm");
    assert_eq!(play.try_send(3, selvedge_session::Options::default()), Err(Refusal::Archived));
    assert_eq!(play.tell(Command::Start), Err(Refusal::Archived));
    play.tell(Command::Unarchive).unwrap();
    play.send(4);
    assert_eq!(play.effects(), ["Unarchive", "EnsureThread"], "Codex unloads what it puts away");
    assert_eq!(play.session().thread_source(), ThreadSource::Resume { thread_id: "thread".into() });
}

#[test]
fn unarchiving_before_the_turn_has_ended_leaves_the_thread_where_it_is() {
    let mut play = Play::running("t1");
    play.tell(Command::Archive).unwrap();
    play.tell(Command::Unarchive).unwrap();
    play.turn_ends("t1", Status::Interrupted);
    assert_eq!(play.effects(), ["Interrupt t1", "CleanTerminals"]);
    let mut play = Play::new(Settings::default());
    play.tell(Command::Archive).unwrap();
    assert_eq!(play.effects(), Vec::<String>::new(), "there is no thread to be put away");
}

#[test]
fn the_thread_is_new_adopted_forked_or_the_sessions_own() {
    let fork = |turn_id: Option<&str>| ThreadSource::Fork {
        thread_id: "theirs".into(),
        turn_id: turn_id.map(Into::into),
    };
    let resume = |thread_id: &str| ThreadSource::Resume { thread_id: thread_id.into() };
    let from = ForkedFrom {
        session_id: SessionId(Uuid::nil()),
        thread_id: "theirs".into(),
        turn_id: Some("t9".into()),
    };
    let forked = Settings { forked_from: Some(from), ..Settings::default() };
    let adopted = Settings { thread_id: Some("adopted".into()), ..Settings::default() };
    for (settings, first) in
        [(Settings::default(), ThreadSource::New), (adopted, resume("adopted")), (forked, fork(Some("t9")))]
    {
        let mut play = Play::new(settings);
        assert_eq!(play.session().thread_source(), first);
        play.thread_ready();
        play.process_gone();
        assert_eq!(play.session().thread_source(), resume("thread"), "its own from then on");
    }
    let mut play = Play::running_with("t1", Settings { ephemeral: true, ..Settings::default() });
    play.process_gone();
    assert_eq!(play.session().thread_source(), ThreadSource::New, "it was not stored");
}

#[test]
fn a_thread_that_could_not_be_loaded_is_told_as_a_history_that_is_gone() {
    let mut play = Play::running("t1");
    play.process_gone();
    play.verdict(Verdict::NeverReached);
    play.hear(Heard::ThreadReady { thread_id: "another".into() });
    assert_eq!(play.warnings(), ["history_gone"]);
    let adopted = Settings { thread_id: Some("thread".into()), ..Settings::default() };
    let mut play = Play::new(adopted);
    play.thread_ready();
    assert_eq!(play.warnings(), Vec::<String>::new());
}

#[test]
fn settings_are_written_and_read_as_users_know_them() {
    let text = json!({
        "cwd": "/w", "approval_policy": "on-request", "permission_mode": "bypassPermissions",
        "sandbox": "danger-full-access", "isolation": "isolated", "backend": "rehearsal", "busy_policy": "steer",
        "labels": {"team": "a"}, "tools": [{"name": "look", "description": "d", "input_schema": {"type": "object"}}],
        "budget": {"max_cost_usd": 0.5}, "something_new": [1],
    });
    let settings: Settings = serde_json::from_str(&text.to_string()).unwrap();
    assert_eq!(settings.extra["something_new"], json!([1]), "what we do not know is kept");
    let written = serde_json::to_value(&settings).unwrap();
    for (key, value) in text.as_object().unwrap() {
        assert_eq!(&written[key], value, "{key}");
    }
    let play = Play::new(settings);
    play.restarted();
}
