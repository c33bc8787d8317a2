//! What Codex finds around it: an API key, no user namespaces, or not even itself.

use std::{ffi::OsString, fs, os::unix::fs::PermissionsExt, path::Path};

use selvedge_client::{AppServer, Credentials, Hint, Introduction, Launch};
use selvedge_protocol::{
    calls,
    say::GetAccountParams,
    see::{Account, CommandExecutionStatus, Notification, ThreadItem},
};
use selvedge_rehearsal::model::CodexSettings;

use crate::stage::Stage;

#[tokio::test]
async fn an_api_key_logs_in_and_is_written_nowhere_by_us() {
    let key = "sk-judge-0123456789";
    // Of an account nobody asks, unless the provider wants OpenAI's.
    let settings = CodexSettings::default().with("model_providers.rehearsal.requires_openai_auth", "true");
    let mut stage = Stage::with("login_api_key", settings).await;
    stage.client.login(&Credentials::ApiKey(key.into()), &stage.info).await.expect("a login");
    let completed = |told: &Notification<'_>| matches!(told, Notification::AccountUpdated(_)).then_some(());
    stage.ear.until("word of the new account", completed).await;
    let answer = stage.client.call::<calls::AccountRead>(&GetAccountParams::default()).await.unwrap();
    let account = answer.read().unwrap().account().expect("an account");
    assert!(matches!(account, Account::ApiKey(_)), "{account:?}");
    let kept = fs::metadata(stage.places.home.join("auth.json")).expect("Codex keeps it");
    assert_eq!(kept.permissions().mode() & 0o777, 0o600);
    let transcript = stage.close().await;
    assert!(transcript.contains("account/login/start") && !transcript.contains(key));
}

/// Runs Codex where no user namespace can be made: in one of its own in which their number is limited to none. Where
/// even that one cannot be made, there are none anyway.
fn without_namespaces(mut launch: Launch) -> Launch {
    let script = r#"unshare --user --map-current-user true || exec "$@"
        exec unshare --user --map-root-user sh -c 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"' sh "$@""#;
    let program = std::mem::replace(&mut launch.program, "/bin/sh".into());
    let shell: [OsString; 4] = ["-c".into(), script.into(), "sh".into(), program.into()];
    launch.arguments.splice(0..0, shell);
    launch
}

#[tokio::test]
async fn without_user_namespaces_commands_fail_and_the_turn_does_not() {
    let stage = Stage::launched("no_user_namespace", CodexSettings::default(), without_namespaces);
    let mut stage = stage.await;
    let thread = stage.thread().await;
    let (turn, ended) = stage.play(&thread, "[run]").await;
    assert_eq!(ended.status, "completed");
    let failed = stage.ear.items(&turn).find_map(|item| match item {
        ThreadItem::CommandExecution(command) => Some(command),
        _ => None,
    });
    let failed = failed.expect("a command");
    assert_eq!(failed.status(), Some(CommandExecutionStatus::Failed), "{failed:?}");
    let output = failed.aggregated_output().unwrap_or_default();
    assert!(output.starts_with("bwrap: ") && output.contains("namespace"), "{output}");
    assert_eq!(stage.ear.asks(), 0, "nobody is asked whether it may run outside the sandbox");
    stage.close().await;
}

fn program(directory: &Path, text: &str, mode: u32) -> Launch {
    let path = directory.join("codex");
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    Launch::program(path)
}

#[tokio::test]
async fn a_codex_that_is_missing_or_cannot_run_is_said_with_what_to_do() {
    let directory = tempfile::tempdir().unwrap();
    let missing = Launch::find(Some(&directory.path().join("codex"))).unwrap_err();
    assert!(missing.to_string().starts_with("there is no Codex at "), "{missing}");
    assert_eq!(missing.hint().unwrap(), "give the path of the `codex` program, or of its npm launcher");
    let not_a_program = AppServer::spawn(program(directory.path(), "no program", 0o755)).unwrap_err();
    assert!(not_a_program.to_string().contains("could not be started"), "{not_a_program}");
    assert!(not_a_program.hint().unwrap().starts_with("try it by hand: "), "{not_a_program:?}");
    let another = program(directory.path(), "#!/bin/sh\necho 'what is an app-server?' >&2\nexit 2\n", 0o755);
    let server = AppServer::spawn(another).unwrap();
    let error = server.client.initialize(&Introduction::new("judge", "1.0.0")).await.unwrap_err();
    assert!(error.to_string().contains("the app-server ended by itself (exit code 2)"), "{error}");
    assert_eq!(error.hint().unwrap(), "the end of its stderr:\nwhat is an app-server?");
}
