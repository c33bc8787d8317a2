//! How a turn ends that does not want to: it is told to stop, its app-server is killed, and at last it is given up.

use std::time::Duration;

use selvedge_agent::testing::Rehearsal;
use selvedge_agent::{Codex, RuntimeConfig, Session};
use selvedge_rehearsal::{app_server, scenario::Scenario};
use selvedge_runtime::{Stage, Within};

use crate::{stage::in_time, support::says};

/// Long enough for a turn to begin, and short enough for a test.
const DEADLINE: Duration = Duration::from_secs(1);
const SOON: Duration = Duration::from_millis(200);

const DEAF: &str = r#"
[[rule]]
contains = "[slow]"
step = [ { do = [ { say = { text = "tick ", repeat = 2000, pace_ms = 100 } } ] } ]

[[rule]]
step = [ { do = [ { say = { text = "Here.", phase = "final_answer" } } ] } ]
"#;

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupt_that_is_ignored_is_followed_by_a_kill() {
    in_time(async {
        let deaf = Rehearsal::scenario(DEAF).unwrap().with_faults("ignore-interrupt").unwrap();
        let codex = deaf.codex().kill_after(SOON).build().await.unwrap();
        ends_late(&codex).await;
        let reply = codex.evaluate(&says("Are you there?"), &Session::new()).await.unwrap();
        assert_eq!(reply.text, "Here.", "another app-server has taken its place");
        assert_eq!(deaf.conversations(), 2, "the deaf one is gone");
        codex.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_killed_is_given_up() {
    in_time(async {
        let mut config = RuntimeConfig { keep_warm: false, ..Rehearsal::saying("").config() };
        config.rehearsal.within = Some(Within::new(immortal));
        let codex = Codex::builder().runtime(config).kill_after(SOON).build().await.unwrap();
        ends_late(&codex).await;
    })
    .await;
}

/// The turn is stopped at its deadline, whatever its app-server does, and what it said is told.
async fn ends_late(codex: &Codex) {
    let session = Session::new();
    let error = codex.evaluate(&says("[slow]"), &session).deadline(DEADLINE).await.unwrap_err();
    assert_eq!(error.code, "deadline_exceeded", "{error}");
}

/// Serves from a task of its own, which goes on when this one is killed.
async fn immortal(stage: Stage, stream: tokio::io::DuplexStream) -> std::io::Result<()> {
    let (input, output) = tokio::io::split(stream);
    let scenario = Scenario::parse(DEAF).unwrap();
    let faults = "ignore-interrupt".parse().unwrap();
    let options = app_server::Options { scenario, faults, home: stage.codex_home, env: stage.env };
    #[expect(clippy::disallowed_methods, reason = "nobody is to end it: that is the test")]
    tokio::spawn(app_server::serve(options, input, output));
    std::future::pending().await
}
