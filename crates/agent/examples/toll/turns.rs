//! The same with us: rendered, journalled, and read as a reply.

use std::time::Instant;

use selvedge_agent::{Prompt, Section, Session};

use crate::stage::Stage;
use crate::{Measured, times};

pub(crate) async fn measure(stage: &Stage, turns: usize) -> Measured {
    let prompt = Prompt::text("bench", "go").section(Section::markdown("Task", "task", "Go.")).build()?;
    let codex = stage.builder().build().await?;
    codex.evaluate(&prompt, &Session::new()).await?;
    let mut took = Vec::with_capacity(turns);
    for _ in 0..turns {
        let begun = Instant::now();
        codex.evaluate(&prompt, &Session::new()).await?;
        took.push(begun.elapsed());
    }
    codex.close().await;
    Ok(times(took))
}
