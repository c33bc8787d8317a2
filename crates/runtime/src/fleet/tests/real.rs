//! The fleet on the real Codex, with a scripted model: sub-agents, and a death in the middle of a turn.

use std::{path::Path, sync::Arc, time::Duration};

use selvedge_client::process::{find_codex, sweep};
use selvedge_protocol::{calls, say};
use selvedge_rehearsal::{
    model::{CodexSettings, ModelServer},
    scenario::Scenario,
};
use selvedge_session::{Heard, Place};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::stage::{finished, isolated, next, options, shared};
use crate::fleet::{Again, Environment, Fleet, FleetOptions, Letters, Program, Seat, mailbox};

const VARIABLE: &str = "SELVEDGE_CODEX_0_166_0";

struct Stage {
    fleet: Fleet,
    environment: Arc<Environment>,
    model: ModelServer,
    /// Not under /tmp: Codex refuses to put its helpers there.
    home: TempDir,
}

impl Stage {
    async fn open() -> Self {
        let codex = std::env::var_os(VARIABLE);
        let codex =
            codex.expect("the real Codex: `cargo xtask setup` installs it, and `cargo xtask test` names it");
        let scenario = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/judge.toml");
        let scenario = Arc::new(Scenario::load(scenario).unwrap());
        let model = ModelServer::start(scenario, "127.0.0.1:0".parse().unwrap()).await.unwrap();
        let home = tempfile::Builder::new().prefix("fleet-").tempdir_in("/var/tmp").unwrap();
        let config = model.codex_config_with(&CodexSettings::default());
        std::fs::write(home.path().join("config.toml"), config).unwrap();
        let environment = Environment {
            program: Program::Codex(find_codex(Some(codex.as_ref())).unwrap()),
            codex_home: Some(home.path().to_owned()),
            env: vec![("HOME".into(), Some(home.path().into()))],
            config: vec!["hide_agent_reasoning=false".into()],
            bare: None,
            login: None,
        };
        let fleet = Fleet::new(FleetOptions { keep_warm: true, ..options() });
        Self { fleet, environment: Arc::new(environment), model, home }
    }

    /// A seat with a thread somebody listens to.
    async fn thread(&self) -> (Seat, String, Letters) {
        let seat = shared(&self.fleet, &self.environment).await;
        let cwd = Some(self.home.path().to_str().unwrap().to_owned());
        let params = say::ThreadStartParams { cwd, ..say::ThreadStartParams::default() };
        let started = seat.generation.client().call::<calls::ThreadStart>(&params).await.unwrap();
        let thread = started.read().unwrap().thread().unwrap().id.into_owned();
        let (mailbox, news) = mailbox(8);
        seat.listen(&thread, mailbox).await;
        (seat, thread, news)
    }

    async fn close(self) {
        self.fleet.shut_down().await;
        self.model.stop().await.unwrap();
    }
}

async fn say(seat: &Seat, thread: &str, text: &str) {
    let input = vec![say::TextUserInput::new(text).into()];
    let params = say::TurnStartParams::new(thread, input);
    seat.generation.client().call::<calls::TurnStart>(&params).await.unwrap();
}

/// Everything up to the end of a turn of this thread.
async fn turn(news: &mut Letters, thread: &str) -> Vec<Heard> {
    let mut heard = Vec::new();
    loop {
        let told = next(news).await;
        let last = matches!(&told.heard, Heard::TurnEnded(place, _) if place.thread == thread);
        heard.push(told.heard);
        if last {
            return heard;
        }
    }
}

fn ended(heard: &Heard) -> Option<&Place> {
    if let Heard::TurnEnded(place, _) = heard { Some(place) } else { None }
}

#[tokio::test]
async fn a_sub_agent_is_heard_by_its_parents_session_and_codex_knows_whose_it_is() {
    let stage = Stage::open().await;
    let (_other_seat, other, mut others_news) = stage.thread().await;
    let (seat, parent, mut news) = stage.thread().await;
    say(&seat, &parent, "[spawn]").await;
    say(&seat, &other, "[thread alone]").await;
    let heard = turn(&mut news, &parent).await;
    let ends: Vec<&Place> = heard.iter().filter_map(ended).collect();
    assert_eq!(ends.len(), 2, "the child's turn and its own: {ends:?}");
    let child = &ends[0].thread;
    let delta = |heard: &Heard| match heard {
        Heard::Delta { place, delta, .. } if place.thread == *child => Some(delta.clone()),
        _ => None,
    };
    let said: String = heard.iter().filter_map(delta).collect();
    assert_eq!(said, "One, two, three.");
    let asked = json!({"threadId": child, "includeTurns": false});
    let answer = seat.generation.client().request("thread/read", &asked).await.unwrap();
    let read: Value = serde_json::from_str(answer.result().get()).unwrap();
    assert_eq!(read["thread"]["parentThreadId"], parent.as_str(), "what the router asks for");
    let elsewhere = turn(&mut others_news, &other).await;
    assert!(elsewhere.iter().filter_map(ended).all(|place| place.thread == other));
    assert_eq!(stage.fleet.ignored().unclaimed, 0);
    stage.close().await;
}

#[tokio::test]
async fn a_killed_codex_is_gone_for_its_session_and_leaves_nothing() {
    let stage = Stage::open().await;
    let (seat, thread, mut news) = stage.thread().await;
    say(&seat, &thread, "[thread killed]").await;
    while !matches!(next(&mut news).await.heard, Heard::Delta { .. }) {}
    let generation = Arc::clone(&seat.generation);
    generation.kill().await;
    while !matches!(next(&mut news).await.heard, Heard::ProcessGone { .. }) {}
    finished(&generation).await;
    assert_eq!(sweep::marked(generation.id()).await, []);
    let started = tokio::time::Instant::now();
    let again = shared(&stage.fleet, &stage.environment).await;
    assert!(again.generation.probe().await, "the one that waited, or a new one");
    assert!(started.elapsed() < Duration::from_secs(10));
    stage.close().await;
}

#[tokio::test]
async fn a_thread_is_resumed_where_it_is_loaded_and_nowhere_else() {
    let stage = Stage::open().await;
    let (seat, thread, mut news) = stage.thread().await;
    say(&seat, &thread, "[thread once]").await;
    turn(&mut news, &thread).await;
    drop(seat);
    let elsewhere = isolated(&stage.fleet, &stage.environment).await;
    let resume = json!({"threadId": thread});
    let refused = elsewhere.generation.client().request("thread/resume", &resume).await.unwrap_err();
    assert!(refused.to_string().contains("writer"), "{refused}");
    let back = stage.fleet.seat_again(&stage.environment, &thread);
    let Some(Again::There(back)) = back else { panic!("its old place") };
    let (mailbox, mut news) = mailbox(8);
    back.listen(&thread, mailbox).await;
    back.generation.client().request("thread/resume", &resume).await.unwrap();
    say(&back, &thread, "[thread twice]").await;
    turn(&mut news, &thread).await;
    stage.close().await;
}
