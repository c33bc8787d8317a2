//! How long a message waits for Codex: when no app-server runs, when one waits that was started ahead, and when one is in use.

use std::{sync::Arc, time::Duration, time::Instant};

use selvedge_rehearsal::{
    model::{CodexSettings, ModelServer},
    scenario::Scenario,
};
use selvedge_runtime::{
    Message, NewSession, Runtime,
    session::{Isolation, Settings},
};
use serde_json::json;

use crate::{
    Failure, Load, Measured,
    recovery::{median, milliseconds, until},
    stage::Stage,
};

/// What it says does not matter: only when its turn begins.
const WORDS: &str = "{ say = { text = \"Yes.\" } }";
/// How often it is looked whether one waits.
const LOOK: Duration = Duration::from_millis(5);

/// On the stand-in, or on the real Codex if one is named, with a scripted model behind it.
pub(crate) async fn measure(rest: &[String], load: Load) -> Measured {
    let (mut cold, mut warm, mut in_use) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..load.amount {
        let home = tempfile::tempdir()?;
        let scenario = Arc::new(Scenario::parse(&format!("[[rule]]\nstep = [{{ do = [{WORDS}] }}]\n"))?);
        let model = ModelServer::in_home(scenario, home.path(), &CodexSettings::default()).await?;
        let stage = Stage::open(&load, WORDS, |config| {
            config.keep_warm = true;
            if let Some(codex) = rest.first() {
                config.codex = Some(codex.into());
                config.codex_home = Some(home.path().to_owned());
            }
        });
        let stage = stage.await?;
        cold.push(begins(&stage, Isolation::Shared).await?);
        while !is_warm(&stage.runtime) {
            tokio::time::sleep(LOOK).await;
        }
        // One of its own is not the one in use, but the one that waits.
        warm.push(begins(&stage, Isolation::Isolated).await?);
        in_use.push(begins(&stage, Isolation::Shared).await?);
        stage.close().await;
        model.stop().await?;
    }
    Ok(json!({ "cold_ms": median(cold), "warm_ms": median(warm), "in_use_ms": median(in_use) }))
}

fn is_warm(runtime: &Runtime) -> bool {
    runtime.processes().iter().any(|process| process.is_warm)
}

/// From a new session's first message to Codex's first word about its turn, as a reader sees it.
async fn begins(stage: &Stage, isolation: Isolation) -> Result<f64, Failure> {
    let cwd = stage.directory().to_string_lossy().into_owned();
    let settings = Settings { cwd, isolation, ..Settings::default() };
    let session = stage.runtime.create(NewSession { settings, ..NewSession::default() }).await?;
    let mut events = session.events(0).await?;
    let sent = Instant::now();
    session.send(Message::text("hello")).await?;
    until(&mut events, "turn.started").await?;
    let took = milliseconds(sent);
    until(&mut events, "message.finished").await?;
    Ok(took)
}
