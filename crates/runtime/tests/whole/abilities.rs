//! The stand-in answers for its abilities as the Codex does that it stands in for.

use selvedge_client::{AppServer, Efforts, Fork, History, Introduction, Launch, TokenShape, Tools, Unwind};

use crate::setup::selvedge;

#[tokio::test]
async fn the_stand_in_can_what_it_stands_in_for() {
    let home = tempfile::tempdir().unwrap();
    let mut launch = Launch::program(selvedge()).codex_home(home.path());
    launch.arguments = vec!["rehearse".into(), "app-server".into()];
    let AppServer { client, inbox: _inbox, process } = AppServer::spawn(launch).unwrap();
    client.initialize(&Introduction::new("abilities", "1.0.0")).await.unwrap();
    let can = client.abilities().await.unwrap();
    assert_eq!(can.lacking(), Vec::<&str>::new());
    assert_eq!((can.fork(), can.unwind(), can.history()), (Fork::UpToATurn, Unwind::Revert, History::Pages));
    assert_eq!(
        (can.efforts(), can.tools(), can.tokens()),
        (Efforts::Any, Tools::Namespaced, TokenShape::AccessToken)
    );
    assert!(!can.on_failure() && !can.phantom_turns() && can.background_terminals());
    process.shut_down().await;
}
