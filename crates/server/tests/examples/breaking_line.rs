//! A line to a gateway that breaks once, just before certain words come over it.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    task::JoinSet,
};

/// Until it is dropped.
pub(crate) struct BreakingLine {
    address: SocketAddr,
    wire: Arc<Wire>,
    _serving: JoinSet<()>,
}

struct Wire {
    gateway: SocketAddr,
    /// What breaks it.
    words: &'static str,
    broken: AtomicBool,
    asked: Mutex<String>,
}

impl BreakingLine {
    pub(crate) async fn lay(gateway: SocketAddr, words: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (broken, asked) = (AtomicBool::new(false), Mutex::default());
        let wire = Arc::new(Wire { gateway, words, broken, asked });
        let mut serving = JoinSet::new();
        serving.spawn(accept(listener, Arc::clone(&wire)));
        Self { address, wire, _serving: serving }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn has_broken(&self) -> bool {
        self.wire.broken.load(Ordering::SeqCst)
    }

    /// The values of a header in everything that was asked over it.
    pub(crate) fn headers(&self, name: &str) -> Vec<String> {
        let asked = self.wire.asked.lock().unwrap();
        let headers = asked.lines().filter_map(|line| line.split_once(": "));
        let wanted = headers.filter(|(known, _)| known.eq_ignore_ascii_case(name));
        wanted.map(|(_, value)| value.to_owned()).collect()
    }
}

async fn accept(listener: TcpListener, wire: Arc<Wire>) {
    let mut calls = JoinSet::new();
    loop {
        let (caller, _) = listener.accept().await.unwrap();
        let gateway = TcpStream::connect(wire.gateway).await.unwrap();
        let ((from_caller, to_caller), (from_gateway, to_gateway)) =
            (caller.into_split(), gateway.into_split());
        let (up, down) = (Arc::clone(&wire), Arc::clone(&wire));
        // Whichever side ends first ends the other: that is how a line breaks.
        calls.spawn(async move {
            tokio::select! {
                () = up.ask(from_caller, to_gateway) => {}
                () = down.answer(from_gateway, to_caller) => {}
            }
        });
    }
}

impl Wire {
    async fn ask(&self, mut from: OwnedReadHalf, mut to: OwnedWriteHalf) {
        let mut bytes = vec![0; 64 << 10];
        while let Ok(read @ 1..) = from.read(&mut bytes).await {
            self.asked.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..read]));
            if to.write_all(&bytes[..read]).await.is_err() {
                return;
            }
        }
    }

    /// Everything up to the words that break it.
    async fn answer(&self, mut from: OwnedReadHalf, mut to: OwnedWriteHalf) {
        let (mut bytes, mut passed) = (vec![0; 64 << 10], Vec::new());
        while let Ok(read @ 1..) = from.read(&mut bytes).await {
            let sent = passed.len();
            passed.extend_from_slice(&bytes[..read]);
            let place = passed.windows(self.words.len()).position(|window| window == self.words.as_bytes());
            let breaks = place.filter(|_| !self.broken.swap(place.is_some(), Ordering::SeqCst));
            let until = breaks.map_or(passed.len(), |place| place.max(sent));
            if to.write_all(&passed[sent..until]).await.is_err() || breaks.is_some() {
                return;
            }
        }
    }
}
