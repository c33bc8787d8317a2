//! A session as the recorded client's thread was.

use std::path::Path;

use selvedge_rehearsal::recording::{Deed, Done};
use selvedge_session::{ApprovalPolicy, Backend, Json, Sandbox, Settings, ToolSpec, Unattended};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What a session is made with to open a thread again. `elsewhere` is where it works if its own directory is not here.
pub(super) fn of(deed: &Deed, elsewhere: &Path) -> Option<Settings> {
    let (params, result, resumed) = match &deed.done {
        Done::Started { params, result } => (params, result, false),
        Done::Resumed { params, result } => (params, result, true),
        _ => return None,
    };
    let said = |key: &str| params[key].as_str().or(result[key].as_str());
    let cwd = said("cwd").filter(|cwd| Path::new(cwd).is_dir() && Path::new(cwd).is_absolute());
    Some(Settings {
        cwd: cwd.map_or_else(|| elsewhere.display().to_string(), str::to_owned),
        approval_policy: Some(word(&params["approvalPolicy"]).unwrap_or(ApprovalPolicy::OnRequest)),
        sandbox: word::<Sandbox>(&params["sandbox"]),
        model: params["model"].as_str().map(str::to_owned),
        // Whoever was asked then has answered; nobody else is.
        unattended: Unattended::Wait,
        backend: Some(Backend::Rehearsal),
        thread_id: resumed.then(|| deed.thread.clone()),
        tools: if resumed { Vec::new() } else { tools(&params["dynamicTools"]) },
        ..Settings::default()
    })
}

fn word<T: DeserializeOwned>(value: &Value) -> Option<T> {
    serde_json::from_value(value.clone()).ok()
}

fn tools(tools: &Value) -> Vec<ToolSpec> {
    let tools = tools.as_array().into_iter().flatten();
    let named = tools.filter_map(|tool| {
        Some(ToolSpec {
            name: tool["name"].as_str()?.to_owned(),
            description: tool["description"].as_str().unwrap_or_default().to_owned(),
            input_schema: Json::from(tool["inputSchema"].clone()),
            timeout_seconds: None,
        })
    });
    named.collect()
}
