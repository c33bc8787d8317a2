//! Processes that die: what their sessions hear, and how often they are replaced.

use std::{fs, sync::Arc, time::Duration};

use selvedge_client::{Hint, protocol::frame::RequestId};
use selvedge_session::Heard;
use serde_json::json;

use super::stage::{QUIET, finished, fleet, handshake, next, options, raw_shell, shared, shell};
use crate::fleet::{Fleet, FleetError, FleetOptions, Isolation, mailbox};

/// On a word from us it says a hundred things about the thread `a`, and is killed.
const KILLED: &str = r#"read word; n=0; while [ $n -lt 100 ]; do
    echo '{"method":"turn/started","params":{"threadId":"a","turn":{"id":"'$n'","items":[]}}}'; n=$((n+1));
    done; echo 'last words of sk-secret' >&2; kill -9 $$"#;

#[tokio::test]
async fn a_killed_process_is_heard_to_its_end_and_replaced() {
    let options = options();
    options.redactions.add("sk-secret");
    let (fleet, environment) = (Fleet::new(options), shell(KILLED));
    let seat = shared(&fleet, &environment).await;
    let (mailbox, mut news) = mailbox(4);
    seat.listen("a", mailbox).await;
    seat.generation.client().answer(&RequestId::Int(0), &json!(null)).unwrap();
    for turn in 0..100 {
        let told = next(&mut news).await;
        assert_eq!(told.process, seat.generation.id());
        let Heard::TurnStarted(place) = told.heard else { panic!("{told:?}") };
        assert_eq!(place.turn, turn.to_string());
    }
    let Heard::ProcessGone { reason, stderr_tail } = next(&mut news).await.heard else { panic!() };
    assert_eq!(reason, "the app-server ended by itself (signal 9)");
    assert_eq!(stderr_tail, "last words of [redacted]");
    assert!(!seat.generation.is_alive());
    let again = shared(&fleet, &environment).await;
    assert_ne!(again.generation.id(), seat.generation.id());
    assert_eq!(fleet.processes().len(), 1);
    fleet.shut_down().await;
}

#[tokio::test]
async fn what_never_lives_is_given_up_with_its_reason_until_forgiven() {
    let directory = tempfile::tempdir().unwrap();
    let (flag, starts) = (directory.path().join("mended"), directory.path().join("starts"));
    let script = format!(
        "echo >> {}; [ -e {} ] || {{ echo 'bad config' >&2; exit 3; }}; {}{QUIET}",
        starts.display(),
        flag.display(),
        handshake("")
    );
    let (fleet, environment) = (fleet(), raw_shell(&script));
    let seat = fleet.seat(&environment, Isolation::Shared).await;
    let error = seat.expect_err("nobody can have a seat");
    assert_eq!(
        error.to_string(),
        "the app-server keeps ending: the app-server ended by itself (exit code 3)"
    );
    assert!(error.hint().unwrap().ends_with("the end of its stderr:\nbad config"));
    assert_eq!(fs::read_to_string(&starts).unwrap().lines().count(), 6, "once, and five times again");
    fs::write(&flag, "").unwrap();
    let still = fleet.seat(&environment, Isolation::Shared).await;
    assert!(matches!(still, Err(FleetError::GaveUp { .. })), "not before somebody says go");
    fleet.forgive(&environment);
    shared(&fleet, &environment).await;
    fleet.shut_down().await;
}

#[tokio::test]
async fn what_is_not_there_and_what_refuses_us_is_said_at_once() {
    let fleet = fleet();
    let missing = super::stage::with_program("/nowhere/codex".into(), "");
    let error = fleet.seat(&missing, Isolation::Shared).await.unwrap_err();
    assert!(matches!(&error, FleetError::Launch(_)) && error.hint().is_some(), "{error}");
    let refusing =
        r#"read initialize; echo '{"id":1000000001,"error":{"code":-32600,"message":"too old"}}'; "#;
    let error = fleet.seat(&raw_shell(&format!("{refusing}{QUIET}")), Isolation::Shared).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the app-server does not accept us: codex refused `initialize`: too old (-32600)"
    );
}

#[tokio::test]
async fn a_deaf_process_is_killed_and_its_sessions_hear_it() {
    let fleet = Fleet::new(FleetOptions { probe: Duration::from_millis(20), ..options() });
    let environment = shell(QUIET);
    let seat = shared(&fleet, &environment).await;
    let (mailbox, mut news) = mailbox(4);
    seat.listen("a", mailbox).await;
    assert!(!seat.generation.probe().await);
    assert!(matches!(next(&mut news).await.heard, Heard::ProcessGone { .. }));
    let answering = r#"read probe; echo '{"id":1000000002,"result":{"data":[]}}'; "#;
    let seat = shared(&fleet, &shell(&format!("{answering}{QUIET}"))).await;
    assert!(seat.generation.probe().await);
    fleet.shut_down().await;
}

#[tokio::test]
async fn a_death_we_wanted_costs_nothing() {
    let (fleet, environment) = (fleet(), shell(QUIET));
    for _ in 0..8 {
        let seat = shared(&fleet, &environment).await;
        let generation = Arc::clone(&seat.generation);
        generation.kill().await;
        finished(&generation).await;
        // The end is known to the fleet when it is told.
        let (mailbox, mut news) = mailbox(4);
        seat.listen("a", mailbox).await;
        assert!(matches!(next(&mut news).await.heard, Heard::ProcessGone { .. }));
    }
    fleet.shut_down().await;
}
