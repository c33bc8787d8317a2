//! A door before the scripted model: who does not say who they are is answered as a provider answers strangers.

use std::{
    net::SocketAddr,
    sync::{Arc, OnceLock},
};

use selvedge_rehearsal::model::CodexSettings;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional},
    net::{TcpListener, TcpStream},
    task::JoinSet,
};

pub(crate) struct Door {
    address: SocketAddr,
    behind: Arc<OnceLock<SocketAddr>>,
    _serving: JoinSet<()>,
}

impl Door {
    pub(crate) async fn closed() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let behind = Arc::new(OnceLock::new());
        let mut serving = JoinSet::new();
        serving.spawn(serve(listener, behind.clone()));
        Self { address, behind, _serving: serving }
    }

    /// A Codex with these asks here, and with its account.
    pub(crate) fn settings(&self) -> CodexSettings {
        let url = format!("\"http://{}/v1\"", self.address);
        let provider = "model_providers.rehearsal";
        CodexSettings::default()
            .with(&format!("{provider}.requires_openai_auth"), "true")
            .with(&format!("{provider}.base_url"), &url)
            .with("cli_auth_credentials_store", "\"file\"")
    }

    pub(crate) fn leads_to(&self, model: SocketAddr) {
        self.behind.set(model).unwrap();
    }
}

async fn serve(listener: TcpListener, behind: Arc<OnceLock<SocketAddr>>) {
    let mut visits = JoinSet::new();
    while let Ok((visitor, _)) = listener.accept().await {
        visits.spawn(visit(visitor, behind.get().copied()));
    }
}

/// One connection: what its first request says of who asks holds for all of it.
async fn visit(mut visitor: TcpStream, behind: Option<SocketAddr>) {
    let mut said = Vec::new();
    while !said.windows(4).any(|end| end == b"\r\n\r\n") {
        let read = visitor.read_buf(&mut said).await;
        if !read.is_ok_and(|read| read > 0) {
            return;
        }
    }
    let known = String::from_utf8_lossy(&said).to_lowercase().contains("\r\nauthorization: bearer ");
    match behind.filter(|_| known) {
        Some(model) => {
            let mut model = TcpStream::connect(model).await.unwrap();
            model.write_all(&said).await.unwrap();
            // Whoever hangs up first ends it.
            let _ended = copy_bidirectional(&mut visitor, &mut model).await;
        }
        None => {
            let body = r#"{"error": {"message": "Who are you?", "type": "invalid_request_error"}}"#;
            let head = "HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json\r\nconnection: close";
            let answer = format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
            let _told = visitor.write_all(answer.as_bytes()).await;
            // What it still says is heard, or it would lose the answer to a reset.
            let _said = tokio::io::copy(&mut visitor, &mut tokio::io::sink()).await;
        }
    }
}
