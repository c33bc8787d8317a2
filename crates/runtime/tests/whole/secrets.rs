//! A secret reaches the program that needs it, and nothing that is kept or shown.

use std::{fs, path::Path};

use selvedge_runtime::{
    MessageState,
    session::{ApprovalPolicy, Sandbox},
};

use crate::{
    setup::{Setup, on_both},
    stage::say,
    watch::history,
};

on_both!(a_secret_reaches_its_command_and_no_reader_and_no_file_but_its_own);

const RULE: &str = r#"
[[rule]]
contains = "[whisper]"
step = [
  { do = [ { run = { command = "test \"$API_KEY\" = very-secret-value && echo I know $API_KEY > known.txt; cat known.txt" } } ] },
  { do = [ { say = { text = "Said.", phase = "final_answer" } } ] },
]
"#;

async fn a_secret_reaches_its_command_and_no_reader_and_no_file_but_its_own(setup: Setup) {
    let stage = setup.rules(RULE).open().await;
    let mut new = stage.new_session();
    new.settings.sandbox = Some(Sandbox::DangerFullAccess);
    new.settings.approval_policy = Some(ApprovalPolicy::Never);
    new.env.insert("API_KEY".to_owned(), "very-secret-value".to_owned());
    let session = stage.runtime.create(new).await.unwrap();
    assert_eq!(say(&session, "[whisper]").await.state, MessageState::Completed);
    let told = serde_json::to_string(&history(&session).await).unwrap();
    assert!(!told.contains("very-secret-value"), "{told}");
    assert!(told.contains("API_KEY"), "its name is no secret");
    let known = fs::read_to_string(stage.work("known.txt")).unwrap();
    assert!(known.contains("very-secret-value"), "the command had it");
    let id = session.id();
    stage.runtime.shut_down().await;
    let data = stage.directory.path().join("data");
    let with_it: Vec<_> = files_with(&data, b"very-secret-value");
    assert!(
        with_it.iter().all(|file| file.contains("secrets") && file.contains(&id.to_string())),
        "{with_it:?}"
    );
    assert_eq!(with_it.len(), 1);
    stage.close().await;
}

fn files_with(directory: &Path, text: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_with(&path, text));
        } else if fs::read(&path).is_ok_and(|bytes| bytes.windows(text.len()).any(|part| part == text)) {
            found.push(path.display().to_string());
        }
    }
    found
}
