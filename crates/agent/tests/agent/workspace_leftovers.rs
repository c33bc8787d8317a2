//! A program that is killed leaves its workspace, and the next one removes it: that and nothing else.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use selvedge_agent::{HostMount, Workspace};

/// Tells this test's program that it is another one, and where it has its workspace.
const BELOW: &str = "SELVEDGE_TEST_WORKSPACE_BELOW";
const THIS: &str = "workspace_leftovers::a_killed_program_s_workspace_goes_with_the_next_program";

/// Another program with a workspace.
struct Other {
    child: Child,
    /// Held, because whoever ends has last words.
    said: Lines<BufReader<ChildStdout>>,
    workspace: PathBuf,
}

impl Other {
    fn start(below: &Path) -> Self {
        #[expect(clippy::disallowed_methods, reason = "this test is its owner, and ends it")]
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", THIS, "--nocapture"]).env(BELOW, below);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
        let workspace = said.find_map(|line| line.unwrap().strip_prefix("workspace ").map(PathBuf::from));
        Self { child, said, workspace: workspace.unwrap() }
    }

    /// SIGKILL, reaped.
    fn kill(mut self) -> PathBuf {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.workspace
    }

    /// It goes as it should, when its input ends.
    fn end(mut self) -> PathBuf {
        drop(self.child.stdin.take());
        self.said.by_ref().for_each(drop);
        assert!(self.child.wait().unwrap().success());
        self.workspace
    }
}

/// What the other program does: it has a workspace until its input ends.
async fn be_the_other(below: OsString) {
    let project = tempfile::tempdir().unwrap();
    fs::write(project.path().join("main.rs"), "fn main() {}\n").unwrap();
    let mount = HostMount::new(project.path()).at("project");
    let workspace = Workspace::builder().below(below).mount(mount).build().await.unwrap();
    fs::write(workspace.path().join("made"), "by the model").unwrap();
    // In a line of its own: the harness has begun one.
    println!("\nworkspace {}", workspace.path().display());
    std::io::stdout().flush().unwrap();
    let _end = std::io::stdin().lines().next();
    workspace.close().await.unwrap();
}

#[tokio::test]
async fn a_killed_program_s_workspace_goes_with_the_next_program() {
    if let Some(below) = env::var_os(BELOW) {
        return be_the_other(below).await;
    }
    let place = tempfile::tempdir().unwrap();
    let users = place.path().join("selvedge-workspace-of-mine/notes.md");
    fs::create_dir(users.parent().unwrap()).unwrap();
    fs::write(&users, "mine").unwrap();
    let (killed, alive) = (Other::start(place.path()), Other::start(place.path()));
    let left = killed.kill();
    assert_eq!(fs::read_to_string(left.join("project/main.rs")).unwrap(), "fn main() {}\n", "it is left");

    let workspace = Workspace::builder().below(place.path()).build().await.unwrap();
    assert!(!left.exists() && !left.parent().unwrap().exists());
    assert_eq!(fs::read_to_string(alive.workspace.join("made")).unwrap(), "by the model");
    assert_eq!(fs::read_to_string(&users).unwrap(), "mine");
    workspace.close().await.unwrap();
    assert!(!alive.end().exists());
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1, "what is the user's");
}
