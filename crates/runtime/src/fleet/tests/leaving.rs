//! How processes leave: retired, unused, at the end of the program, and after a program that is gone.

use std::{
    pin::pin,
    sync::Arc,
    task::{Context, Waker},
    time::Duration,
};

use selvedge_client::{AppServer, Launch, process::sweep};
use selvedge_session::{Heard, SessionId};
use uuid::Uuid;

use super::stage::{QUIET, finished, fleet, next, options, shared, shell};
use crate::fleet::{
    Fleet, FleetError, FleetOptions, Isolation, Owner,
    generation::Hold,
    mailbox,
    owner::OWNER,
    pool::Pool,
    start::{look_after, start},
    sweep_orphans,
};

#[tokio::test]
async fn a_retired_process_takes_nobody_and_ends_when_the_last_one_leaves() {
    let (fleet, environment) = (fleet(), shell(QUIET));
    let old = shared(&fleet, &environment).await;
    let generation = Arc::clone(&old.generation);
    generation.retire();
    let new = shared(&fleet, &environment).await;
    assert_ne!(new.generation.id(), generation.id());
    assert!(generation.is_alive());
    drop(old);
    finished(&generation).await;
    assert!(new.generation.is_alive());
    fleet.shut_down().await;
}

/// One that another program left, and where a turn runs: it looks empty until that turn's session has come.
#[tokio::test]
async fn an_outdated_process_does_not_end_before_those_have_come_who_are_expected() {
    let (options, environment, late) = (options(), shell(QUIET), SessionId(Uuid::now_v7()));
    let Ok(started) = start(&environment, &options, &Arc::default()).await else { panic!("it starts") };
    let generation = Arc::clone(&started.generation);
    let pool = Arc::new(Pool::new(environment, Arc::default(), &options));
    let gate = &generation.gate;
    gate.expect(late);
    let mut looking = pin!(look_after(started, pool, options.idle));
    let mut goes_on = || looking.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending();
    generation.outdate();
    assert!(goes_on() && !generation.occupancy.borrow().ending, "one is still to come");
    generation.sit_on();
    gate.came(late);
    assert!(goes_on() && !generation.occupancy.borrow().ending, "it sits there");
    generation.stand_up();
    looking.await;
    assert!(!generation.is_alive());
}

#[tokio::test]
async fn an_environment_that_nobody_uses_keeps_no_process() {
    let fleet = Fleet::new(FleetOptions { idle: Duration::from_millis(20), ..options() });
    let environment = shell(QUIET);
    let seat = shared(&fleet, &environment).await;
    let generation = Arc::clone(&seat.generation);
    drop(seat);
    finished(&generation).await;
    let again = shared(&fleet, &environment).await;
    assert_ne!(again.generation.id(), generation.id());
    fleet.shut_down().await;
}

#[tokio::test]
async fn at_the_end_everybody_hears_it_and_nothing_is_started() {
    let (fleet, environment) = (fleet(), shell(QUIET));
    let seat = shared(&fleet, &environment).await;
    let (mailbox, mut news) = mailbox(4);
    seat.listen("a", mailbox).await;
    fleet.shut_down().await;
    assert_eq!(sweep::marked(seat.generation.id()).await, [], "nothing of it is left");
    let Heard::ProcessGone { reason, .. } = next(&mut news).await.heard else { panic!() };
    assert_eq!(reason, "the conversation was closed by us (exit code 0)");
    let error = fleet.seat(&environment, Isolation::Shared).await.unwrap_err();
    assert!(matches!(error, FleetError::ShuttingDown));
}

#[tokio::test]
async fn a_fleet_that_is_dropped_lets_its_processes_go() {
    let (fleet, environment) = (fleet(), shell(QUIET));
    let process = {
        let seat = shared(&fleet, &environment).await;
        let Hold::Child(process) = &seat.generation.hold else { panic!("held by somebody else") };
        process.clone()
    };
    drop(fleet);
    tokio::time::timeout(Duration::from_secs(30), process.finished()).await.expect("an end");
}

#[tokio::test]
#[cfg(target_os = "linux")]
async fn only_what_has_lost_its_owner_is_swept() {
    let spawn = |owner: String| {
        let mut launch = Launch::program("/bin/sh".into()).env(OWNER, owner);
        launch.arguments = vec!["-c".into(), "echo ready; exec sleep 1000".into()];
        AppServer::spawn(launch).unwrap()
    };
    let this = Owner::this().to_string();
    let here = this.splitn(3, ':').last().expect("where the pid is counted");
    let mut orphan = spawn(format!("1:1:{here}"));
    let mut owned = spawn(this.clone());
    let mut of_a_container = spawn("1:1:elsewhere".to_owned());
    for server in [&mut orphan, &mut owned, &mut of_a_container] {
        server.inbox.next().await;
    }
    let ours = [&orphan, &owned, &of_a_container].map(|server| server.process.marker());
    // Other tests run at the same time, perhaps of another program.
    assert_eq!(sweep_orphans(|found| !ours.contains(&found.marker)).await, 1);
    orphan.process.finished().await;
    for left in [owned, of_a_container] {
        assert_eq!(sweep::marked(left.process.marker()).await.len(), 1);
        left.process.kill().await;
    }
}
