//! A tool in each language: it is called, answers, and goes on when its connection broke.

use serde_json::{Value, json};

use crate::{
    breaking_line::BreakingLine,
    door::{Door, TOKEN},
    on_both,
    program::Program,
    support::stage::{Stage, in_time},
};

on_both!(
    python_answers,
    typescript_answers,
    python_goes_on_when_its_connection_broke,
    typescript_goes_on_when_its_connection_broke,
);

async fn python_answers(stage: Stage) {
    if let Some(program) = Program::python().await {
        answers(&stage, &program).await;
    }
    stage.close().await;
}

async fn typescript_answers(stage: Stage) {
    answers(&stage, &Program::typescript().await).await;
    stage.close().await;
}

async fn python_goes_on_when_its_connection_broke(stage: Stage) {
    if let Some(program) = Program::python().await {
        goes_on(&stage, &program).await;
    }
    stage.close().await;
}

async fn typescript_goes_on_when_its_connection_broke(stage: Stage) {
    goes_on(&stage, &Program::typescript().await).await;
    stage.close().await;
}

async fn answers(stage: &Stage, program: &Program) {
    let door = Door::open(stage).await;
    let ended = program.run(&stage.work(""), (&door.url(), TOKEN), &["[tool]"]).await;
    assert!(ended.status.success(), "{ended:?}");
    assert_eq!(String::from_utf8(ended.stdout).unwrap(), "Looked up.\n");
    assert!(!String::from_utf8(ended.stderr).unwrap().contains("trying again"));
    looked_up(&events(stage).await);
    let stranger = program.run(&stage.work(""), (&door.url(), "somebody-else"), &["[tool]"]).await;
    assert_eq!(stranger.status.code(), Some(1), "{stranger:?}");
    let said = String::from_utf8(stranger.stderr).unwrap();
    assert!(said.starts_with("nobody has this token\nhint: "), "{said}");
}

async fn goes_on(stage: &Stage, program: &Program) {
    let door = Door::open(stage).await;
    let line = BreakingLine::lay(door.address, "event: tool.requested").await;
    let ended = program.run(&stage.work(""), (&line.url(), TOKEN), &["[tool]"]).await;
    assert!(ended.status.success(), "{ended:?}");
    assert_eq!(String::from_utf8(ended.stdout).unwrap(), "Looked up.\n");
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(line.has_broken() && said.contains("trying again"), "{said}");
    let events = events(stage).await;
    looked_up(&events);
    let called = events.iter().find(|event| event["type"] == "tool.requested").unwrap();
    let before = called["seq"].as_u64().unwrap() - 1;
    assert_eq!(line.headers("last-event-id"), ["0".to_owned(), before.to_string()]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_demonstration_has_an_answer_for_them() {
    in_time(async {
        let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/demo.toml");
        let stage = Stage::playing(&std::fs::read_to_string(demo).unwrap()).await;
        let door = Door::open(&stage).await;
        for program in [Program::python().await, Some(Program::typescript().await)].into_iter().flatten() {
            let ended = program.run(&stage.work(""), (&door.url(), TOKEN), &[]).await;
            let said = String::from_utf8(ended.stdout).unwrap();
            assert!(said.contains("your tool"), "{said}");
            looked_up(&events(&stage).await);
        }
        stage.close().await;
    })
    .await;
}

/// What happened in the newest session.
async fn events(stage: &Stage) -> Vec<Value> {
    let list = stage.http.get("/v1/sessions").await.expect(200);
    let id = list["items"].as_array().unwrap().last().unwrap()["id"].as_str().unwrap().to_owned();
    let page = stage.http.get(&format!("/v1/sessions/{id}/events")).await.expect(200);
    page["events"].as_array().unwrap().clone()
}

/// The agent called the tool once, and got what it said.
fn looked_up(events: &[Value]) {
    let named = |name: &str| events.iter().filter(|event| event["type"] == name).collect::<Vec<_>>();
    let ([called], [resolved]) = (&named("tool.requested")[..], &named("tool.resolved")[..]) else {
        panic!("{events:#?}")
    };
    assert_eq!(
        (&called["data"]["tool"], &called["data"]["arguments"]),
        (&json!("lookup"), &json!({"id": "A"}))
    );
    assert_eq!(resolved["data"]["success"], true);
    let text = "There are 3 of article A.";
    assert_eq!(resolved["data"]["content"], json!([{"type": "text", "text": text}]));
}
