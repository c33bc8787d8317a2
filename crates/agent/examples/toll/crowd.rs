//! Many evaluations at once: on one Codex, or on one each. They meet in a tool, and there what they hold is weighed.

use std::sync::Arc;
use std::time::Instant;

use schemars::JsonSchema;
use selvedge_agent::{Codex, Prompt, PromptError, Section, Session, Tool, ToolContext};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::Barrier;
use tokio::task::JoinSet;

use crate::stage::Stage;
use crate::{Failure, Measured, memory};

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

/// A tool in which they wait for each other, and again until everything is weighed.
fn prompt(met: &Arc<Barrier>) -> Result<Prompt, PromptError> {
    let met = met.clone();
    let meet = Tool::new("meet", "Wait for the others.", move |_: Nothing, _: ToolContext| {
        let met = met.clone();
        async move {
            met.wait().await;
            met.wait().await;
            Ok("met")
        }
    });
    let meet = meet.time_limit(std::time::Duration::from_secs(600));
    Prompt::text("bench", "meet").section(Section::markdown("Task", "task", "Meet.").tool(meet)).build()
}

pub(crate) async fn on_one_codex(stage: &Stage, evaluations: usize) -> Measured {
    let codex = stage.builder().build().await?;
    measure(vec![codex; evaluations]).await
}

pub(crate) async fn on_a_codex_each(stage: &Stage, evaluations: usize) -> Measured {
    let mut codexes = Vec::with_capacity(evaluations);
    for _ in 0..evaluations {
        codexes.push(stage.builder().build().await?);
    }
    measure(codexes).await
}

async fn measure(codexes: Vec<Codex>) -> Measured {
    let met = Arc::new(Barrier::new(codexes.len() + 1));
    let prompt = prompt(&met)?;
    let (begun, mut evaluations) = (Instant::now(), JoinSet::new());
    for codex in &codexes {
        let (codex, prompt) = (codex.clone(), prompt.clone());
        evaluations.spawn(async move { codex.evaluate(&prompt, &Session::new()).await.map(drop) });
    }
    tokio::select! {
        _ = met.wait() => {}
        failed = first_failure(&mut evaluations) => return Err(failed),
    }
    let together = begun.elapsed();
    let held = memory::of_children();
    let ours = memory::of_this();
    let weighed = begun.elapsed() - together;
    met.wait().await;
    while let Some(ended) = evaluations.join_next().await {
        ended??;
    }
    let seconds = (begun.elapsed() - weighed).as_secs_f64();
    for codex in &codexes {
        codex.close().await;
    }
    Ok(json!({
        "seconds": seconds,
        "processes": held.processes,
        "app_servers_mib": held.kib as f64 / 1024.0,
        "own_mib": ours as f64 / 1024.0,
    }))
}

/// None of them ends before they have met, but by failing.
async fn first_failure(evaluations: &mut JoinSet<Result<(), selvedge_agent::AgentError>>) -> Failure {
    match evaluations.join_next().await {
        Some(Ok(Err(error))) => error.to_string().into(),
        other => format!("an evaluation ended too early: {other:?}").into(),
    }
}
