//! Whose a task is: nobody sees another one's, and who may not approve cannot answer.

use std::os::unix::fs::PermissionsExt as _;

use selvedge_runtime::Config;
use selvedge_server::Agents;
use serde_json::{Value, json};

use crate::{
    gate::{Gate, settings, token_of},
    stage::{configured, rpc, words},
    support::{http::Http, stage::in_time},
};

const AGENT: &str = "[helper]\napproval_policy = \"on-request\"\n";

async fn gate() -> Gate {
    let directory = tempfile::tempdir().unwrap();
    let (data, work) = (directory.path().join("data"), directory.path().join("work"));
    for made in [&data, &work] {
        std::fs::create_dir(made).unwrap();
    }
    let config = Config { data_dir: data, cwd: Some(work), keep_warm: false, ..configured(AGENT, false) };
    let tokens =
        [("ann", r#""read", "write", "approve""#), ("bob", r#""read", "write""#), ("eve", r#""read""#)];
    let entry = |(name, scopes): (&str, &str)| {
        format!("[[tokens]]\nname = '{name}'\ntoken = '{}'\nscopes = [{scopes}]\n", token_of(name))
    };
    let file = config.data_dir.join("tokens.toml");
    std::fs::write(&file, tokens.map(entry).concat()).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    Gate::on(directory, settings(), config).await
}

fn one_of(gate: &Gate, name: &str) -> Http {
    gate.as_one_with(&token_of(name)).with("a2a-version", "1.0")
}

async fn call(http: &Http, method: &str, params: Value) -> Value {
    http.post("/a2a", rpc(method, params)).await.expect(200)
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_sees_another_ones_tasks() {
    in_time(async {
        let gate = gate().await;
        let [ann, bob, eve] = ["ann", "bob", "eve"].map(|name| one_of(&gate, name));
        let task =
            call(&ann, "SendMessage", json!({"message": words("[stream]")})).await["result"]["task"].clone();
        assert_eq!(task["status"]["state"], "TASK_STATE_COMPLETED");
        for method in ["GetTask", "CancelTask", "SubscribeToTask"] {
            assert_eq!(
                call(&bob, method, json!({"id": task["id"]})).await["error"]["code"],
                -32001,
                "{method}"
            );
        }
        let mut message = words("[stream]");
        message["contextId"] = task["contextId"].clone();
        let answer = call(&bob, "SendMessage", json!({"message": message})).await;
        assert_eq!(answer["error"]["code"], -32001, "another one's conversation is not found");
        assert_eq!(call(&bob, "ListTasks", json!({})).await["result"]["totalSize"], 0);
        assert_eq!(call(&ann, "ListTasks", json!({})).await["result"]["totalSize"], 1);
        assert_eq!(eve.post("/a2a", rpc("ListTasks", json!({}))).await.problem(403), "forbidden");
        assert_eq!(
            eve.get("/a2a/rest/tasks").await.expect(200)["totalSize"],
            0,
            "who may read reads their own"
        );
        let card = gate.stranger.get("/.well-known/agent-card.json").await.expect(200);
        assert_eq!(card["securitySchemes"]["token"]["httpAuthSecurityScheme"]["scheme"], "Bearer");
        let stranger = gate.stranger.post("/a2a", rpc("ListTasks", json!({}))).await;
        assert_eq!(stranger.problem(401), "unauthenticated", "the card is all that a stranger sees");
        gate.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_not_approve_cannot_answer() {
    in_time(async {
        let gate = gate().await;
        let bob = one_of(&gate, "bob");
        let task =
            call(&bob, "SendMessage", json!({"message": words("[approve]")})).await["result"]["task"].clone();
        assert_eq!(task["status"]["state"], "TASK_STATE_INPUT_REQUIRED");
        let mut message = words("yes");
        message["taskId"] = task["id"].clone();
        let answer = call(&bob, "SendMessage", json!({"message": message})).await;
        assert_eq!(answer["error"]["code"], -32004);
        let shown = call(&bob, "GetTask", json!({"id": task["id"]})).await;
        assert_eq!(shown["result"]["status"]["state"], "TASK_STATE_INPUT_REQUIRED", "it still waits");
        call(&bob, "CancelTask", json!({"id": task["id"]})).await;
        gate.close().await;
    })
    .await;
}

#[test]
fn an_agent_that_cannot_work_stops_the_start() {
    let here = env!("CARGO_MANIFEST_DIR");
    for (agents, said) in [
        ("[helper]\nrequired_env = [\"SELVEDGE_TEST_NOBODY_SETS_THIS\"]", "SELVEDGE_TEST_NOBODY_SETS_THIS"),
        ("[helper]\nskils = []", "skils"),
        ("[rest]", "rest"),
        ("[helper]\ncwd = \"/nowhere/at/all\"", "cwd"),
        ("[a]\ndefault = true\n[b]\ndefault = true", "both the default"),
    ] {
        let config = Config { cwd: Some(here.into()), ..configured(agents, false) };
        let error = Agents::of(&config).unwrap_err();
        assert!(error.message.contains(said) && error.hint.is_some(), "{error:?}");
    }
}
