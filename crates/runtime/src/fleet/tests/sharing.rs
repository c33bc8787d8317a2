//! Who shares a process with whom, and who starts it.

use std::{fs, os::unix::fs::symlink, path::Path, sync::Arc};

use selvedge_session::SessionId;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::stage::{
    QUIET, finished, fleet, handshake, isolated, options, raw_shell, shared, shell, with_program,
};
use crate::fleet::{Again, Environment, Fleet, FleetOptions, Isolation, Seat, mailbox};

#[tokio::test]
async fn thirty_three_threads_make_two_processes() {
    let (fleet, environment) = (fleet(), shell(QUIET));
    let mut seats = Vec::new();
    for _ in 0..33 {
        seats.push(shared(&fleet, &environment).await);
    }
    let first = Arc::clone(&seats[0].generation);
    assert!(seats[..32].iter().all(|seat| seat.generation.id() == first.id()));
    assert_ne!(seats[32].generation.id(), first.id());
    assert_eq!((first.version(), first.codex_home()), (Some("0.166.0"), Some("/nowhere".as_ref())));
    let threads = |fleet: &Fleet| {
        fleet.processes().iter().map(|one| (one.open_threads, one.takes_more)).collect::<Vec<_>>()
    };
    assert_eq!(threads(&fleet), [(32, false), (1, true)]);
    seats.truncate(1);
    assert!(first.is_alive(), "somebody still sits there");
    seats.clear();
    finished(&first).await;
    fleet.shut_down().await;
}

#[tokio::test]
async fn another_environment_and_an_isolated_session_have_processes_of_their_own() {
    let (fleet, environment) = (fleet(), shell(QUIET));
    let first = shared(&fleet, &environment).await;
    let same = shared(&fleet, &Arc::new(Environment::clone(&environment))).await;
    let other = Environment { config: vec!["a=1".into()], ..Environment::clone(&environment) };
    let other = shared(&fleet, &Arc::new(other)).await;
    let alone = isolated(&fleet, &environment).await;
    assert_eq!(first.generation.id(), same.generation.id());
    let mut ids = [&first, &other, &alone].map(|seat| seat.generation.id());
    ids.sort();
    assert!(ids.windows(2).all(|pair| pair[0] != pair[1]));
    let generation = Arc::clone(&alone.generation);
    drop(alone);
    finished(&generation).await;
    assert!(first.generation.is_alive() && other.generation.is_alive());
    fleet.shut_down().await;
}

#[tokio::test]
async fn starts_of_one_home_are_one_at_a_time() {
    let directory = tempfile::tempdir().unwrap();
    let home = directory.path().to_str().unwrap();
    let between = format!("mkdir {home}/starting || echo twice >> {home}/seen; rmdir {home}/starting;");
    let script = format!("{}{QUIET}", handshake(&between));
    let fleet = fleet();
    let mut starts = JoinSet::new();
    for number in 0..6 {
        let environment =
            Environment { config: vec![number.to_string()], ..Environment::clone(&raw_shell(&script)) };
        let fleet = fleet.clone();
        starts.spawn(async move { shared(&fleet, &Arc::new(environment)).await });
    }
    assert_eq!(starts.join_all().await.len(), 6);
    assert!(!directory.path().join("seen").exists(), "two were starting at the same time");
    fleet.shut_down().await;
}

#[tokio::test]
async fn many_who_come_at_once_share_one_start() {
    let (fleet, environment) = (fleet(), shell(QUIET));
    let mut comers = JoinSet::new();
    for _ in 0..20 {
        let (fleet, environment) = (fleet.clone(), Arc::clone(&environment));
        comers.spawn(async move { shared(&fleet, &environment).await });
    }
    let _seats = comers.join_all().await;
    assert_eq!(fleet.processes().len(), 1);
    fleet.shut_down().await;
}

#[tokio::test]
async fn one_process_waits_and_is_taken_and_replaced() {
    let fleet = Fleet::new(FleetOptions { keep_warm: true, ..options() });
    let environment = shell(QUIET);
    let _first = shared(&fleet, &environment).await;
    let _kept = warmed(&fleet).await;
    let waiting = fleet.processes().into_iter().find(|one| one.is_warm).expect("one that waits");
    let alone = isolated(&fleet, &environment).await;
    assert_eq!(alone.generation.id(), waiting.id, "nobody has to wait for a start");
    let _kept = warmed(&fleet).await;
    assert_eq!(fleet.processes().iter().filter(|one| one.is_warm).count(), 1);
    assert_eq!(fleet.processes().len(), 3);
    fleet.shut_down().await;
}

/// Waits until the process that is to wait has been started: of the fleet's tasks only that one ends. The others have
/// to be kept.
async fn warmed(fleet: &Fleet) -> JoinSet<()> {
    let mut tasks = std::mem::take(&mut fleet.lock().tasks);
    tasks.join_next().await;
    tasks
}

#[tokio::test]
async fn a_new_binary_retires_what_runs_of_the_old_one() {
    let directory = tempfile::tempdir().unwrap();
    let [program, next] = ["codex", "next"].map(|name| directory.path().join(name));
    symlink("/bin/sh", &program).unwrap();
    let (fleet, environment) = (fleet(), with_program(program.clone(), &(handshake("") + QUIET)));
    let old = shared(&fleet, &environment).await;
    symlink("/bin/bash", &next).unwrap();
    fs::rename(&next, &program).unwrap();
    assert!(fleet.running(&environment).is_none(), "it is asked nothing more");
    let new = shared(&fleet, &environment).await;
    assert_ne!(old.generation.id(), new.generation.id());
    assert!(old.generation.is_alive(), "its turn may end first");
    let generation = Arc::clone(&old.generation);
    drop(old);
    finished(&generation).await;
    let same = fleet.seat(&environment, Isolation::Shared).await.unwrap();
    assert_eq!(same.generation.id(), new.generation.id());
    fleet.shut_down().await;
}

/// Puts another binary there.
fn replace(program: &Path, by: &str) {
    let next = program.with_extension("next");
    symlink(by, &next).unwrap();
    fs::rename(&next, program).unwrap();
}

/// The place where a thread can go on.
fn there(again: Option<Again>) -> Seat {
    match again {
        Some(Again::There(seat)) => seat,
        other => panic!("{other:?}"),
    }
}

/// Whether it is to leave.
async fn is_told(seat: &Seat) -> bool {
    tokio::select! {
        biased;
        () = seat.outdated() => true,
        () = std::future::ready(()) => false,
    }
}

#[tokio::test]
async fn whoever_sits_in_an_outdated_process_is_told_when_somebody_comes() {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("codex");
    replace(&program, "/bin/sh");
    let (fleet, environment) = (fleet(), with_program(program.clone(), &(handshake("") + QUIET)));
    let idle = shared(&fleet, &environment).await;
    replace(&program, "/bin/bash");
    assert!(!is_told(&idle).await, "nobody has looked yet");
    let _new = shared(&fleet, &environment).await;
    assert!(is_told(&idle).await);
    replace(&program, "/bin/sh");
    assert!(idle.is_outdated(), "and that stays so, whatever lies there now");
    fleet.shut_down().await;
}

#[tokio::test]
async fn a_thread_of_an_outdated_process_is_let_go_of_there_unless_somebody_works_with_it() {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("codex");
    replace(&program, "/bin/sh");
    let (fleet, environment) = (fleet(), with_program(program.clone(), &(handshake("") + QUIET)));
    let (left, working) = (shared(&fleet, &environment).await, shared(&fleet, &environment).await);
    let home = Arc::clone(&left.generation);
    let (mailbox, _news) = mailbox(4);
    for (seat, thread) in [(&left, "left"), (&working, "worked with")] {
        seat.listen(thread, mailbox.clone()).await;
    }
    drop(left);
    drop(there(fleet.seat_again(&environment, "left")));
    replace(&program, "/bin/bash");
    let Some(Again::InThePast(past)) = fleet.seat_again(&environment, "left") else { panic!() };
    assert_eq!(past.generation.id(), home.id());
    drop(there(fleet.seat_again(&environment, "worked with")));
    past.has_let_go("left");
    assert!(fleet.seat_again(&environment, "left").is_none(), "any other will do");
    let new = shared(&fleet, &environment).await;
    new.listen("left", mailbox).await;
    assert_eq!(there(fleet.seat_again(&environment, "left")).generation.id(), new.generation.id());
    drop((past, working));
    finished(&home).await;
    fleet.shut_down().await;
}

/// Whose turn runs there has not come back yet, and then works for long: nobody waits for that.
#[tokio::test]
async fn a_thread_is_let_go_of_also_where_somebody_is_still_expected() {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("codex");
    replace(&program, "/bin/sh");
    let (fleet, environment) = (fleet(), with_program(program.clone(), &(handshake("") + QUIET)));
    let left = shared(&fleet, &environment).await;
    let (home, late) = (Arc::clone(&left.generation), SessionId(Uuid::now_v7()));
    let (mailbox, _news) = mailbox(4);
    left.listen("left", mailbox).await;
    home.gate.expect(late);
    drop(left);
    replace(&program, "/bin/bash");
    let Some(Again::InThePast(past)) = fleet.seat_again(&environment, "left") else { panic!() };
    assert_eq!(past.generation.id(), home.id());
    drop(past);
    home.gate.came(late);
    finished(&home).await;
    assert!(fleet.seat_again(&environment, "left").is_none(), "it has ended");
    fleet.shut_down().await;
}

#[tokio::test]
async fn a_thread_comes_back_to_the_process_that_has_it_even_if_that_is_full() {
    let fleet = Fleet::new(FleetOptions { threads_per_process: 2, ..options() });
    let environment = shell(QUIET);
    let (first, second) = (shared(&fleet, &environment).await, shared(&fleet, &environment).await);
    let (mailbox, _news) = mailbox(4);
    first.listen("a", mailbox).await;
    let home = Arc::clone(&first.generation);
    drop(first);
    assert_ne!(shared(&fleet, &environment).await.generation.id(), home.id(), "it is full");
    assert!(fleet.seat_again(&environment, "never seen").is_none());
    let back = there(fleet.seat_again(&environment, "a"));
    assert_eq!(back.generation.id(), home.id());
    drop((second, back));
    finished(&home).await;
    assert!(fleet.seat_again(&environment, "a").is_none(), "now any other will do");
    fleet.shut_down().await;
}
