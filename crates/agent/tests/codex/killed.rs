//! A program that is killed in the middle of an evaluation, and the next one on the same data directory.

use std::env;
use std::fs;
use std::future::pending;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use selvedge_agent::{
    Codex, CodexThread, Prompt, RuntimeConfig, Sandbox, Section, Session, Snapshot, Tool, ToolContext,
};

use crate::{
    stage::{Setup, Stage, on_the_real},
    support::{Lookup, with_section},
};

on_the_real!(the_next_program_goes_on_and_runs_nothing_twice);

/// Tells this test's program that it is the one to be killed, and where it works.
const ROOT: &str = "SELVEDGE_TEST_KILLED_ROOT";
const THIS: &str = "killed::the_next_program_goes_on_and_runs_nothing_twice::on_the_real_codex";

/// A prompt with a tool, which says that it was called and then waits for ever.
fn prompt(text: &str) -> Prompt {
    let tool = Tool::new("lookup", "Look something up.", async |_: Lookup, _: ToolContext| {
        println!("\ncalled");
        std::io::stdout().flush()?;
        pending::<()>().await;
        Ok(())
    });
    with_section(Section::markdown("Task", "task", text).tool(tool))
}

/// What the program does that is killed: one prompt that is answered, and one that never will be.
async fn be_killed(root: &Path) {
    let codex = Some(env::var_os("SELVEDGE_TEST_KILLED_CODEX").unwrap().into());
    let config = RuntimeConfig {
        keep_warm: false,
        codex,
        codex_home: Some(root.join("home")),
        ..RuntimeConfig::default()
    };
    let builder = Codex::builder().runtime(config).cwd(root.join("work")).data_dir(root.join("data"));
    let builder = builder.sandbox(Sandbox::DangerFullAccess).reuse_thread();
    let (codex, session) = (builder.build().await.unwrap(), Session::new());
    codex.evaluate(&prompt("[stream]"), &session).await.unwrap();
    fs::write(root.join("session.json"), session.snapshot().to_json().unwrap()).unwrap();
    codex.evaluate(&prompt("[tool]"), &session).await.unwrap();
}

/// Starts it, and kills it when its tool has been called.
fn kill_in_the_middle(stage: &Stage) {
    #[expect(clippy::disallowed_methods, reason = "this test is its owner, and kills it")]
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", THIS, "--nocapture"]).env(ROOT, stage.root());
    command.env("SELVEDGE_TEST_KILLED_CODEX", stage.config().codex.unwrap());
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(said.any(|line| line.unwrap() == "called"), "its tool is called");
    child.kill().unwrap();
    child.wait().unwrap();
}

/// How often the model was asked for something in which these words are the last.
fn asked(stage: &Stage, words: &str) -> usize {
    let asked = stage.asked().unwrap();
    let last = |request: &serde_json::Value| request["input"].as_array().unwrap().last().unwrap().to_string();
    asked.iter().filter(|request| last(request).contains(words)).count()
}

async fn the_next_program_goes_on_and_runs_nothing_twice(setup: Setup) {
    if let Some(root) = env::var_os(ROOT) {
        return be_killed(Path::new(&root)).await;
    }
    let stage = setup.play("").await;
    tokio::task::block_in_place(|| kill_in_the_middle(&stage));
    let builder = stage.builder().data_dir(stage.data()).reuse_thread();
    let (codex, session) = (builder.build().await.unwrap(), Session::new());
    session.declare::<CodexThread>();
    let stored = fs::read_to_string(stage.root().join("session.json")).unwrap();
    session.restore(&Snapshot::from_json(&stored).unwrap()).unwrap();
    let before = session.latest::<CodexThread>().unwrap();
    let reply = codex.evaluate(&prompt("[think]"), &session).await.unwrap();
    assert!(
        !reply.resumed && reply.thread_id != before.thread_id,
        "what became of its last turn is not known"
    );
    assert_eq!(
        (asked(&stage, "[stream]"), asked(&stage, "[tool]")),
        (1, 1),
        "what was lost is not run again"
    );
    codex.close().await;
    // Those of the killed program end with it: when they notice that nobody is there.
    while app_servers(&stage) > 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    stage.leave().await;
}

/// How many programs run that were started for this stage's Codex.
fn app_servers(stage: &Stage) -> usize {
    let root = stage.root().display().to_string().into_bytes();
    let programs =
        fs::read_dir("/proc").unwrap().filter_map(|entry| fs::read(entry.ok()?.path().join("environ")).ok());
    programs.filter(|environment| environment.windows(root.len()).any(|part| part == root)).count()
}
