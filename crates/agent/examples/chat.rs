//! A conversation: each line is a prompt, and the model remembers those before it, also in the next run of the program.
//!
//!     cargo run -p selvedge-agent --example chat -- path/for/what/is/remembered

use std::fs;
use std::io::{self, BufRead, Write};
use std::path::Path;

use schemars::JsonSchema;
use selvedge_agent::{
    Codex, CodexBuilder, CodexThread, Prompt, PromptError, Sandbox, Section, Session, Snapshot,
};
use serde::Serialize;

#[derive(Serialize, JsonSchema)]
struct Said {
    text: String,
}

fn prompt() -> Result<Prompt, PromptError> {
    Prompt::text("demo", "chat")
        .section(Section::markdown("Message", "message", "${text}").takes::<Said>())
        .build()
}

/// A Codex and a session that go on where the last run of the program stopped.
pub(crate) async fn begin(
    builder: CodexBuilder,
    memory: &Path,
) -> Result<(Codex, Session), Box<dyn std::error::Error>> {
    let codex = builder.data_dir(memory).reuse_thread().build().await?;
    let session = Session::new();
    session.declare::<CodexThread>();
    if let Ok(json) = fs::read_to_string(memory.join("session.json")) {
        session.restore(&Snapshot::from_json(&json)?)?;
    }
    Ok((codex, session))
}

/// Answers line by line, until there are no more. What is remembered is written after each.
pub(crate) async fn chat(
    (codex, session): (&Codex, &Session),
    lines: impl Iterator<Item = io::Result<String>>,
    mut out: impl Write,
) -> Result<(), Box<dyn std::error::Error>> {
    let prompt = prompt()?;
    for line in lines {
        let said = prompt.clone().bind(Said { text: line? })?;
        match codex.evaluate(&said, session).await {
            Ok(reply) if reply.resumed => writeln!(out, "{}", reply.text)?,
            Ok(reply) => writeln!(out, "(a new thread)\n{}", reply.text)?,
            // The next line may do better.
            Err(error) => writeln!(out, "{error}")?,
        }
        fs::write(codex.data_dir().join("session.json"), session.snapshot().to_json()?)?;
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let memory = std::env::args().nth(1).ok_or("say where to remember the conversation")?;
    let (codex, session) = begin(Codex::builder().sandbox(Sandbox::ReadOnly), Path::new(&memory)).await?;
    chat((&codex, &session), io::stdin().lock().lines(), io::stdout()).await?;
    codex.close().await;
    Ok(())
}
