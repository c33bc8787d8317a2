//! App-servers behind relays: in use, or waiting for somebody to go on with them.

use selvedge_runtime::{Config, RelayInfo, RelayState, relays};

use super::finding::Finding;

const RELAYS: &str = "relays";

pub(super) async fn look(config: &Config) -> Vec<Finding> {
    let directory = config.data_dir.clone();
    let found = tokio::task::spawn_blocking(move || relays(&directory)).await.unwrap_or_default();
    if found.is_empty() {
        return vec![Finding::good(RELAYS, "none")];
    }
    found.iter().map(finding).collect()
}

fn finding(relay: &RelayInfo) -> Finding {
    let version = relay.version.as_deref().unwrap_or("of no known version");
    let process = relay.pid.map(|pid| format!(", process {pid}")).unwrap_or_default();
    let what = format!("Codex {version}{process}, {}", relay.id);
    match relay.state {
        RelayState::InUse => Finding::good(RELAYS, format!("in use: {what}")),
        RelayState::Alone => Finding::careful(RELAYS, format!("goes on alone: {what}"))
            .hint("go on with it by `selvedge serve`; `selvedge stop` after that ends it"),
        RelayState::Ended => Finding::note(RELAYS, format!("has ended: {what}"))
            .hint("its last words are read when the gateway starts"),
    }
}
