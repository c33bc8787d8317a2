//! MCP servers beside the prompt's own tools: their calls are told, decided about, and never asked of a person.

use std::fs;

use selvedge_agent::{
    Approval, ApprovalKind, ApprovalPolicy, ApprovalRequest, CodexBuilder, Section, Session, ToolFailure,
    ToolInvoked,
};
use selvedge_rehearsal::{mcp, model::CodexSettings};
use serde_json::json;

use crate::{
    stage::{Setup, Stage, on_both, on_the_real},
    support::{invoked, lookup, says, with_section},
};

on_both!(a_search_of_the_web_is_told);

on_the_real!(
    a_call_of_a_server_is_told_beside_those_of_the_prompt,
    a_call_that_fails_is_told_as_such,
    a_call_is_decided_by_the_program,
    a_form_is_declined_and_nobody_is_asked,
    a_question_to_the_user_is_declined_and_nobody_is_asked,
    what_a_server_is_given_is_written_nowhere,
);

const RULES: &str = r#"
[[rule]]
contains = "[both]"
step = [
  { do = [ { mcp = { server = "demo", tool = "echo", arguments = { text = "hi" } } } ] },
  { do = [ { tool = { name = "lookup", arguments = { id = "A" } } } ] },
  { do = [ { say = { text = "Both.", phase = "final_answer" } } ] },
]

[[rule]]
contains = "[break]"
step = [
  { do = [ { mcp = { server = "demo", tool = "break" } } ] },
  { do = [ { say = { text = "Broken.", phase = "final_answer" } } ] },
]

[[rule]]
contains = "[order]"
step = [
  { do = [ { mcp = { server = "demo", tool = "order" } } ] },
  { do = [ { say = { text = "Ordered.", phase = "final_answer" } } ] },
]

[[rule]]
contains = "[question]"
step = [
  { do = [ { ask = { questions = [ { id = "size", header = "Size", question = "Which size?", options = ["small", "large"] } ] } } ] },
  { do = [ { say = { text = "Asked.", phase = "final_answer" } } ] },
]

"#;

fn with_server(stage: &Stage) -> CodexBuilder {
    let script = stage.work("server.sh");
    fs::write(&script, mcp::SERVER).unwrap();
    stage.builder().mcp_server("demo", json!({"command": "sh", "args": [script]}))
}

/// Whoever must not be asked.
async fn nobody(_: ApprovalRequest) -> Approval {
    panic!("it is not asked")
}

async fn a_call_of_a_server_is_told_beside_those_of_the_prompt(setup: Setup) {
    let stage = setup.play(RULES).await;
    let (codex, session) = (with_server(&stage).build().await.unwrap(), Session::new());
    let prompt = with_section::<()>(Section::markdown("Task", "task", "[both]").tool(lookup()));
    assert_eq!(codex.evaluate(&prompt, &session).await.unwrap().text, "Both.");
    assert_eq!(invoked(&session), [("codex:mcp:echo".into(), true), ("lookup".into(), true)]);
    let told = &session.all::<ToolInvoked>()[0];
    assert_eq!(told.params, json!({"server": "demo", "tool": "echo", "arguments": {"text": "hi"}}));
    assert_eq!((told.rendered_output.as_str(), told.call_id.is_some()), ("from the server: ", true));
    assert!(stage.last_asked().unwrap().contains("from the server"), "the model got it");
    stage.close(codex).await;
}

async fn a_call_that_fails_is_told_as_such(setup: Setup) {
    let stage = setup.play(RULES).await;
    let (codex, session) = (with_server(&stage).build().await.unwrap(), Session::new());
    assert_eq!(codex.evaluate(&says("[break]"), &session).await.unwrap().text, "Broken.");
    let told: ToolInvoked = session.latest().unwrap();
    assert_eq!((told.name.as_str(), told.result.failure), ("codex:mcp:break", Some(ToolFailure::Failed)));
    assert!(told.rendered_output.contains("it is broken"), "{told:?}");
    stage.close(codex).await;
}

async fn a_call_is_decided_by_the_program(setup: Setup) {
    let stage = setup.play(RULES).await;
    if stage.is_old() {
        // It asks nobody about calls of servers.
        return stage.leave().await;
    }
    for (decision, success) in [(Approval::Decline, false), (Approval::Accept, true)] {
        let builder = with_server(&stage).approval_policy(ApprovalPolicy::OnRequest);
        let builder = builder.approvals(move |asked: ApprovalRequest| async move {
            assert_eq!(asked.kind, ApprovalKind::Elicitation);
            decision
        });
        let (codex, session) = (builder.build().await.unwrap(), Session::new());
        let prompt = with_section::<()>(Section::markdown("Task", "task", "[both]").tool(lookup()));
        codex.evaluate(&prompt, &session).await.unwrap();
        assert_eq!(invoked(&session)[0], ("codex:mcp:echo".into(), success));
        codex.close().await;
    }
    stage.leave().await;
}

async fn a_form_is_declined_and_nobody_is_asked(setup: Setup) {
    let stage = setup.play(RULES).await;
    if stage.is_before("0.120.0") {
        // It answers no form, and so nobody is asked: the call ends with its time.
        return stage.leave().await;
    }
    for policy in [ApprovalPolicy::Never, ApprovalPolicy::OnRequest] {
        let builder = with_server(&stage).approval_policy(policy).approvals(nobody);
        let codex = builder.build().await.unwrap();
        assert_eq!(codex.evaluate(&says("[order]"), &Session::new()).await.unwrap().text, "Ordered.");
        let asked = stage.last_asked().unwrap();
        assert!(asked.contains("action:decline"), "{policy:?}: {asked}");
        codex.close().await;
    }
    stage.leave().await;
}

async fn a_question_to_the_user_is_declined_and_nobody_is_asked(setup: Setup) {
    let asks = CodexSettings::default().with("features.default_mode_request_user_input", "true");
    let stage = setup.codex(asks).play(RULES).await;
    if stage.is_before("0.120.0") {
        // Its model is not offered to ask questions.
        return stage.leave().await;
    }
    for policy in [ApprovalPolicy::Never, ApprovalPolicy::OnRequest] {
        let codex = stage.builder().approval_policy(policy).approvals(nobody).build().await.unwrap();
        assert_eq!(codex.evaluate(&says("[question]"), &Session::new()).await.unwrap().text, "Asked.");
        assert_eq!(stage.told_last(), r#""{\"answers\":{}}""#, "{policy:?}");
        codex.close().await;
    }
    stage.leave().await;
}

async fn a_search_of_the_web_is_told(setup: Setup) {
    let stage = setup.play(RULES).await;
    let (codex, session) = (stage.codex().await, Session::new());
    assert_eq!(codex.evaluate(&says("[search]"), &session).await.unwrap().text, "Found.");
    let told: ToolInvoked = session.latest().unwrap();
    assert_eq!((told.name.as_str(), told.result.success), ("codex:web_search", true));
    assert_eq!(told.params, json!({"query": "selvedge denim"}));
    stage.close(codex).await;
}

async fn what_a_server_is_given_is_written_nowhere(setup: Setup) {
    let stage = setup.play(RULES).await;
    let script = stage.work("server.sh");
    fs::write(&script, mcp::SERVER).unwrap();
    let server = json!({"command": "sh", "args": [script], "env": {"SECRET": "very-secret-value"}});
    let builder = stage.builder().data_dir(stage.data()).mcp_server("demo", server);
    let (codex, session) = (builder.build().await.unwrap(), Session::new());
    let prompt = with_section::<()>(Section::markdown("Task", "task", "[both]").tool(lookup()));
    codex.evaluate(&prompt, &session).await.unwrap();
    assert!(stage.last_asked().unwrap().contains("very-secret-value"), "the server had it");
    codex.close().await;
    let journal = fs::read(stage.data().join("journal.db")).unwrap();
    assert!(!journal.windows(17).any(|part| part == b"very-secret-value"));
    assert!(!session.snapshot_all().to_json().unwrap().contains("very-secret-value"));
    stage.close(codex).await;
}
