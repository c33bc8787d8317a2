//! A repository, summed up as a value: a prompt, a tool, a deadline and a budget.
//!
//!     cargo run -p selvedge-agent --example summarize -- path/to/repository

use std::path::Path;
use std::time::Duration;

use schemars::JsonSchema;
use selvedge_agent::{
    AgentError, Budget, Codex, Prompt, PromptError, Reply, Sandbox, Section, Session, Tool, ToolContext,
    ToolInvoked,
};
use serde::{Deserialize, Serialize};

/// What the prompt is about.
#[derive(Serialize, JsonSchema)]
struct Where {
    dir: String,
}

/// What it wants to know.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Summary {
    pub(crate) title: String,
    pub(crate) files: Vec<String>,
    pub(crate) line_count: u32,
}

#[derive(Deserialize, JsonSchema)]
struct CountLines {
    /// Relative to the repository.
    path: String,
}

#[derive(Serialize, Deserialize)]
struct Lines {
    lines: usize,
}

/// A tool that counts the lines of a file below a directory.
fn count_lines(root: &Path) -> Tool {
    let root = root.to_owned();
    Tool::new("count_lines", "Count the lines of a file.", move |params: CountLines, _: ToolContext| {
        let file = root.join(params.path);
        async move { Ok(Lines { lines: tokio::fs::read_to_string(file).await?.lines().count() }) }
    })
}

fn prompt(root: &Path) -> Result<Prompt<Summary>, PromptError> {
    let task = "Summarize the repository in ${dir}. Count lines with `count_lines`.";
    let section = Section::markdown("Task", "task", task).takes::<Where>().tool(count_lines(root));
    let prompt = Prompt::<Summary>::builder("demo", "summarize").section(section).build()?;
    prompt.bind(Where { dir: root.display().to_string() })
}

/// Has the repository that a Codex works in summed up.
pub(crate) async fn summarize(codex: &Codex, session: &Session) -> Result<Reply<Summary>, AgentError> {
    let prompt = prompt(codex.cwd())?;
    let evaluation = codex.evaluate(&prompt, session).deadline(Duration::from_secs(120));
    evaluation.budget(Budget::tokens(500_000)).repair().await
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let repository = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let codex = Codex::builder().cwd(repository).sandbox(Sandbox::ReadOnly).build().await?;
    let session = Session::new();
    let _watching = session.observe(|told: &ToolInvoked| eprintln!("{} {}", told.name, told.params));
    let reply = summarize(&codex, &session).await?;
    println!(
        "{}: {} lines in {} files",
        reply.output.title,
        reply.output.line_count,
        reply.output.files.len()
    );
    println!("{} tokens, thread {}", reply.usage.total_tokens(), reply.thread_id);
    codex.close().await;
    Ok(())
}
