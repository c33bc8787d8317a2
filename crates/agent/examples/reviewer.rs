//! A code reviewer: tools that read a directory, findings that are kept as they come, a verdict that is a value.
//!
//!     cargo run -p selvedge-agent --example reviewer -- path/to/repository

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use schemars::JsonSchema;
use selvedge_agent::{
    AgentError, Budget, Codex, Prompt, PromptError, Reply, Sandbox, Section, Session, Slice, Tool,
    ToolContext, ToolError, ToolInvoked,
};
use serde::{Deserialize, Serialize};

/// A file that is larger is not for a model.
const LARGEST: u64 = 64 * 1024;

/// What the review comes to.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Review {
    /// One sentence.
    pub(crate) summary: String,
    pub(crate) verdict: Verdict,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    Approve,
    RequestChanges,
}

/// Something that the reviewer found. The session keeps them, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Finding {
    /// Relative to the repository.
    pub(crate) file: String,
    /// Counted from 1.
    pub(crate) line: u32,
    /// What is wrong, and what would be right.
    pub(crate) text: String,
}

impl Slice for Finding {
    const NAME: &'static str = "finding";
}

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

#[derive(Deserialize, JsonSchema)]
struct ReadFile {
    /// As `list_files` names it.
    path: String,
}

fn list_files(root: PathBuf) -> Tool {
    Tool::new("list_files", "List the files of the repository.", move |_: Nothing, _: ToolContext| {
        let root = root.clone();
        async move {
            let found = tokio::task::spawn_blocking(move || files_below(&root, &root)).await??;
            Ok(found.join("\n"))
        }
    })
}

fn read_file(root: PathBuf) -> Tool {
    Tool::new("read_file", "Read a file, with numbered lines.", move |params: ReadFile, _: ToolContext| {
        let root = root.clone();
        async move {
            let file = root.join(&params.path).canonicalize()?;
            if !file.starts_with(&root) {
                return Err(ToolError::new("this is not in the repository"));
            }
            if fs::metadata(&file)?.len() > LARGEST {
                return Err(ToolError::new("this is too large to be read"));
            }
            let text = tokio::fs::read_to_string(file).await?;
            Ok(text.lines().zip(1..).map(|(line, number)| format!("{number}: {line}\n")).collect::<String>())
        }
    })
}

/// A call that fails leaves no finding; one that is repeated in another rendering is kept once.
fn report() -> Tool {
    let handler = async |found: Finding, context: ToolContext| {
        if !context.session().all::<Finding>().contains(&found) {
            context.session().append(found);
        }
        Ok("noted")
    };
    Tool::new("report", "Report a finding.", handler)
}

fn prompt(root: &Path) -> Result<Prompt<Review>, PromptError> {
    let task =
        "Review the code of this repository. Report each defect as soon as you see it; style is no defect.";
    let reading = "List the files first. Read what matters, and nothing twice.";
    Prompt::<Review>::builder("demo", "review")
        .section(Section::markdown("Task", "task", task).tool(report()))
        .section(
            Section::markdown("Reading", "reading", reading)
                .tool(list_files(root.to_owned()))
                .tool(read_file(root.to_owned())),
        )
        .build()
}

/// Reviews the repository that a Codex works in. The findings are in the session.
pub(crate) async fn review(codex: &Codex, session: &Session) -> Result<Reply<Review>, AgentError> {
    let prompt = prompt(codex.cwd())?;
    let evaluation = codex.evaluate(&prompt, session).deadline(Duration::from_secs(600));
    evaluation.budget(Budget::tokens(1_000_000)).repair().await
}

fn files_below(root: &Path, directory: &Path) -> std::io::Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        if entry.file_name().to_string_lossy().starts_with('.') || entry.file_name() == "target" {
            continue;
        }
        if kind.is_dir() {
            found.extend(files_below(root, &path)?);
        } else if kind.is_file() {
            found.push(path.strip_prefix(root).unwrap_or(&path).display().to_string());
        }
    }
    found.sort();
    Ok(found)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let repository = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let codex = Codex::builder().cwd(repository).sandbox(Sandbox::ReadOnly).build().await?;
    let session = Session::new();
    let _watching = session.observe(|told: &ToolInvoked| eprintln!("{} {}", told.name, told.params));
    let reply = review(&codex, &session).await?;
    for Finding { file, line, text } in session.all::<Finding>().iter() {
        println!("{file}:{line}: {text}");
    }
    println!("{:?}: {}", reply.output.verdict, reply.output.summary);
    codex.close().await;
    Ok(())
}
