//! Approvals: who decides about what Codex asks.

use std::sync::{Arc, Mutex};

use selvedge_agent::{
    Approval, ApprovalKind, ApprovalPolicy, ApprovalRequest, Sandbox, Session, ToolFailure, ToolInvoked,
};

use crate::{
    stage::{Setup, on_both},
    support::{invoked, says},
};

on_both!(
    a_program_decides,
    a_program_that_panics_has_not_said_yes,
    without_anybody_on_request_is_declined,
    never_asks_nobody,
);

async fn a_program_decides(setup: Setup) {
    let stage = setup.play("").await;
    let asked = Arc::new(Mutex::new(Vec::new()));
    let heard = asked.clone();
    let builder = stage.builder().sandbox(Sandbox::WorkspaceWrite).approval_policy(ApprovalPolicy::OnRequest);
    let decide = move |asked: ApprovalRequest| {
        heard.lock().unwrap().push(asked);
        async { Approval::Accept }
    };
    let (codex, session) = (builder.approvals(decide).build().await.unwrap(), Session::new());
    let reply = codex.evaluate(&says("[approve]"), &session).await.unwrap();
    assert_eq!(reply.text, "The command was decided.");
    assert_eq!(invoked(&session), [("codex:command".into(), true)]);
    {
        let asked = asked.lock().unwrap();
        let [asked] = &asked[..] else { panic!("asked once: {asked:?}") };
        assert_eq!((asked.kind, asked.reason()), (ApprovalKind::Command, Some("May I write approved.txt?")));
        assert!(asked.command().unwrap().contains("approved.txt"));
    }
    stage.close(codex).await;
}

async fn a_program_that_panics_has_not_said_yes(setup: Setup) {
    let stage = setup.play("").await;
    let builder = stage.builder().sandbox(Sandbox::WorkspaceWrite).approval_policy(ApprovalPolicy::OnRequest);
    let builder = builder.approvals(async |_: ApprovalRequest| panic!("nobody is there"));
    declined(stage, builder).await;
}

async fn without_anybody_on_request_is_declined(setup: Setup) {
    let stage = setup.play("").await;
    let builder = stage.builder().sandbox(Sandbox::WorkspaceWrite).approval_policy(ApprovalPolicy::OnRequest);
    declined(stage, builder).await;
}

async fn declined(stage: crate::stage::Stage, builder: selvedge_agent::CodexBuilder) {
    let (codex, session) = (builder.build().await.unwrap(), Session::new());
    let reply = codex.evaluate(&says("[approve]"), &session).await.unwrap();
    assert_eq!(reply.text, "The command was decided.", "the turn goes on");
    assert_eq!(session.latest::<ToolInvoked>().unwrap().result.failure, Some(ToolFailure::Denied));
    assert!(!stage.work("approved.txt").exists());
    stage.close(codex).await;
}

async fn never_asks_nobody(setup: Setup) {
    let stage = setup.play("").await;
    let builder = stage.builder().approvals(async |_: ApprovalRequest| panic!("it is not asked"));
    let (codex, session) = (builder.build().await.unwrap(), Session::new());
    let reply = codex.evaluate(&says("[run]"), &session).await.unwrap();
    assert_eq!(
        (reply.text.as_str(), invoked(&session)),
        ("The command has ended.", vec![("codex:command".into(), true)])
    );
    stage.close(codex).await;
}
