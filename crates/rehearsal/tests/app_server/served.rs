//! A simulated app-server over a pair of pipes, and a client of it.

#![expect(clippy::unwrap_used, reason = "this is a test, though clippy cannot see it")]

use std::path::{Path, PathBuf};

use selvedge_rehearsal::{
    app_server::{End, Options, serve},
    scenario::Scenario,
};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::client::Client;

const SCENARIO: &str = include_str!("scenario.toml");

pub(crate) struct Served {
    pub(crate) client: Client,
    pub(crate) server: JoinHandle<std::io::Result<End>>,
    pub(crate) dir: PathBuf,
}

/// A client of a fresh server; its threads are kept in `home`, its commands run in `home/work`.
pub(crate) async fn served(home: &Path, faults: &str) -> Served {
    let mut served = silent(home, faults);
    served.client.initialize().await;
    served.client.until("remoteControl/status/changed").await;
    served.client.forget();
    served
}

pub(crate) fn silent(home: &Path, faults: &str) -> Served {
    let dir = home.join("work");
    std::fs::create_dir_all(&dir).unwrap();
    let scenario: Scenario = Scenario::parse(SCENARIO).unwrap();
    let options =
        Options { scenario, faults: faults.parse().unwrap(), home: Some(home.to_owned()), env: Vec::new() };
    let (to_server, server_in) = tokio::io::duplex(64 * 1024);
    let (server_out, from_server) = tokio::io::duplex(64 * 1024);
    #[expect(clippy::disallowed_methods, reason = "the handle is kept, and the test awaits it")]
    let server = tokio::spawn(serve(options, server_in, server_out));
    Served { client: Client::new(to_server, from_server), server, dir }
}

impl Served {
    pub(crate) async fn thread(&mut self, more: Value) -> String {
        let mut params = json!({ "cwd": self.dir });
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let thread = self.client.start_thread(params).await;
        self.client.until("thread/started").await;
        self.client.forget();
        thread
    }
}

/// A directory for one test.
pub(crate) fn home() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

pub(crate) fn items_of<'a>(client: &'a Client, method: &str, kind: &str) -> Vec<&'a Value> {
    let of_method = client.heard.iter().filter(|message| message["method"] == method);
    of_method.map(|message| &message["params"]["item"]).filter(|item| item["type"] == kind).collect()
}

pub(crate) fn fifo(dir: &Path) -> PathBuf {
    let fifo = dir.join("fifo");
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    fifo
}
