//! Whether commands can run in Codex's sandbox: by running one in it.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process,
    time::Duration,
};

use selvedge_client::{AppServer, Launch};
use selvedge_runtime::Config;
use tokio::time::timeout;

use super::{codex, finding::Finding};

const SANDBOX: &str = "sandbox";
const PATIENCE: Duration = Duration::from_secs(20);
/// How Codex is asked to run something in its sandbox: newer versions first.
const WAYS: [&[&str]; 2] = [&["sandbox", "--", "true"], &["sandbox", "linux", "true"]];

pub(super) async fn look(config: &Config) -> Option<Finding> {
    if config.is_rehearsal() {
        return Some(Finding::note(SANDBOX, "the stand-in runs commands without one"));
    }
    // What is wrong with the binary has been said.
    let program = codex::native(config).ok()?;
    // The sandbox leaves empty directories where it runs.
    let directory = env::temp_dir().join(format!("selvedge-doctor-{}", process::id()));
    fs::create_dir_all(&directory).ok()?;
    let tried = tried(config, &program, &directory).await;
    // It is in the system's temporary directory: if it stays, the system clears it.
    let _stays = fs::remove_dir_all(&directory);
    Some(match tried {
        Ok(()) => Finding::good(SANDBOX, "a command ran in Codex's sandbox"),
        Err(why) => unusable(&why),
    })
}

/// One way is enough; if none works, what the newest said counts.
async fn tried(config: &Config, program: &Path, directory: &PathBuf) -> Result<(), String> {
    let mut first = Ok(());
    for way in WAYS {
        let mut launch = Launch::program(program.to_owned()).directory(directory);
        launch.arguments = way.iter().map(Into::into).collect();
        if let Some(home) = &config.codex_home {
            launch = launch.codex_home(home);
        }
        let ran = ran(launch).await;
        if ran.is_ok() {
            return ran;
        }
        first = first.and(ran);
    }
    first
}

async fn ran(launch: Launch) -> Result<(), String> {
    let server = AppServer::spawn(launch).map_err(|error| error.to_string())?;
    let Ok(end) = timeout(PATIENCE, server.process.finished()).await else {
        server.process.kill().await;
        return Err("it does not end".to_owned());
    };
    if end.exit.is_some_and(selvedge_client::Exit::is_clean) {
        return Ok(());
    }
    let last = end.stderr_tail.lines().rfind(|line| !line.trim().is_empty());
    Err(last.unwrap_or("it failed without a word").to_owned())
}

fn unusable(why: &str) -> Finding {
    let setting = |file: &str| fs::read_to_string(file).unwrap_or_default().trim().to_owned();
    let off = setting("/proc/sys/user/max_user_namespaces") == "0";
    let forbidden = setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1";
    let hint = if off {
        "user namespaces are off: sysctl user.max_user_namespaces=10000"
    } else if forbidden {
        "AppArmor forbids user namespaces: sysctl kernel.apparmor_restrict_unprivileged_userns=0"
    } else {
        "allow user namespaces here; or, where something else isolates, use --sandbox danger-full-access"
    };
    Finding::careful(SANDBOX, format!("commands cannot run in Codex's sandbox: {}", why.trim())).hint(hint)
}
