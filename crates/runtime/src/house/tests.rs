//! Sessions are cold unless somebody uses them: no task, no memory.

use std::time::Duration;

use selvedge_session::Timestamp;

use crate::{Clock, Config, NewSession, Runtime, actor};

#[tokio::test]
async fn a_session_costs_nothing_until_it_is_used_and_a_minute_after() {
    let directory = tempfile::tempdir().unwrap();
    let clock = Clock::manual(Timestamp(1_000_000));
    let config = Config { codex: Some("rehearsal".into()), ..Config::new(directory.path()) };
    let runtime = Runtime::open_at(config, clock.clone()).await.unwrap();
    let house = &runtime.house;
    let session = runtime.create(NewSession::in_directory(directory.path().to_str().unwrap())).await.unwrap();
    session.summary().await.unwrap();
    assert_eq!(house.awake(), [], "to be made and looked at needs nobody");
    session.settings().await.unwrap();
    assert_eq!(house.awake(), [session.id()]);
    let mut gone = house.actors.map()[&session.id()].gone.clone();
    clock.turn(Duration::from_secs(59));
    session.settings().await.unwrap();
    clock.turn(Duration::from_secs(59));
    session.settings().await.unwrap();
    assert!(gone.has_changed().is_ok(), "it was used less than a minute ago");
    clock.turn(Duration::from_secs(60));
    while gone.changed().await.is_ok() {}
    assert_eq!(house.awake(), []);
    let owned = actor::has_living_owner(house, session.id()).await.unwrap();
    assert!(!owned, "nothing holds it here: whoever wants it may take it");
    runtime.shut_down().await;
}
