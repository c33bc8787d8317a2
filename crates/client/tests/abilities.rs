//! The table of abilities, as each real Codex answers for it.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::path::PathBuf;

use selvedge_client::{
    Abilities, AppServer, Efforts, Fork, History, Introduction, Launch, TokenShape, Tools, Unsubscribe,
    Unwind,
};

/// What a version can do, in one row.
#[derive(Debug, PartialEq)]
struct Row {
    steer: bool,
    fork: Fork,
    unwind: Unwind,
    on_failure: bool,
    tools: Tools,
    own_message_ids: bool,
    output_schema: bool,
    history: History,
    unsubscribe: Unsubscribe,
    any_effort: bool,
    tokens: TokenShape,
    plan_mode: bool,
    background_terminals: bool,
}

impl Row {
    fn of(it: &Abilities) -> Self {
        Self {
            steer: it.steer(),
            fork: it.fork(),
            unwind: it.unwind(),
            on_failure: it.on_failure(),
            tools: it.tools(),
            own_message_ids: it.own_message_ids(),
            output_schema: it.output_schema(),
            history: it.history(),
            unsubscribe: it.unsubscribe(),
            any_effort: it.efforts() == Efforts::Any,
            tokens: it.tokens(),
            plan_mode: it.plan_mode(),
            background_terminals: it.background_terminals(),
        }
    }
}

/// Asks the real Codex of this version, which has no thread afterwards that it had not before.
async fn asked(version: &str) -> Row {
    let variable = format!("SELVEDGE_CODEX_{}", version.replace('.', "_"));
    let Some(codex) = std::env::var_os(&variable).map(PathBuf::from) else {
        panic!("{variable} is not set: `cargo xtask test` runs everything with the Codexes it needs");
    };
    let home = tempfile::Builder::new().prefix("abilities-").tempdir_in("/var/tmp").unwrap();
    let launch = Launch::find(Some(&codex)).unwrap();
    let launch = launch.codex_home(home.path()).env("HOME", home.path()).directory(home.path());
    let AppServer { client, inbox: _inbox, process } = AppServer::spawn(launch).unwrap();
    let info = client.initialize(&Introduction::new("abilities", "1.0.0")).await.unwrap();
    assert_eq!(info.version(), Some(version));
    let abilities = client.abilities().await.unwrap();
    let threads = client.request("thread/list", &serde_json::json!({})).await.unwrap();
    assert!(threads.result().get().contains("\"data\":[]"), "a question made a thread");
    process.shut_down().await;
    Row::of(&abilities)
}

const OLDEST: Row = Row {
    steer: false,
    fork: Fork::No,
    unwind: Unwind::No,
    on_failure: true,
    tools: Tools::None,
    own_message_ids: false,
    output_schema: false,
    history: History::OnResume,
    unsubscribe: Unsubscribe::No,
    any_effort: false,
    tokens: TokenShape::No,
    plan_mode: false,
    background_terminals: false,
};

const OLD: Row = Row {
    fork: Fork::Whole,
    unwind: Unwind::Rollback,
    tools: Tools::Flat,
    output_schema: true,
    history: History::Whole,
    tokens: TokenShape::WithIdToken,
    plan_mode: true,
    ..OLDEST
};

const BETWEEN: Row = Row {
    steer: true,
    tools: Tools::Deferred,
    unsubscribe: Unsubscribe::Unloads,
    tokens: TokenShape::AccessToken,
    background_terminals: true,
    ..OLD
};

const TODAY: Row = Row {
    fork: Fork::UpToATurn,
    unwind: Unwind::Revert,
    on_failure: false,
    tools: Tools::Namespaced,
    own_message_ids: true,
    history: History::Pages,
    unsubscribe: Unsubscribe::KeepsLoaded,
    any_effort: true,
    ..BETWEEN
};

#[tokio::test]
async fn of_0_72_0() {
    assert_eq!(asked("0.72.0").await, OLDEST);
}

#[tokio::test]
async fn of_0_98_0() {
    assert_eq!(asked("0.98.0").await, OLD);
}

#[tokio::test]
async fn of_0_120_0() {
    assert_eq!(asked("0.120.0").await, BETWEEN);
}

#[tokio::test]
async fn of_0_166_0() {
    assert_eq!(asked("0.166.0").await, TODAY);
    assert_eq!(Row::of(&Abilities::newest()), TODAY, "what is assumed where nothing is said");
}
