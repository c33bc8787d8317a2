//! Bare sessions: nothing of what their user wrote for all of them reaches the model, and the login is the same.

use std::{fs, path::PathBuf};

use selvedge_rehearsal::model::CodexSettings;
use selvedge_runtime::{
    Fork, Message, MessageState, NewSession, SessionHandle,
    session::{Code, Settings},
};

use crate::{
    setup::{Setup, on_both, on_the_real},
    stage::{Stage, say},
    watch::Watch,
};

on_both!(a_bare_session_without_a_directory_has_one_of_its_own, only_a_bare_session_needs_no_directory,);

on_the_real!(
    a_bare_session_hears_nothing_of_what_its_user_wrote,
    a_bare_session_uses_no_skill_that_a_message_names,
    a_bare_session_is_logged_in_as_its_user_is,
    a_bare_threads_history_is_where_all_are,
    a_bare_turn_goes_on_while_nobody_is_there,
);

/// What a user may have written: in Codex's directory, and where the agent works.
fn write_down(stage: &Stage) {
    let home = stage.directory.path().join("home");
    fs::write(home.join("AGENTS.md"), "Always speak Latin.").unwrap();
    fs::write(stage.work("AGENTS.md"), "Always speak Greek.").unwrap();
    for (place, name) in [(home, "latin"), (stage.work(".agents"), "greek")] {
        let skill = place.join("skills").join(name);
        fs::create_dir_all(&skill).unwrap();
        let text = format!("---\nname: {name}\ndescription: How {name} is spoken.\n---\nThe body of {name}.");
        fs::write(skill.join("SKILL.md"), text).unwrap();
    }
}

/// What of it the model was told last.
fn told(stage: &Stage) -> Vec<&'static str> {
    let marks = [
        "Always speak Latin.",
        "Always speak Greek.",
        "How latin is spoken.",
        "How greek is spoken.",
        "The body of latin.",
        "The body of greek.",
    ];
    let asked = stage.last_asked();
    marks.into_iter().filter(|mark| asked.contains(mark)).collect()
}

async fn bare(stage: &Stage) -> SessionHandle {
    stage.session_with(|settings| settings.bare = true).await
}

/// The homes of bare sessions that there are.
fn homes(stage: &Stage) -> Vec<PathBuf> {
    let found = fs::read_dir(stage.config.data_dir.join("bare")).into_iter().flatten().flatten();
    found.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}

async fn a_bare_session_hears_nothing_of_what_its_user_wrote(setup: Setup) {
    let stage = setup.open().await;
    fs::write(stage.directory.path().join("home/AGENTS.md"), "Always speak Latin.").unwrap();
    fs::write(stage.work("AGENTS.md"), "Always speak Greek.").unwrap();
    let usual = stage.session().await;
    say(&usual, "[stream]").await;
    assert_eq!(told(&stage), ["Always speak Latin.", "Always speak Greek."]);
    for _ in 0..2 {
        say(&bare(&stage).await, "[stream]").await;
        assert!(told(&stage).is_empty(), "{:?}", told(&stage));
    }
    assert_eq!(homes(&stage).len(), 1, "one for all of them");
    let data = stage.config.data_dir.clone();
    stage.runtime.shut_down().await;
    assert_eq!(homes(&stage), Vec::<PathBuf>::new(), "it goes with the program: {data:?}");
    stage.close().await;
}

async fn a_bare_session_uses_no_skill_that_a_message_names(setup: Setup) {
    let stage = setup.open().await;
    write_down(&stage);
    let usual = stage.session().await;
    say(&usual, "[stream] with $latin and $greek").await;
    assert_eq!(told(&stage).len(), 6, "{:?}", told(&stage));
    say(&bare(&stage).await, "[stream] with $latin and $greek").await;
    assert!(told(&stage).is_empty(), "{:?}", told(&stage));
    stage.close().await;
}

async fn a_bare_session_is_logged_in_as_its_user_is(setup: Setup) {
    let asks = CodexSettings::default().with("model_providers.rehearsal.requires_openai_auth", "true");
    let stage = setup.codex(asks).open().await;
    let login = stage.directory.path().join("home/auth.json");
    for key in ["sk-of-the-first-login", "sk-of-the-second-login"] {
        fs::write(&login, format!(r#"{{"auth_mode": "apikey", "OPENAI_API_KEY": "{key}"}}"#)).unwrap();
        // Which login holds is read when an app-server starts.
        let session = stage
            .session_with(|settings| {
                settings.bare = true;
                settings.isolation = selvedge_runtime::session::Isolation::Isolated;
            })
            .await;
        assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed);
        let requests = stage.model.as_ref().unwrap().requests();
        assert_eq!(requests.last().unwrap().authorization.as_deref(), Some(format!("Bearer {key}").as_str()));
    }
    stage.close().await;
}

async fn a_bare_threads_history_is_where_all_are(setup: Setup) {
    let stage = setup.open().await;
    write_down(&stage);
    let session = bare(&stage).await;
    say(&session, "[stream] the first").await;
    let stage = stage.again().await;
    let session = stage.found(&session).await;
    say(&session, "[stream] the second").await;
    assert!(stage.last_asked().contains("the first"), "after a rest, in a home that was made anew");
    let stage = stage.again().await;
    let thread = stage.found(&session).await.summary().await.unwrap().thread_id;
    let usual = stage.session_with(|settings| settings.thread_id = thread).await;
    say(&usual, "[stream] the third").await;
    let asked = stage.last_asked();
    assert!(
        asked.contains("the first") && asked.contains("the second"),
        "and for a session that is not bare"
    );
    stage.close().await;
}

async fn a_bare_turn_goes_on_while_nobody_is_there(setup: Setup) {
    let stage = setup.behind_relays().open().await;
    let session = bare(&stage).await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[stream] the first")).await.unwrap();
    watch.named("item.delta").await;
    let stage = stage.after_leaving().await;
    assert_eq!(homes(&stage).len(), 1, "it stays for the app-server that stays");
    let session = stage.found(&session).await;
    assert_eq!(session.finished(sent.message_id).await.unwrap().state, MessageState::Completed);
    say(&session, "[stream] the second").await;
    assert!(stage.last_asked().contains("the first"));
    assert_eq!(homes(&stage).len(), 1, "and the next program uses it too");
    stage.runtime.shut_down().await;
    assert_eq!(homes(&stage), Vec::<PathBuf>::new());
    stage.close().await;
}

async fn a_bare_session_without_a_directory_has_one_of_its_own(setup: Setup) {
    let stage = setup.open().await;
    let settings = Settings { bare: true, ..Settings::default() };
    let session = stage.runtime.create(NewSession { settings, ..NewSession::default() }).await.unwrap();
    let place = |settings: &Settings| PathBuf::from(&settings.cwd);
    let own = place(&session.settings().await.unwrap());
    assert!(own.is_dir() && own.starts_with(&stage.config.data_dir), "{own:?}");
    say(&session, "[stream]").await;
    assert_eq!(fs::read_dir(&own).unwrap().count(), 0, "it is empty");
    let fork = session.fork(Fork::default()).await.unwrap();
    let other = place(&fork.settings().await.unwrap());
    assert!(other.is_dir() && other != own, "a fork has its own");
    say(&fork, "[stream]").await;
    fs::write(own.join("note.txt"), "of the session").unwrap();
    session.remove().await.unwrap();
    assert!(!own.exists() && other.is_dir(), "it goes with its session, and with no other");
    if stage.is_real() {
        let config = fs::read_to_string(stage.directory.path().join("home/config.toml")).unwrap();
        assert!(!config.contains("workplaces"), "nothing of it stays in the user's configuration: {config}");
    }
    stage.close().await;
}

async fn only_a_bare_session_needs_no_directory(setup: Setup) {
    let stage = setup.open().await;
    let refused = stage.runtime.create(NewSession::default()).await.map(|_| ()).unwrap_err();
    assert_eq!(refused.code, Code::InvalidArgument);
    assert!(!stage.config.data_dir.join("workplaces").exists());
    stage.close().await;
}
