//! A change to a project that is tried out on a copy: a workspace with the files that matter, a tool that edits them, and a list of what became different.
//!
//!     cargo run -p selvedge-agent --example isolated -- path/to/project "Rename the function `old` to `new`."

use std::fs;
use std::path::Path;

use schemars::JsonSchema;
use selvedge_agent::{
    Codex, HostMount, Prompt, PromptError, ReadBeforeWrite, Reply, Sandbox, Section, Session, Tool,
    ToolContext, ToolError, Workspace,
};
use serde::{Deserialize, Serialize};

/// What is to be done.
#[derive(Serialize, JsonSchema)]
struct Wish {
    wish: String,
}

/// What was done.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Changes {
    pub(crate) summary: String,
    /// Relative to the workspace.
    pub(crate) files: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
struct ReadFile {
    /// Relative to the workspace.
    path: String,
}

#[derive(Deserialize, JsonSchema)]
struct EditFile {
    /// Relative to the workspace.
    path: String,
    /// What stands there now; exactly once.
    old: String,
    /// What is to stand there.
    new: String,
}

async fn read_file(params: ReadFile, context: ToolContext) -> Result<String, ToolError> {
    Ok(context.files()?.read_to_string(&params.path)?)
}

/// What is written here is there when the call has succeeded. A call that fails has changed nothing.
async fn edit_file(params: EditFile, context: ToolContext) -> Result<&'static str, ToolError> {
    let files = context.files()?;
    let text = files.read_to_string(&params.path)?;
    files.write(&params.path, text.replacen(&params.old, &params.new, 1))?;
    match text.matches(&params.old).count() {
        1 => Ok("edited"),
        times => Err(ToolError::new(format!(
            "`old` stands {times} times in the file; give more of what is around it"
        ))),
    }
}

fn prompt(workspace: &Workspace, wish: &str) -> Result<Prompt<Changes>, PromptError> {
    // The workspace's section says what is in it; and Codex works there.
    let files = workspace
        .section()
        .tool(Tool::new("read_file", "Read a file of the workspace.", read_file))
        .tool(Tool::new("edit_file", "Replace a text in a file of the workspace.", edit_file))
        .policy(ReadBeforeWrite::default());
    let task =
        Section::markdown("Task", "task", "${wish}\n\nThen say which files you changed.").takes::<Wish>();
    let prompt = Prompt::<Changes>::builder("demo", "isolated").section(files).section(task).build()?;
    prompt.bind(Wish { wish: wish.to_owned() })
}

/// A copy of a project's texts: no links, nothing that was built, at most 50 MB.
pub(crate) async fn copy_of(project: &Path) -> Result<Workspace, Box<dyn std::error::Error>> {
    let mount = HostMount::new(project)
        .at("project")
        .exclude("target/*")
        .exclude(".git/*")
        .exclude("*node_modules/*");
    Ok(Workspace::builder().mount(mount.max_bytes(50_000_000)).allowed_root(project).build().await?)
}

/// Has a wish fulfilled in a workspace.
pub(crate) async fn try_out(
    codex: &Codex,
    workspace: &Workspace,
    wish: &str,
) -> Result<Reply<Changes>, Box<dyn std::error::Error>> {
    Ok(codex.evaluate(&prompt(workspace, wish)?, &Session::new()).repair().await?)
}

/// The files of the workspace, among those that were said to be changed, that differ from the project's.
pub(crate) fn different(
    workspace: &Workspace,
    project: &Path,
    said: &[String],
) -> Result<Vec<(String, String)>, Box<dyn std::error::Error>> {
    // Read like this, a link that the model made leads nowhere.
    let files = workspace.files();
    let mut different = Vec::new();
    for path in said {
        let now = files.read_to_string(path)?;
        let before = path.strip_prefix("project/").map(|path| fs::read_to_string(project.join(path)));
        if before.is_none_or(|before| before.is_ok_and(|before| before != now)) {
            different.push((path.clone(), now));
        }
    }
    Ok(different)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let project = fs::canonicalize(arguments.next().unwrap_or_else(|| ".".to_owned()))?;
    let wish = arguments.next().unwrap_or_else(|| "Correct one typing mistake in a comment.".to_owned());
    let workspace = copy_of(&project).await?;
    workspace.left_out().iter().for_each(|left| eprintln!("left out: {left}"));
    let codex = Codex::builder().sandbox(Sandbox::WorkspaceWrite).build().await?;
    let reply = try_out(&codex, &workspace, &wish).await?;
    println!("{}", reply.output.summary);
    for (path, now) in different(&workspace, &project, &reply.output.files)? {
        println!("{path} would be {} bytes", now.len());
    }
    codex.close().await;
    // The copy goes; the project is as it was.
    workspace.close().await?;
    Ok(())
}
