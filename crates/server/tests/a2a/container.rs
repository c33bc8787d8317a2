//! `deploy/agent` without a container: its start script, its configuration and the real Codex, as the image puts them together.

use std::{fs, os::unix::fs::symlink, path::Path, process::Stdio};

use serde_json::json;
use tokio::process::Command;

use crate::{
    door::Door,
    serving::Serving,
    stage::{model, words},
    support::stage::{codex, in_time, selvedge},
};

const KEY: &str = "sk-the-key-of-the-container";
const TOKEN: &str = "the-token-of-the-container-0123456789";

fn deploy(file: &str) -> String {
    fs::read_to_string(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy")).join(file)).unwrap()
}

fn program(place: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::write(place, text).unwrap();
    fs::set_permissions(place, fs::Permissions::from_mode(0o755)).unwrap();
}

/// What the image has on its PATH. Of `tini` there is only what it is told.
fn lay_out(root: &Path) {
    for made in ["bin", "work", "data", "home"] {
        fs::create_dir(root.join(made)).unwrap();
    }
    let bin = root.join("bin");
    symlink(codex(), bin.join("codex")).unwrap();
    symlink(selvedge(), bin.join("selvedge")).unwrap();
    program(&bin.join("tini"), "#!/bin/sh\nshift\nexec \"$@\"\n");
    program(&bin.join("selvedge-entrypoint"), &deploy("entrypoint.sh"));
    program(&bin.join("selvedge-agent"), &deploy("agent/start.sh"));
    let agent = deploy("agent/agent.toml");
    assert!(agent.contains("cwd = \"/work\""));
    fs::write(root.join("agent.toml"), agent.replace("/work", root.join("work").to_str().unwrap())).unwrap();
}

/// As the image starts it, with these variables too.
fn start(root: &Path, variables: &[(&str, &str)]) -> Command {
    let path = format!("{}:/usr/bin:/bin", root.join("bin").display());
    let mut command = Command::new(root.join("bin/selvedge-agent"));
    command.arg("serve").env_clear().env("PATH", path).env("HOME", root).current_dir(root.join("work"));
    for (name, place) in
        [("SELVEDGE_CONFIG", "agent.toml"), ("SELVEDGE_DATA_DIR", "data"), ("SELVEDGE_CODEX_HOME", "home")]
    {
        command.env(name, root.join(place));
    }
    command.env("SELVEDGE_LISTEN", "127.0.0.1:0").env("SELVEDGE_NO_RELAY", "true");
    command.envs(variables.iter().copied()).stdout(Stdio::piped()).kill_on_drop(true);
    command.stderr(fs::File::create(root.join("stderr.txt")).unwrap());
    command
}

#[tokio::test(flavor = "multi_thread")]
async fn the_agent_of_a_container_starts_answers_and_goes_on_after_a_restart() {
    in_time(async {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        lay_out(root);
        let door = Door::closed().await;
        let model = model(&root.join("home"), &door.settings()).await;
        door.leads_to(model.addr());
        let given = [("OPENAI_API_KEY", KEY), ("SELVEDGE_TOKEN", TOKEN)];
        let serving = Serving::of(start(root, &given), TOKEN).await;
        let printed = fs::read_to_string(root.join("stderr.txt")).unwrap();
        for name in ["OPENAI_API_KEY", "SELVEDGE_TOKEN", "SELVEDGE_CONFIG"] {
            assert!(printed.contains(name), "{printed}");
        }
        assert!(!printed.contains(KEY) && !printed.contains(TOKEN), "names, and never values: {printed}");
        assert_eq!(serving.http.get("/readyz").await.status.as_u16(), 200);
        let card = serving.http.get("/.well-known/agent-card.json").await.expect(200);
        assert_eq!(card["name"], "Agent");
        let task = serving.say("[stream]", json!({})).await;
        assert_eq!(task["status"]["state"], "TASK_STATE_COMPLETED", "Codex is logged in: {task}");
        assert_eq!(model.requests()[0].authorization.as_deref(), Some(format!("Bearer {KEY}").as_str()));
        serving.stop().await;
        // The key is only needed once: Codex keeps it in the volume.
        let serving = Serving::of(start(root, &given[1..]), TOKEN).await;
        assert_eq!(serving.call("GetTask", json!({"id": task["id"]})).await, task);
        let mut more = words("[stream]");
        more["contextId"] = task["contextId"].clone();
        let more = serving.call("SendMessage", json!({"message": more})).await["task"].clone();
        assert_eq!(more["status"]["state"], "TASK_STATE_COMPLETED");
        let asked = String::from_utf8(model.requests().pop().unwrap().body.to_vec()).unwrap();
        assert!(asked.matches("[stream]").count() > 1, "the same thread goes on");
        serving.stop().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_container_without_a_key_says_what_will_wait() {
    in_time(async {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        lay_out(root);
        let serving = Serving::of(start(root, &[("SELVEDGE_TOKEN", TOKEN)]), TOKEN).await;
        let printed = fs::read_to_string(root.join("stderr.txt")).unwrap();
        assert!(printed.contains("TASK_STATE_AUTH_REQUIRED") && printed.contains("hint: "), "{printed}");
        serving.stop().await;
        fs::remove_file(root.join("bin/codex")).unwrap();
        let ended = start(root, &[("SELVEDGE_TOKEN", TOKEN)]).status().await.unwrap();
        assert_eq!(ended.code(), Some(3), "without Codex it does not start");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_that_is_brought_is_codex_s_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    in_time(async {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        lay_out(root);
        let login = format!("{{\"OPENAI_API_KEY\":\n\"{KEY}\",\n\"x\":\"\nOPENAI_in_a_value\"}}");
        let given = [("CODEX_AUTH_JSON", login.as_str()), ("SELVEDGE_TOKEN", TOKEN)];
        let serving = Serving::of(start(root, &given), TOKEN).await;
        let printed = fs::read_to_string(root.join("stderr.txt")).unwrap();
        assert!(printed.contains("CODEX_AUTH_JSON") && !printed.contains("AUTH_REQUIRED"), "{printed}");
        assert!(!printed.contains(KEY) && !printed.contains("in_a_value"), "{printed}");
        let file = root.join("home/auth.json");
        assert_eq!(fs::read_to_string(&file).unwrap().trim_end(), login);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        let environment = fs::read(format!("/proc/{}/environ", serving.id())).unwrap();
        assert!(!String::from_utf8_lossy(&environment).contains(KEY), "no agent inherits it");
        serving.stop().await;
        fs::write(&file, "{\"renewed\": true}").unwrap();
        Serving::of(start(root, &given), TOKEN).await.stop().await;
        assert_eq!(fs::read_to_string(&file).unwrap(), "{\"renewed\": true}", "what Codex renewed stays");
    })
    .await;
}
