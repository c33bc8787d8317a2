//! Every field of the configuration: its default, and what reaches Codex when it is given.

use selvedge_agent::testing::Rehearsal;
use selvedge_agent::{ApprovalPolicy, CodexBuilder, Prompt, Sandbox, Section, Session};
use serde_json::{Value, json};

/// What a field is when nobody says it and when somebody does, as Codex hears it.
struct Field {
    /// In the reference.
    name: &'static str,
    /// Where it stands: a call, and a place in its parameters.
    at: (&'static str, &'static str),
    unsaid: Value,
    say: fn(CodexBuilder) -> CodexBuilder,
    said: Value,
}

fn fields() -> Vec<Field> {
    let here = std::env::current_dir().unwrap().canonicalize().unwrap();
    let field = |name, at, unsaid, say, said| Field { name, at, unsaid, say, said };
    vec![
        field("cwd", ("thread/start", "/cwd"), json!(here), |it| it.cwd("/"), json!("/")),
        field(
            "approval_policy",
            ("thread/start", "/approvalPolicy"),
            json!("never"),
            |it| it.approval_policy(ApprovalPolicy::OnRequest),
            json!("on-request"),
        ),
        field(
            "sandbox_mode",
            ("thread/start", "/sandbox"),
            Value::Null,
            |it| it.sandbox(Sandbox::WorkspaceWrite),
            json!("workspace-write"),
        ),
        field("ephemeral", ("thread/start", "/ephemeral"), Value::Null, CodexBuilder::ephemeral, json!(true)),
        field(
            "mcp_servers",
            ("thread/start", "/config/mcp_servers/demo/command"),
            Value::Null,
            |it| it.mcp_server("demo", json!({"command": "true"})),
            json!("true"),
        ),
        field("model", ("thread/start", "/model"), Value::Null, |it| it.model("m-1"), json!("m-1")),
        field("effort", ("turn/start", "/effort"), Value::Null, |it| it.effort("low"), json!("low")),
        field("summary", ("turn/start", "/summary"), Value::Null, |it| it.summary("auto"), json!("auto")),
        field(
            "personality",
            ("thread/start", "/personality"),
            Value::Null,
            |it| it.personality("friendly"),
            json!("friendly"),
        ),
        field(
            "client_name",
            ("initialize", "/clientInfo/name"),
            json!("selvedge-agent"),
            |it| it.client("reviewer", "2.1"),
            json!("reviewer"),
        ),
        field(
            "client_version",
            ("initialize", "/clientInfo/version"),
            json!(env!("CARGO_PKG_VERSION")),
            |it| it.client("reviewer", "2.1"),
            json!("2.1"),
        ),
    ]
}

/// What was said to Codex in one evaluation.
async fn heard(say: impl FnOnce(CodexBuilder) -> CodexBuilder) -> impl Fn(&str, &str) -> Value {
    let rehearsal = Rehearsal::saying("Yes.");
    let codex = say(rehearsal.codex()).build().await.unwrap();
    let prompt = Prompt::text("tests", "case").section(Section::markdown("Task", "task", "Go.")).build();
    codex.evaluate(&prompt.unwrap(), &Session::new()).await.unwrap();
    codex.close().await;
    move |method, place| {
        let params = rehearsal.heard(method).into_iter().next().unwrap_or_else(|| panic!("no {method}"));
        params.pointer(place).cloned().unwrap_or_default()
    }
}

#[tokio::test]
async fn every_field_has_its_default_and_reaches_codex() {
    let unsaid = heard(|it| it).await;
    for Field { name, at: (method, place), unsaid: expected, say, said } in fields() {
        assert_eq!(unsaid(method, place), expected, "{name}, unsaid");
        assert_eq!(heard(say).await(method, place), said, "{name}");
    }
}
