//! Logins that a program brings: with an API key, or with tokens that it keeps. They work, and are written nowhere.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use selvedge_agent::{Login, Phase, RefreshReason, RuntimeConfig, Session, Tokens};
use selvedge_rehearsal::model::CodexSettings;
use selvedge_rehearsal::recording::Recording;
use serde_json::json;

use crate::{
    stage::{Setup, on_both, on_the_real},
    support::says,
};

on_both!(a_key_logs_in_and_is_written_nowhere, a_key_that_codex_repeats_is_in_no_error);

on_the_real!(
    the_login_in_codex_s_own_directory_stays,
    tokens_log_in_and_are_renewed,
    tokens_that_are_none_are_refused,
);

const KEY: &str = "sk-agent-0123456789";

/// A provider that wants to know who asks: else Codex says it to nobody.
fn with_accounts(setup: Setup) -> Setup {
    setup.codex(CodexSettings::default().with("model_providers.rehearsal.requires_openai_auth", "true"))
}

async fn a_key_logs_in_and_is_written_nowhere(setup: Setup) {
    let stage = with_accounts(setup).play("").await;
    let config = RuntimeConfig { record: true, ..stage.config() };
    let builder = stage.builder().runtime(config).login(Login::api_key(KEY));
    let (codex, session) = (builder.build().await.unwrap(), Session::new());
    codex.evaluate(&says("[stream]"), &session).await.unwrap();
    codex.close().await;
    if let Some(authorized) = stage.authorized() {
        assert_eq!(authorized, [format!("Bearer {KEY}")]);
    }
    let files = files_below(stage.root());
    assert!(files.iter().any(|file| file.ends_with("journal.db")), "{files:?}");
    for file in &files {
        assert!(!holds(file, KEY), "{}", file.display());
    }
    assert!(
        !format!("{:?}", stage.builder().login(Login::api_key(KEY)).build().await.unwrap()).contains(KEY)
    );
    assert_eq!(format!("{:?}", Login::api_key(KEY)), "Login(ApiKey(…))");
    stage.close(codex).await;
}

async fn a_key_that_codex_repeats_is_in_no_error(setup: Setup) {
    const REPEATS: &str = r#"
[[rule]]
contains = "[repeats]"
step = [ { do = [ { fail = { as = "bad_request", message = "Incorrect key: sk-agent-0123456789." } } ] } ]
"#;
    let stage = setup.play(REPEATS).await;
    let codex = stage.builder().data_dir(stage.data()).login(Login::api_key(KEY)).build().await.unwrap();
    let error = codex.evaluate(&says("[repeats]"), &Session::new()).await.unwrap_err();
    assert!(error.message.contains("Incorrect key: [redacted]."), "{error}");
    assert!(!format!("{error:?}").contains(KEY));
    codex.close().await;
    assert!(files_below(&stage.data()).iter().all(|file| !holds(file, KEY)));
    stage.close(codex).await;
}

async fn the_login_in_codex_s_own_directory_stays(setup: Setup) {
    let stage = with_accounts(setup).play("").await;
    let own = r#"{"OPENAI_API_KEY": "sk-the-owners-own"}"#;
    let file = stage.root().join("home/auth.json");
    fs::write(&file, own).unwrap();
    let codex = stage.builder().login(Login::api_key(KEY)).build().await.unwrap();
    codex.evaluate(&says("[stream]"), &Session::new()).await.unwrap();
    codex.close().await;
    assert_eq!(fs::read_to_string(&file).unwrap(), own);
    assert_eq!(stage.authorized().unwrap(), [format!("Bearer {KEY}")], "and it was not used");
    let codex = stage.builder().build().await.unwrap();
    codex.evaluate(&says("[stream]"), &Session::new()).await.unwrap();
    assert_eq!(stage.authorized().unwrap()[1], "Bearer sk-the-owners-own");
    stage.close(codex).await;
}

async fn tokens_log_in_and_are_renewed(setup: Setup) {
    let stage = with_accounts(setup).play("").await;
    let asked = Arc::new(Mutex::new(Vec::new()));
    let reasons = asked.clone();
    let login = Login::tokens(tokens("old")).renewed_by(move |reason: RefreshReason| {
        reasons.lock().unwrap().push(reason.reason.unwrap_or_default());
        async { Ok(tokens("new")) }
    });
    // About such an account Codex asks its owner's servers; a test asks nobody beyond this machine.
    let builder = stage.builder().env("HTTPS_PROXY", "http://127.0.0.1:9").env("NO_PROXY", "127.0.0.1");
    let codex = builder.data_dir(stage.data()).login(login).build().await.unwrap();
    codex.evaluate(&says("[stream]"), &Session::new()).await.unwrap();
    codex.evaluate(&says("[fail 401]"), &Session::new()).await.unwrap_err();
    codex.evaluate(&says("[stream]"), &Session::new()).await.unwrap();
    codex.close().await;
    assert_eq!(*asked.lock().unwrap(), ["unauthorized"]);
    let authorized = stage.authorized().unwrap();
    assert_eq!(authorized[0], format!("Bearer {}", token("old")));
    assert_eq!(authorized.last(), Some(&format!("Bearer {}", token("new"))));
    for secret in [token("old"), token("new")] {
        assert!(files_below(&stage.data()).iter().all(|file| !holds(file, &secret)));
    }
    assert!(!stage.root().join("home/auth.json").exists(), "nor does Codex keep them");
    stage.close(codex).await;
}

async fn tokens_that_are_none_are_refused(setup: Setup) {
    let stage = with_accounts(setup).play("").await;
    let tokens = Tokens {
        access_token: "nonsense-access".into(),
        id_token: Some("nonsense-id".into()),
        account_id: Some("account".into()),
        ..Tokens::default()
    };
    let codex = stage.builder().login(Login::tokens(tokens)).build().await.unwrap();
    let error = codex.evaluate(&says("[stream]"), &Session::new()).await.unwrap_err();
    assert_eq!((error.phase, error.code.as_str()), (Phase::Request, "not_logged_in"), "{error}");
    assert!(error.message.starts_with("Codex does not take the login"), "{error}");
    assert!(!format!("{error:?}").contains("nonsense"), "{error:?}");
    stage.close(codex).await;
}

fn tokens(name: &str) -> Tokens {
    Tokens {
        access_token: token(name),
        id_token: Some(token(name)),
        account_id: Some("agents-account".into()),
        ..Tokens::default()
    }
}

/// A token as Codex reads it: three parts, the middle one says whose it is. Nobody signed it.
fn token(name: &str) -> String {
    let claims = json!({
        "email": "agent@example.com",
        "exp": 4_102_444_800_u64,
        "https://api.openai.com/auth": { "chatgpt_account_id": "agents-account", "chatgpt_plan_type": "pro" },
        "name": name,
    });
    [json!({"alg": "none"}), claims, json!({})].map(|part| URL_SAFE_NO_PAD.encode(part.to_string())).join(".")
}

fn files_below(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => found.extend(files_below(&entry.path())),
            kind if kind.is_file() => found.push(entry.path()),
            _ => {}
        }
    }
    found
}

/// Whether a file holds this, also if it is compressed.
fn holds(file: &Path, text: &str) -> bool {
    if file.extension().is_some_and(|extension| extension == "zst") {
        let recording = Recording::open(file).unwrap();
        assert!(recording.entries.iter().any(|entry| entry.text.contains("account/login/start")));
        return recording.entries.iter().any(|entry| entry.text.contains(text));
    }
    let bytes = fs::read(file).unwrap_or_default();
    bytes.windows(text.len()).any(|part| part == text.as_bytes())
}
