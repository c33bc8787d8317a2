//! Threads and turns of a session's settings, and answers to what Codex asks, as the real Codex takes them.

use std::{fs, sync::Arc};

use selvedge_client::{AppServer, CallError};
use selvedge_protocol::{calls, say::ModeKind};
use selvedge_runtime::to_codex::{
    self, ForkOf, Refused, Said, ThreadExtras, ThreadNow, ToAnswer, TurnStart, refused,
};
use selvedge_session::{
    ApprovalPolicy, InputPart, Json, Options, PermissionMode, Sandbox, Settings, ToolSpec,
    data::{ApprovalKind, Decision},
};
use serde_json::{Value, json};

use crate::stage::{Stage, fresh, said};

impl Stage {
    pub(crate) fn settings(&self) -> Settings {
        Settings { cwd: self.workspace.display().to_string(), ..Settings::default() }
    }

    /// Starts a thread with these settings; its id, and what is known of it.
    pub(crate) async fn thread_of(&self, settings: &Settings, extras: &ThreadExtras) -> (String, ThreadNow) {
        let Said { params, .. } = to_codex::thread_start(settings, extras);
        let answer = self.client.call::<calls::ThreadStart>(&params).await.expect("a thread");
        let reply = answer.read().unwrap();
        let now = ThreadNow::of_reply(answer.reply().result(), extras.can.clone());
        (reply.thread().unwrap().id.into_owned(), now)
    }

    /// The last request to the model, as text.
    pub(crate) fn last_request(&self) -> String {
        let requests = self.model.requests();
        String::from_utf8_lossy(&requests.last().expect("a request").body).into_owned()
    }

    /// What the model was last told that a tool gave.
    pub(crate) fn last_output(&self) -> String {
        let request: Value = serde_json::from_str(&self.last_request()).unwrap();
        let items = request["input"].as_array().expect("input").iter();
        let output = items.rev().find(|item| item["type"] == "function_call_output").expect("an output");
        output["output"].as_str().map_or_else(|| output["output"].to_string(), str::to_owned)
    }

    /// The next request of Codex's is answered, once it is of this kind.
    pub(crate) async fn decide(&mut self, kind: ApprovalKind, decision: Decision, content: Value) {
        let (id, request) = self.next_ask().await;
        let (content, request) = (Json::from(content), Json::from(request));
        let it = ToAnswer { kind, decision, content: Some(&content), request: &request };
        self.client.answer(&id, &to_codex::answer(&it)).expect("an answer");
    }
}

#[tokio::test]
async fn a_session_of_untrusted_commands_asks_and_does_what_was_decided() {
    let mut stage = Stage::open().await;
    let settings = Settings { permission_mode: Some(PermissionMode::Default), ..stage.settings() };
    let settings = Settings { sandbox: Some(Sandbox::WorkspaceWrite), ..settings };
    let (thread, _) = stage.thread_of(&settings, &ThreadExtras::default()).await;
    let file = stage.workspace.join("judged.txt");
    for (decision, there) in [(Decision::Decline, false), (Decision::Accept, true)] {
        stage.turn(&thread, fresh(), "[patch]").await;
        stage.decide(ApprovalKind::FileChange, decision, json!(null)).await;
        stage.until_method("turn/completed").await;
        assert_eq!(file.exists(), there);
    }
    stage.turn(&thread, fresh(), "[approve]").await;
    stage.decide(ApprovalKind::Command, Decision::Accept, json!({"amendment": ["echo", "approved"]})).await;
    stage.until_method("turn/completed").await;
    assert!(stage.workspace.join("approved.txt").exists());
    let rules = fs::read_dir(stage.home.join("rules")).expect("rules").flatten();
    let rules: String = rules.filter_map(|rule| fs::read_to_string(rule.path()).ok()).collect();
    assert!(rules.contains(r#"["echo", "approved"]"#), "{rules}");
    stage.close().await;
}

#[tokio::test]
async fn a_session_has_its_tools_and_they_come_back_with_its_thread() {
    let mut stage = Stage::open().await;
    let lookup = ToolSpec {
        name: "lookup".to_owned(),
        description: "Looks something up.".to_owned(),
        input_schema: Json::from(json!({"type": "object", "properties": {"id": {"type": "string"}}})),
        timeout_seconds: None,
    };
    let settings = Settings { tools: vec![lookup], ..stage.settings() };
    let (mut thread, _) = stage.thread_of(&settings, &ThreadExtras::default()).await;
    for _ in 0..2 {
        stage.turn(&thread, fresh(), "[tool]").await;
        let (id, _) = stage.next_ask().await;
        let content = Json::from(json!([{"type": "text", "text": "about A"}]));
        stage.client.answer(&id, &to_codex::tool(true, &content)).expect("an answer");
        stage.until_method("turn/completed").await;
        assert!(stage.last_request().contains("about A"));
        stage.kill_and_start_again().await;
        let extras = ThreadExtras::default();
        let params = to_codex::thread_resume(&thread, &settings, &extras).params;
        stage.client.call::<calls::ThreadResume>(&params).await.expect("the thread again");
        let fork = ForkOf { thread_id: &thread, turn_id: None };
        let params = to_codex::thread_fork(fork, &settings, &extras).params;
        let fork = stage.client.call::<calls::ThreadFork>(&params).await.expect("a fork");
        thread = fork.read().unwrap().thread().unwrap().id.into_owned();
    }
    stage.close().await;
}

#[tokio::test]
async fn a_fork_knows_the_turns_up_to_the_one_named() {
    let mut stage = Stage::open().await;
    let settings = stage.settings();
    let (thread, _) = stage.thread_of(&settings, &ThreadExtras::default()).await;
    let (first, _) = stage.play(&thread, "[stream] the first").await;
    stage.play(&thread, "[stream] the second").await;
    let fork = ForkOf { thread_id: &thread, turn_id: Some(&first) };
    let params = to_codex::thread_fork(fork, &settings, &ThreadExtras::default()).params;
    let fork = stage.client.call::<calls::ThreadFork>(&params).await.expect("a fork");
    let fork = fork.read().unwrap().thread().unwrap().id.into_owned();
    stage.play(&fork, "[stream] the third").await;
    let asked = stage.last_request();
    assert!(asked.contains("the first") && asked.contains("the third") && !asked.contains("the second"));
    stage.close().await;
}

#[tokio::test]
async fn a_bare_session_sees_neither_the_projects_agents_file_nor_skills() {
    let mut stage = Stage::open().await;
    fs::write(stage.workspace.join("AGENTS.md"), "project-agents").unwrap();
    let skill = stage.home.join("skills/one");
    fs::create_dir_all(&skill).unwrap();
    fs::write(skill.join("SKILL.md"), "---\nname: one\ndescription: skill-one\n---\nbody").unwrap();
    for bare in [false, true] {
        let settings = Settings { bare, ..stage.settings() };
        let (thread, _) = stage.thread_of(&settings, &ThreadExtras::default()).await;
        stage.play(&thread, "[stream]").await;
        let asked = stage.last_request();
        assert_eq!(asked.contains("project-agents"), !bare);
        assert_eq!(asked.contains("skill-one"), !bare);
    }
    stage.close().await;
}

#[tokio::test]
async fn a_policy_codex_no_longer_has_is_replaced_and_people_are_told() {
    let stage = Stage::open().await;
    let settings = Settings { approval_policy: Some(ApprovalPolicy::OnFailure), ..stage.settings() };
    assert_eq!(to_codex::thread_start(&settings, &ThreadExtras::default()).warnings.len(), 1);
    stage.thread_of(&settings, &ThreadExtras::default()).await;
    stage.close().await;
}

#[tokio::test]
async fn plan_mode_is_entered_once_and_its_questions_are_answered() {
    let mut stage = Stage::open().await;
    let settings = Settings { permission_mode: Some(PermissionMode::Plan), ..stage.settings() };
    let (thread, mut now) = stage.thread_of(&settings, &ThreadExtras::default()).await;
    let (input, options) = ([InputPart::Text { text: "[ask]".to_owned() }], Options::default());
    let decided = [
        (Decision::Accept, json!({"colour": "Blue"}), r#"{"answers":{"colour":{"answers":["Blue"]}}}"#),
        (Decision::Decline, json!(null), r#"{"answers":{}}"#),
    ];
    for (decision, answer, output) in decided {
        let start = TurnStart {
            thread_id: &thread,
            message_id: fresh(),
            input: &input,
            options: &options,
            after: None,
            settings: &settings,
            now: &now,
        };
        let params = to_codex::turn_start(&start, &|_| unreachable!("no picture"));
        let changes = now.mode != Some(ModeKind::Plan);
        assert_eq!(params.collaboration_mode.is_some(), changes, "only when it changes");
        stage.client.call::<calls::TurnStart>(&params).await.expect("a turn");
        stage.decide(ApprovalKind::UserInput, decision, answer).await;
        stage.until_method("turn/completed").await;
        assert_eq!(stage.last_output(), output);
        // The mode outlives its process, and Codex says so.
        stage.kill_and_start_again().await;
        let params = to_codex::thread_resume(&thread, &settings, &ThreadExtras::default()).params;
        let answer = stage.client.call::<calls::ThreadResume>(&params).await.expect("the thread again");
        now = ThreadNow::of_reply(answer.reply().result(), Arc::default());
        assert_eq!(now.mode, Some(ModeKind::Plan));
    }
    stage.close().await;
}

#[tokio::test]
async fn refusals_of_the_real_codex_are_understood() {
    let mut stage = Stage::open().await;
    let settings = stage.settings();
    let extras = ThreadExtras::default();
    let (thread, _) = stage.thread_of(&settings, &ThreadExtras::default()).await;
    let nowhere = "019a0000-0000-7000-8000-000000000000";
    let meant = |error: Result<(), CallError>| refused(&error.expect_err("a refusal"));
    let resume = |thread: &str| to_codex::thread_resume(thread, &settings, &extras).params;
    let gone = stage.client.call::<calls::ThreadResume>(&resume(nowhere)).await.map(drop);
    assert_eq!(meant(gone), Some(Refused::ThreadGone));
    let gone = stage.client.call::<calls::TurnStart>(&said(nowhere, fresh(), "x")).await.map(drop);
    assert_eq!(meant(gone), Some(Refused::ThreadGone));
    let interrupt = to_codex::turn_interrupt(&thread, nowhere);
    let idle = stage.client.call::<calls::TurnInterrupt>(&interrupt).await.map(drop);
    assert_eq!(meant(idle), Some(Refused::TurnNotStarted));
    let input = [InputPart::Text { text: "x".to_owned() }];
    let steer = to_codex::Steer { thread_id: &thread, turn_id: nowhere, message_id: None, input: &input };
    let steer = to_codex::turn_steer(&steer, &|_| unreachable!("no picture"));
    let idle = stage.client.call::<calls::TurnSteer>(&steer).await.map(drop);
    assert_eq!(meant(idle), Some(Refused::NoActiveTurn));
    stage.play(&thread, "[stream]").await;
    let AppServer { client, inbox: _inbox, process } = stage.another().await;
    let locked = client.call::<calls::ThreadResume>(&resume(&thread)).await.map(drop);
    assert_eq!(meant(locked), Some(Refused::WriterLocked));
    process.shut_down().await;
    stage.client.call::<calls::ThreadArchive>(&to_codex::archive(&thread)).await.expect("put away");
    let away = stage.client.call::<calls::ThreadResume>(&resume(&thread)).await.map(drop);
    assert_eq!(meant(away), Some(Refused::Archived));
    stage.client.call::<calls::ThreadUnarchive>(&to_codex::unarchive(&thread)).await.expect("taken out");
    stage.client.call::<calls::ThreadResume>(&resume(&thread)).await.expect("loaded");
    stage.close().await;
}
