//! What Codex finds around it: an API key, no user namespaces, or not even itself.

use std::{
    ffi::OsString,
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    sync::{Arc, Mutex},
};

use selvedge_client::{Abilities, AppServer, Credentials, Hint, Introduction, Launch, TokenSource, Tokens};
use selvedge_protocol::{
    calls,
    say::GetAccountParams,
    see::{Account, CommandExecutionStatus, Notification, ThreadItem},
};
use serde_json::json;

use crate::{
    differences::{Handshake, differences},
    stage::{Stage, settings},
    version::version,
};

#[tokio::test]
async fn an_app_server_says_which_codex_it_is() {
    let mut stage = Stage::open("handshake").await;
    let says = differences().handshake;
    let agent = stage.info.user_agent();
    assert_eq!(agent.starts_with(&format!("judge/{}", version())), says != Handshake::Bare, "{agent}");
    let home = stage.places.home.display().to_string();
    let said_home = (says == Handshake::WithHome).then_some(home.as_str());
    assert_eq!(stage.info.codex_home(), said_home);
    if said_home.is_none() {
        stage.lacks("it does not say where it lives");
    }
    stage.close().await;
}

#[tokio::test]
async fn an_api_key_logs_in_and_is_written_nowhere_by_us() {
    let key = "sk-judge-0123456789";
    // Of an account nobody asks, unless the provider wants OpenAI's.
    let settings = settings().with("model_providers.rehearsal.requires_openai_auth", "true");
    let mut stage = Stage::with("login_api_key", settings).await;
    stage.client.login(&Credentials::ApiKey(key.into()), &Abilities::default()).await.expect("a login");
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

/// A token as Codex reads it: three parts, the middle one says whose it is. Nobody signed it.
fn token(name: &str) -> String {
    let claims = json!({
        "email": "judge@example.com",
        "exp": 4_102_444_800_u64,
        "https://api.openai.com/auth": { "chatgpt_account_id": "judge-account", "chatgpt_plan_type": "pro" },
        "name": name,
    });
    [json!({"alg": "none"}), claims, json!({})].map(|part| base64url(part.to_string().as_bytes())).join(".")
}

fn base64url(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let digits = bytes.chunks(3).flat_map(|chunk| {
        let bits = chunk
            .iter()
            .enumerate()
            .fold(0_u32, |bits, (place, byte)| bits | u32::from(*byte) << (16 - 8 * place));
        (0..=chunk.len()).map(move |place| DIGITS[(bits >> (18 - 6 * place)) as usize & 63] as char)
    });
    digits.collect()
}

#[tokio::test]
async fn external_tokens_log_in_and_are_refreshed_by_a_callback() {
    let (old, new) = (token("old"), token("new"));
    let tokens = |token: &str| Tokens {
        access_token: token.to_owned(),
        id_token: Some(token.to_owned()),
        account_id: Some("judge-account".into()),
        ..Tokens::default()
    };
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (reasons, fresh) = (Arc::clone(&asked), tokens(&new));
    let source = TokenSource::new(move |reason| {
        reasons.lock().unwrap().push(reason.reason.unwrap_or_default());
        let fresh = fresh.clone();
        async move { Ok(fresh) }
    });
    let settings = settings().with("model_providers.rehearsal.requires_openai_auth", "true");
    let launch = |mut launch: Launch| {
        launch.options.token_source = Some(source);
        // About such an account Codex asks its owner's servers; a test asks nobody beyond this machine.
        launch.env("HTTPS_PROXY", "http://127.0.0.1:9").env("NO_PROXY", "127.0.0.1")
    };
    let mut stage = Stage::launched("login_external_tokens", settings, launch).await;
    let credentials = Credentials::ExternalTokens(tokens(&old));
    let can = stage.client.abilities().await.unwrap();
    let login = stage.client.login(&credentials, &can).await;
    if !differences().external_tokens {
        stage.lacks("this login is unknown");
        let error = login.expect_err("a refusal");
        let message = &error.refusal().expect("a refusal").message;
        assert!(message.contains("unknown variant `chatgptAuthTokens`"), "{message}");
        stage.close_without_transcript().await;
        return;
    }
    login.expect("a login");
    let thread = stage.thread().await;
    let (_, ended) = stage.play(&thread, "[fail 401]").await;
    assert_eq!(ended.status, "failed");
    assert_eq!(*asked.lock().unwrap(), ["unauthorized"], "asked once, and answered without the consumer");
    stage.close_without_transcript().await;
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
    let stage = Stage::launched("no_user_namespace", settings(), without_namespaces);
    let mut stage = stage.await;
    let thread = stage.thread().await;
    let (turn, ended) = stage.play(&thread, "[run]").await;
    assert_eq!(ended.status, "completed");
    let command = stage.ear.items(&turn).find_map(|item| match item {
        ThreadItem::CommandExecution(command) => Some(command),
        _ => None,
    });
    let command = command.expect("a command");
    let output = command.aggregated_output().unwrap_or_default();
    if differences().sandbox_of_namespaces {
        assert_eq!(command.status(), Some(CommandExecutionStatus::Failed), "{command:?}");
        assert!(output.starts_with("bwrap: ") && output.contains("namespace"), "{output}");
    } else {
        // Its sandbox is another one: the kernel's Landlock.
        assert_eq!(command.status(), Some(CommandExecutionStatus::Completed), "{command:?}");
        assert_eq!(output, "sandboxed\n");
    }
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
