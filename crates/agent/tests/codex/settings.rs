//! Settings: each reaches Codex as it was given, and has its default.

use std::time::Duration;

use selvedge_agent::{ApprovalPolicy, Codex, Sandbox, Section, Session};
use selvedge_runtime::{Filter, Runtime, session::Settings};
use serde_json::json;
use tokio::task::JoinSet;

use crate::{
    stage::{Setup, Stage, on_both},
    support::{lookup, says, with_section},
};

on_both!(
    what_is_not_said_is_codex_s_own_but_approvals,
    every_setting_reaches_its_session,
    a_variable_reaches_commands,
    a_server_named_like_a_tool_is_refused,
    many_evaluations_share_one_codex,
    a_codex_that_is_dropped_leaves_nothing,
);

/// What the one session was made with.
async fn made_with(stage: &Stage) -> Settings {
    let runtime = Runtime::open_quietly(stage.config()).await.unwrap();
    let sessions = runtime.sessions(&Filter::default()).await.unwrap().items;
    let settings = runtime.session(sessions[0].id).await.unwrap().settings().await.unwrap();
    runtime.shut_down().await;
    settings
}

async fn what_is_not_said_is_codex_s_own_but_approvals(setup: Setup) {
    let stage = setup.play("").await;
    let codex = Codex::builder().runtime(stage.config()).cwd(stage.work("")).build().await.unwrap();
    codex.evaluate(&says("[stream]"), &Session::new()).await.unwrap();
    codex.close().await;
    let settings = made_with(&stage).await;
    assert_eq!(settings.approval_policy, Some(ApprovalPolicy::Never));
    assert_eq!((settings.sandbox, settings.ephemeral, settings.tools.len()), (None, false, 0));
    let unsaid = [settings.model, settings.effort, settings.summary, settings.personality];
    assert_eq!(unsaid, [const { None }; 4]);
    assert_eq!(settings.cwd, stage.work("").canonicalize().unwrap().display().to_string());
    stage.close(codex).await;
}

async fn every_setting_reaches_its_session(setup: Setup) {
    let stage = setup.play("").await;
    let builder = stage.builder().data_dir(stage.data()).model("gpt-5.5").effort("low").summary("concise");
    let builder = builder.personality("pragmatic").sandbox(Sandbox::ReadOnly).env("GREETING", "hello");
    let builder = builder.approval_policy(ApprovalPolicy::OnRequest).ephemeral();
    let codex = builder.build().await.unwrap();
    let prompt = with_section::<()>(Section::markdown("Task", "task", "[stream]").tool(lookup()));
    codex.evaluate(&prompt, &Session::new()).await.unwrap();
    codex.close().await;
    let settings = made_with(&stage).await;
    assert_eq!((settings.model.as_deref(), settings.effort.as_deref()), (Some("gpt-5.5"), Some("low")));
    assert_eq!(
        (settings.summary.as_deref(), settings.personality.as_deref()),
        (Some("concise"), Some("pragmatic"))
    );
    assert_eq!((settings.sandbox, settings.ephemeral), (Some(Sandbox::ReadOnly), true));
    assert_eq!(settings.approval_policy, Some(ApprovalPolicy::OnRequest));
    assert_eq!((settings.env, settings.tools[0].name.as_str()), (vec!["GREETING".to_owned()], "lookup"));
    stage.close(codex).await;
}

async fn a_variable_reaches_commands(setup: Setup) {
    const PRINTS: &str = r#"
[[rule]]
contains = "[prints]"
step = [ { do = [ { run = { command = "echo $GREETING > greeting.txt" } } ] }, { do = [ { say = { text = "Printed.", phase = "final_answer" } } ] } ]
"#;
    let stage = setup.play(PRINTS).await;
    let codex = stage.builder().env("GREETING", "hello").build().await.unwrap();
    codex.evaluate(&says("[prints]"), &Session::new()).await.unwrap();
    assert_eq!(std::fs::read_to_string(stage.work("greeting.txt")).unwrap(), "hello\n");
    stage.close(codex).await;
}

async fn a_server_named_like_a_tool_is_refused(setup: Setup) {
    let stage = setup.play("").await;
    let codex = stage.builder().mcp_server("lookup", json!({"command": "true"})).build().await.unwrap();
    let prompt = with_section::<()>(Section::markdown("Task", "task", "[tool]").tool(lookup()));
    let error = codex.evaluate(&prompt, &Session::new()).await.unwrap_err();
    assert_eq!(error.code, "invalid_argument");
    assert!(error.to_string().contains("`lookup` is the name of a tool and of an MCP server"), "{error}");
    stage.close(codex).await;
}

async fn many_evaluations_share_one_codex(setup: Setup) {
    let stage = setup.play("").await;
    let codex = stage.codex().await;
    let mut evaluations = JoinSet::new();
    for name in ["ann", "ben", "eve", "kim"] {
        let codex = codex.clone();
        evaluations.spawn(async move {
            let reply = codex.evaluate(&says(&format!("[thread {name}]")), &Session::new()).await.unwrap();
            assert_eq!(reply.text.trim(), format!("{name} ").repeat(40).trim());
        });
    }
    evaluations.join_all().await;
    stage.close(codex).await;
}

async fn a_codex_that_is_dropped_leaves_nothing(setup: Setup) {
    let stage = setup.play("").await;
    let codex = stage.codex().await;
    codex.evaluate(&says("[stream]"), &Session::new()).await.unwrap();
    let private = codex.data_dir().to_owned();
    assert!(private.exists());
    drop(codex);
    // It goes when the last app-server has ended.
    while private.exists() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let codex = stage.codex().await;
    stage.close(codex).await;
}
