//! Which Codex, whether it runs, and whether it is logged in: asked of the app-server itself.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use selvedge_client::{
    Abilities, AppServer, CallError, Hint as _, Introduction, JUDGED, Launch, ServerInfo,
    process::{find_codex, own_program},
};
use selvedge_runtime::Config;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::finding::Finding;
use crate::local::REHEARSAL;

pub(super) const CODEX: &str = "codex";
pub(super) const LOGIN: &str = "login";

/// Everything here takes milliseconds where it works.
const PATIENCE: Duration = Duration::from_secs(20);

pub(super) async fn look(config: &Config) -> Vec<Finding> {
    match launch(config) {
        Ok(launch) => started(config, launch).await,
        Err(finding) => vec![finding],
    }
}

/// The binary behind whatever was named.
pub(super) fn native(config: &Config) -> Result<PathBuf, Finding> {
    find_codex(config.codex.as_deref())
        .map_err(|error| Finding::problem(CODEX, error.to_string()).hint_if(error.hint()))
}

/// How the app-server that sessions would use is started.
fn launch(config: &Config) -> Result<Launch, Finding> {
    let mut launch = if config.is_rehearsal() {
        let program = config.rehearsal.program.clone().map_or_else(own_program, Ok);
        let program = program.map_err(|error| Finding::problem(CODEX, error.to_string()))?;
        let mut launch = Launch::program(program);
        launch.arguments = vec!["rehearse".into(), "app-server".into()];
        launch
    } else {
        let launch = Launch::program(native(config)?);
        config.codex_config.iter().fold(launch, Launch::config)
    };
    if let Some(home) = &config.codex_home {
        launch = launch.codex_home(home);
    }
    Ok(launch)
}

async fn started(config: &Config, launch: Launch) -> Vec<Finding> {
    let program = launch.program.clone();
    let server = match AppServer::spawn(launch) {
        Ok(server) => server,
        Err(error) => return vec![Finding::problem(CODEX, error.to_string()).hint_if(error.hint())],
    };
    let introduction = Introduction::new("selvedge_doctor", env!("CARGO_PKG_VERSION"));
    let findings = match timeout(PATIENCE, server.client.initialize(&introduction)).await {
        Ok(Ok(info)) => {
            let account = timeout(PATIENCE, server.client.request("account/read", &json!({}))).await;
            let account = account.ok().map(|reply| reply.map(|reply| reply.result().get().to_owned()));
            let mut findings = vec![version(config, &program, &info)];
            findings.extend(home(&info));
            let can = timeout(PATIENCE, server.client.abilities()).await;
            findings.extend(can.ok().and_then(Result::ok).as_ref().and_then(lacking));
            findings.push(login(account));
            findings
        }
        Ok(Err(error)) => vec![unusable(&program, &error.to_string())],
        Err(_) => vec![unusable(&program, "it does not answer")],
    };
    server.process.shut_down().await;
    findings
}

fn unusable(program: &Path, why: &str) -> Finding {
    let hint = format!("try it by hand: {} app-server", program.display());
    Finding::problem(CODEX, format!("{} does not work as an app-server: {why}", program.display())).hint(hint)
}

fn version(config: &Config, program: &Path, info: &ServerInfo) -> Finding {
    let version = info.version().unwrap_or("of an unknown version");
    if config.is_rehearsal() {
        return Finding::careful(CODEX, format!("{REHEARSAL} (as {version})"));
    }
    let detail = format!("{version}, {}", program.display());
    if JUDGED.contains(&version) {
        return Finding::good(CODEX, detail);
    }
    let tried = JUDGED.join(", ");
    Finding::careful(CODEX, detail).hint(format!(
        "Selvedge was never tried on this version, and goes by what it says it can do; tried are {tried}"
    ))
}

/// What this Codex cannot do that others can.
fn lacking(can: &Abilities) -> Option<Finding> {
    let lacking = can.lacking();
    (!lacking.is_empty()).then(|| {
        Finding::note("abilities", format!("this Codex cannot {}", lacking.join(", "))).hint(
            "docs/versions.md says what happens instead; a newer one: npm install -g @openai/codex@latest",
        )
    })
}

fn home(info: &ServerInfo) -> Option<Finding> {
    info.codex_home().map(|home| Finding::note("home", format!("Codex keeps its files in {home}")))
}

fn login(account: Option<Result<String, CallError>>) -> Finding {
    let Some(Ok(account)) = account else {
        return Finding::careful(LOGIN, "Codex did not say whether it is logged in")
            .hint("ask it: codex login status");
    };
    let account: Value = serde_json::from_str(&account).unwrap_or_default();
    let who = &account["account"];
    if let Some(kind) = who["type"].as_str() {
        let plan = who["planType"].as_str().map(|plan| format!(", plan {plan}")).unwrap_or_default();
        let email = who["email"].as_str().map(|email| format!(" as {email}")).unwrap_or_default();
        return Finding::good(LOGIN, format!("logged in{email} ({kind}{plan})"));
    }
    if account["requiresOpenaiAuth"] == true {
        return Finding::problem(LOGIN, "not logged in").hint("log in with `codex login`");
    }
    Finding::good(LOGIN, "not needed: the configured provider asks for none")
}
