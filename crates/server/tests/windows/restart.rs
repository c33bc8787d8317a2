//! The next gateway on a data directory, at another address: its sessions' tools are found there.

use std::{fs, path::Path};

use selvedge_server::Settings;

use crate::{agent::Agent, desk::Desk, gate::settings, support::stage::in_time};

/// Files under a directory that hold a text.
fn holding(directory: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(holding(&path, text));
        } else if fs::read(&path).is_ok_and(|bytes| memmem(&bytes, text.as_bytes())) {
            found.push(path.display().to_string());
        }
    }
    found
}

fn memmem(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text)
}

#[tokio::test(flavor = "multi_thread")]
async fn its_tools_are_called_at_the_next_gateway_and_its_secret_is_written_nowhere() {
    in_time(async {
        // Codex runs here, wherever the gateway is called from.
        let everywhere = Settings { listen: "0.0.0.0:0".parse().unwrap(), ..settings() };
        let desk = Desk::with(everywhere).await;
        let id = desk.session().await;
        Agent::open(&desk.http, id.clone(), "first".to_owned()).await.calls().await;
        let before = desk.http.address;
        let desk = desk.again().await;
        assert_ne!(desk.http.address, before);
        Agent::open(&desk.http, id.clone(), "second".to_owned()).await.calls().await;
        let secret = desk.gate.agents_secret(&id);
        let said = desk.http.get(&format!("/v1/sessions/{id}")).await.expect(200).to_string();
        assert!(said.contains("\"tools_via\":\"mcp\"") && !said.contains(&secret), "{said}");
        let events = desk.http.get(&format!("/v1/sessions/{id}/events")).await.expect(200).to_string();
        assert!(events.contains("mcpToolCall") && !events.contains(&secret), "{events}");
        let metrics = desk.http.get("/metrics").await;
        assert!(!String::from_utf8_lossy(&metrics.body).contains(&secret));
        let directory = desk.gate.directory.path().to_owned();
        assert_eq!(holding(&directory, &secret), Vec::<String>::new());
        desk.close().await;
    })
    .await;
}
