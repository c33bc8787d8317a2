//! An example as a program: how this machine runs it, and what it said.

use std::{
    env,
    ffi::OsString,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::Output,
};

use tempfile::TempDir;
use tokio::process::Command;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
const COMPILER: &str = "SELVEDGE_TYPESCRIPT_7_0_2";
/// The first Node.js that runs TypeScript as it is.
const RUNS_TYPESCRIPT: (u64, u64) = (22, 18);

/// What is started, and what that needs.
pub(crate) struct Program {
    words: Vec<OsString>,
    _compiled: Option<TempDir>,
}

impl Program {
    /// In Python. It is nothing that a fresh clone needs: without it, it is said that it was not tried.
    pub(crate) async fn python() -> Option<Self> {
        let found = Command::new("python3").arg("--version").output().await;
        if found.is_ok_and(|found| found.status.success()) {
            let file = Path::new(EXAMPLES).join("python/tool.py");
            return Some(Self { words: vec!["python3".into(), file.into()], _compiled: None });
        }
        // Around the test harness, which keeps to itself what a test that passes has printed.
        io::stderr().write_all(b"NOT RUN: examples/python needs `python3` on the PATH\n").unwrap();
        None
    }

    /// In TypeScript, after its types were checked. An older Node.js gets what the compiler made of it.
    pub(crate) async fn typescript() -> Self {
        let file = Path::new(EXAMPLES).join("typescript/tool.mts");
        let compiled = compile(&file).await;
        let node = said(Command::new("node").arg("--version")).await;
        if version(&node) >= RUNS_TYPESCRIPT {
            return Self { words: vec!["node".into(), file.into()], _compiled: None };
        }
        let made = compiled.path().join("tool.mjs");
        Self { words: vec!["node".into(), made.into()], _compiled: Some(compiled) }
    }

    /// Runs it to its end, in a directory, with a gateway and a token.
    pub(crate) async fn run(&self, cwd: &Path, (url, token): (&str, &str), question: &[&str]) -> Output {
        let [program, arguments @ ..] = &self.words[..] else { panic!("nothing to start") };
        let mut command = Command::new(program);
        command.args(arguments).args(question).current_dir(cwd).kill_on_drop(true);
        command.env("SELVEDGE_URL", url).env("SELVEDGE_TOKEN", token);
        // No proxy of this machine has a part in it.
        command.env("NO_PROXY", "*").env("no_proxy", "*");
        command.output().await.unwrap()
    }
}

/// With everything that Node.js asks of TypeScript that it runs as it is.
async fn compile(file: &Path) -> TempDir {
    let compiler = env::var_os(COMPILER).map(PathBuf::from).expect("`cargo xtask test` says where it is");
    let packages = compiler.ancestors().nth(4).expect("node_modules/@typescript/PLATFORM/lib/tsc");
    let made = tempfile::tempdir().unwrap();
    let mut command = Command::new(&compiler);
    command.args(["--strict", "--erasableSyntaxOnly", "--verbatimModuleSyntax", "--noEmitOnError"]);
    command.args(["--target", "es2022", "--module", "nodenext", "--types", "node", "--typeRoots"]);
    command.arg(packages.join("@types")).arg("--outDir").arg(made.path()).arg(file);
    said(&mut command).await;
    made
}

async fn said(command: &mut Command) -> String {
    let ended = command.output().await.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(ended.status.success(), "{said}{}", String::from_utf8_lossy(&ended.stderr));
    said
}

/// `v22.18.0` as numbers.
fn version(said: &str) -> (u64, u64) {
    let mut parts = said.trim().trim_start_matches('v').split('.').map(|part| part.parse().unwrap());
    (parts.next().unwrap(), parts.next().unwrap())
}
