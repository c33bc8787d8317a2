//! What a session switches on and off: tools of Codex's own, MCP servers, instructions. The model's request says what it has.

use std::fs;

use selvedge_client::{AppServer, Introduction, Launch};
use selvedge_rehearsal::mcp;
use selvedge_runtime::{
    Message, NewSession, Patch, SessionHandle,
    session::{Code, What},
};
use serde_json::{Value, json};

use crate::{
    setup::{Setup, on_both, on_the_real},
    stage::{Stage, say},
    watch::{Watch, history, warnings},
};

on_both!(
    other_instructions_begin_a_new_thread,
    other_instructions_wait_for_the_running_turn,
    the_same_instructions_change_nothing,
);

on_the_real!(
    each_tool_of_codexs_own_is_switched_off_and_on,
    looking_at_images_is_switched_off_and_on,
    a_switch_without_effect_is_told_once,
    a_server_is_switched_off_and_on_in_one_session,
    a_server_of_codexs_own_configuration_is_switched_off_for_one_session,
    a_server_is_added_and_started_again,
    a_switch_waits_for_the_running_turn,
    a_switch_that_was_cut_in_the_middle_is_made,
);

/// The names of the tools that the model was offered last.
fn offered(stage: &Stage) -> Vec<String> {
    let request = stage.asked().pop().unwrap();
    let tools = request["tools"].as_array().cloned().unwrap_or_default();
    let name = |tool: &Value| tool["name"].as_str().or(tool["type"].as_str()).unwrap_or_default().to_owned();
    tools.iter().map(name).collect()
}

async fn switched(stage: &Stage, config: Value) -> SessionHandle {
    stage.session_with(|settings| settings.config = config.as_object().cloned().unwrap()).await
}

/// A switch, its settings for off and on, and a tool that is there or not. Sub-agents are found by searching in 0.166.
fn switches() -> Vec<(Value, Value, &'static [&'static str])> {
    let on_off = |key: &str| (json!({ key: false }), json!({ key: true }));
    let (shell, agents) = (on_off("features.shell_tool"), on_off("features.multi_agent"));
    vec![
        (shell.0, shell.1, &["exec_command"]),
        (json!({"web_search": "disabled"}), json!({"web_search": "live"}), &["web_search"]),
        (agents.0, agents.1, &["spawn_agent", "tool_search"]),
    ]
}

async fn each_tool_of_codexs_own_is_switched_off_and_on(setup: Setup) {
    let stage = setup.open().await;
    try_each(&stage, switches()).await;
    stage.close().await;
}

async fn looking_at_images_is_switched_off_and_on(setup: Setup) {
    let stage = setup.open().await;
    // In a word of an older version, too.
    let words = ["features.view_image", "tools.view_image"];
    let switches =
        words.map(|word| (json!({ word: false }), json!({ word: true }), ["view_image"].as_slice()));
    try_each(&stage, switches.to_vec()).await;
    stage.close().await;
}

async fn try_each(stage: &Stage, switches: Vec<(Value, Value, &[&str])>) {
    for (off, on, tools) in switches {
        for (config, wanted) in [(on, true), (off, false)] {
            let session = switched(stage, config.clone()).await;
            say(&session, "[stream]").await;
            let offered = offered(stage);
            assert_eq!(
                tools.iter().any(|tool| offered.contains(&(*tool).to_owned())),
                wanted,
                "{config}: {offered:?}"
            );
            assert_eq!(warnings(&session).await, Vec::<String>::new(), "{config}");
        }
    }
}

async fn a_switch_without_effect_is_told_once(setup: Setup) {
    let stage = setup.open().await;
    let session = switched(&stage, json!({"features.apply_patch_freeform": false})).await;
    for _ in 0..2 {
        say(&session, "[stream]").await;
        assert_eq!(warnings(&session).await, ["switch_without_effect"]);
    }
    let told = history(&session).await.into_iter().find_map(|event| match event.what {
        What::SessionWarning(it) => Some(it),
        _ => None,
    });
    let told = told.unwrap();
    assert!(told.message.contains("apply_patch_freeform") && told.hint.is_some(), "{told:?}");
    stage.close().await;
}

/// A session with a server of its own, as it is made.
fn with_server(stage: &Stage) -> NewSession {
    let mut new = stage.new_session();
    new.mcp_servers.insert("demo".into(), server(stage));
    new
}

fn server(stage: &Stage) -> Value {
    let script = stage.directory.path().join("server.sh");
    fs::write(&script, mcp::SERVER).unwrap();
    json!({"command": "sh", "args": [script]})
}

/// Whether the model was told of a server: by its tools, or among the sources in which 0.166 lets it search.
fn hears_of(stage: &Stage, server: &str) -> bool {
    let request = stage.asked().pop().unwrap();
    let tools = request["tools"].to_string();
    tools.contains(&format!("mcp__{server}")) || tools.contains(&format!("\\n- {server}\\n"))
}

async fn a_server_is_switched_off_and_on_in_one_session(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.runtime.create(with_server(&stage)).await.unwrap();
    let other = stage.runtime.create(with_server(&stage)).await.unwrap();
    say(&other, "[stream]").await;
    say(&session, "[stream] the first").await;
    assert!(hears_of(&stage, "demo"));
    let thread = session.summary().await.unwrap().thread_id;
    for enabled in [false, true] {
        session.switch_mcp_server("demo", enabled).await.unwrap();
        say(&session, "[stream]").await;
        assert_eq!(hears_of(&stage, "demo"), enabled);
        assert!(stage.last_asked().contains("the first"), "it is the same conversation");
        say(&other, "[stream]").await;
        assert!(hears_of(&stage, "demo"), "and the other session's server is its own");
    }
    assert_eq!(session.summary().await.unwrap().thread_id, thread);
    let unknown = session.switch_mcp_server("nobody", false).await.unwrap_err();
    assert_eq!(unknown.code, Code::NotFound);
    session.switch_mcp_server("demo", false).await.unwrap();
    let stage = stage.again().await;
    let session = stage.found(&session).await;
    say(&session, "[stream]").await;
    assert!(!hears_of(&stage, "demo"), "it stays off after a rest");
    assert_eq!(warnings(&session).await, Vec::<String>::new());
    stage.close().await;
}

async fn a_server_of_codexs_own_configuration_is_switched_off_for_one_session(setup: Setup) {
    let stage = setup.open().await;
    let config = stage.directory.path().join("home/config.toml");
    let (command, before) = (server(&stage), fs::read_to_string(&config).unwrap());
    fs::write(
        &config,
        format!("{before}mcp_servers.house.command = \"sh\"\nmcp_servers.house.args = {}\n", command["args"]),
    )
    .unwrap();
    let (session, other) = (stage.session().await, stage.session().await);
    for session in [&session, &other] {
        say(session, "[stream]").await;
        assert!(hears_of(&stage, "house"));
    }
    session.switch_mcp_server("house", false).await.unwrap();
    say(&session, "[stream]").await;
    assert!(!hears_of(&stage, "house"));
    say(&other, "[stream]").await;
    assert!(hears_of(&stage, "house"));
    let after = fs::read_to_string(&config).unwrap();
    assert_eq!(after.matches("house").count(), 2, "the user's file says of it what it said: {after}");
    stage.close().await;
}

async fn a_server_is_added_and_started_again(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    say(&session, "[stream] the first").await;
    assert!(!hears_of(&stage, "demo"));
    let started = stage.directory.path().join("started");
    let script = stage.directory.path().join("counted.sh");
    fs::write(&script, format!("echo x >> '{}'\n{}", started.display(), mcp::SERVER)).unwrap();
    let servers =
        json!({"demo": {"command": "sh", "args": [script], "env": {"KEY": "a-secret-of-the-server"}}});
    session.add_mcp_servers(servers.as_object().cloned().unwrap()).await.unwrap();
    say(&session, "[stream]").await;
    assert!(hears_of(&stage, "demo") && stage.last_asked().contains("the first"));
    let starts = || fs::read_to_string(&started).unwrap_or_default().lines().count();
    let before = starts();
    session.restart_mcp_servers().await.unwrap();
    say(&session, "[stream]").await;
    assert!(hears_of(&stage, "demo") && starts() > before);
    let journaled: Vec<_> =
        history(&session).await.iter().map(|event| serde_json::to_string(event).unwrap()).collect();
    assert!(journaled.iter().any(|event| event.contains("demo")));
    assert!(!journaled.iter().any(|event| event.contains("a-secret-of-the-server")));
    stage.close().await;
}

async fn a_switch_waits_for_the_running_turn(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.runtime.create(with_server(&stage)).await.unwrap();
    let mut watch = Watch::of(&session).await;
    let slow = session.send(Message::text("[hang]")).await.unwrap();
    watch.named("turn.started").await;
    session.switch_mcp_server("demo", false).await.unwrap();
    let next = session.send(Message::text("[stream]")).await.unwrap();
    session.interrupt(false).await.unwrap();
    watch.finished(slow.message_id).await;
    assert_eq!(watch.finished(next.message_id).await.status, selvedge_runtime::session::Status::Completed);
    assert!(!hears_of(&stage, "demo"));
    stage.close().await;
}

async fn a_switch_that_was_cut_in_the_middle_is_made(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.runtime.create(with_server(&stage)).await.unwrap();
    say(&session, "[stream] the first").await;
    let thread = session.summary().await.unwrap().thread_id.unwrap();
    let stage = stage.again().await;
    let session = stage.found(&session).await;
    session.switch_mcp_server("demo", false).await.unwrap();
    stage.runtime.shut_down().await;
    // As if we had been killed after it was put away, and before it was taken out.
    let home = stage.directory.path().join("home");
    let launch = Launch::program(stage.config.codex.clone().unwrap()).codex_home(&home);
    let AppServer { client, inbox: _inbox, process } = AppServer::spawn(launch).unwrap();
    client.initialize(&Introduction::new("somebody", "1")).await.unwrap();
    client.request("thread/archive", &json!({"threadId": thread})).await.unwrap();
    process.shut_down().await;
    let stage = stage.after_a_crash().await;
    let session = stage.found(&session).await;
    say(&session, "[stream] the second").await;
    assert!(!hears_of(&stage, "demo") && stage.last_asked().contains("the first"));
    assert_eq!(warnings(&session).await, Vec::<String>::new());
    stage.close().await;
}

fn words(text: &str) -> Patch {
    Patch { base_instructions: Some(text.into()), ..Patch::default() }
}

async fn other_instructions_begin_a_new_thread(setup: Setup) {
    let stage = setup.open().await;
    let session = stage
        .session_with(|settings| settings.base_instructions = Some("You are a lighthouse.".into()))
        .await;
    say(&session, "[stream] the first").await;
    let old = session.summary().await.unwrap().thread_id.unwrap();
    session.update(words("You are a ship.")).await.unwrap();
    assert_eq!(warnings(&session).await, ["new_thread"]);
    say(&session, "[stream] the second").await;
    let new = session.summary().await.unwrap().thread_id.unwrap();
    assert_ne!(new, old);
    if stage.is_real() {
        let asked = stage.last_asked();
        assert!(asked.contains("You are a ship.") && !asked.contains("You are a lighthouse."));
        assert!(!asked.contains("the first"), "the new thread knows nothing of the old one");
    }
    // A rest later it is still the new one; and the old one can be gone on with.
    let stage = stage.again().await;
    let session = stage.found(&session).await;
    say(&session, "[stream] the third").await;
    assert_eq!(session.summary().await.unwrap().thread_id.as_ref(), Some(&new));
    let adopted = stage.session_with(|settings| settings.thread_id = Some(old.clone())).await;
    say(&adopted, "[stream] the fourth").await;
    assert_eq!(adopted.summary().await.unwrap().thread_id, Some(old.clone()));
    if stage.is_real() {
        assert!(stage.last_asked().contains("the first"));
    }
    assert_eq!(warnings(&session).await, ["new_thread"], "once");
    assert_eq!(warnings(&adopted).await, Vec::<String>::new());
    stage.close().await;
}

async fn other_instructions_wait_for_the_running_turn(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    let slow = session.send(Message::text("[hang]")).await.unwrap();
    watch.named("turn.started").await;
    let old = session.summary().await.unwrap().thread_id.unwrap();
    session.update(words("You are a ship.")).await.unwrap();
    assert_eq!(warnings(&session).await, Vec::<String>::new(), "the turn goes on as it began");
    let next = session.send(Message::text("[stream]")).await.unwrap();
    session.interrupt(false).await.unwrap();
    watch.finished(slow.message_id).await;
    watch.finished(next.message_id).await;
    assert_eq!(warnings(&session).await, ["new_thread"]);
    assert_ne!(session.summary().await.unwrap().thread_id, Some(old));
    stage.close().await;
}

async fn the_same_instructions_change_nothing(setup: Setup) {
    let stage = setup.open().await;
    let session =
        stage.session_with(|settings| settings.base_instructions = Some("You are a ship.".into())).await;
    session.update(words("You are a lighthouse.")).await.unwrap();
    say(&session, "[stream]").await;
    assert_eq!(warnings(&session).await, Vec::<String>::new(), "there was no thread yet");
    let thread = session.summary().await.unwrap().thread_id;
    session.update(words("You are a lighthouse.")).await.unwrap();
    say(&session, "[stream]").await;
    assert_eq!(session.summary().await.unwrap().thread_id, thread);
    assert_eq!(warnings(&session).await, Vec::<String>::new());
    stage.close().await;
}
