//! An app-server that says and hears what a test wants.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use selvedge_client::connect;
use selvedge_session::Heard;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream},
    sync::{mpsc, watch},
    task::JoinSet,
};
use uuid::Uuid;

use crate::fleet::{
    counters::Counters,
    generation::Occupancy,
    mailbox::{Letters, Mailbox, Told, Unclaimed, mailbox},
    options::FleetOptions,
    router::{Board, Router},
};

pub(super) const SEAT: u64 = 7;

pub(super) struct Stage {
    /// What the app-server says and hears; taken away when it ends.
    codex: Option<BufReader<DuplexStream>>,
    pub(super) board: Arc<Board>,
    pub(super) counters: Arc<Counters>,
    pub(super) unclaimed: mpsc::Receiver<Unclaimed>,
    pub(super) end_known: Arc<AtomicBool>,
    pub(super) process: Uuid,
    seats: watch::Sender<Occupancy>,
    _router: JoinSet<()>,
}

impl Stage {
    pub(super) fn new() -> Self {
        Self::with(FleetOptions::default())
    }

    pub(super) fn with(mut options: FleetOptions) -> Self {
        let (sink, unclaimed) = mpsc::channel(64);
        options.unclaimed = Some(sink);
        let (codex, ours) = tokio::io::duplex(4 * 1024 * 1024);
        let (input, output) = tokio::io::split(ours);
        let (client, inbox) = connect(input, output, &options.conversation());
        let process = Uuid::now_v7();
        let (board, counters) = (Arc::new(Board::new(process, options.hold.clone())), Arc::default());
        let router =
            Router::new((&client, inbox), Arc::clone(&board), &options, (process, Arc::clone(&counters)));
        let seats = watch::Sender::new(Occupancy::of(32));
        let mut tasks = JoinSet::new();
        let end_known = Arc::new(AtomicBool::new(false));
        let (known, occupied) = (Arc::clone(&end_known), seats.subscribe());
        seats.send_modify(|now| now.seats = 1);
        tasks.spawn(async move {
            router.run(|_| known.store(true, Ordering::SeqCst), occupied).await;
            drop(client);
        });
        let codex = Some(BufReader::new(codex));
        Self { codex, board, counters, unclaimed, end_known, process, seats, _router: tasks }
    }

    /// Somebody listens to a thread.
    pub(super) fn listen(&self, thread: &str, room: usize) -> Ear {
        let (mailbox, news) = mailbox(room);
        self.board.listen(SEAT, thread, mailbox.clone());
        Ear { mailbox, news }
    }

    /// Somebody goes on listening to a thread, having heard so much.
    pub(super) fn listen_on(&self, thread: &str, heard: BTreeMap<String, u64>) -> Ear {
        let (mailbox, news) = mailbox(8);
        self.board.listen_on((SEAT, thread), heard, mailbox.clone());
        Ear { mailbox, news }
    }

    pub(super) async fn say(&mut self, line: Value) {
        self.say_raw(&line.to_string()).await;
    }

    pub(super) async fn say_raw(&mut self, line: &str) {
        let codex = self.codex.as_mut().expect("it runs");
        codex.write_all(line.as_bytes()).await.unwrap();
        codex.write_all(b"\n").await.unwrap();
    }

    /// What the app-server hears next.
    pub(super) async fn hears(&mut self) -> Value {
        let mut line = String::new();
        self.codex.as_mut().expect("it runs").read_line(&mut line).await.unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// The last seat is free.
    pub(super) fn leave(&self) {
        self.seats.send_modify(|now| now.seats = 0);
    }

    /// The app-server ends.
    pub(super) fn die(&mut self) {
        self.codex = None;
    }
}

pub(super) struct Ear {
    pub(super) mailbox: Mailbox,
    pub(super) news: Letters,
}

impl Ear {
    pub(super) async fn next(&mut self) -> Told {
        let next = tokio::time::timeout(Duration::from_secs(20), self.news.recv());
        next.await.expect("news in time").expect("an open mailbox")
    }

    /// The next news in short.
    pub(super) async fn next_word(&mut self) -> String {
        word(&self.next().await.heard)
    }
}

/// What was heard, in short.
pub(super) fn word(heard: &Heard) -> String {
    match heard {
        Heard::Delta { place, delta, .. } => format!("{}: {delta}", place.thread),
        Heard::TurnStarted(place) => format!("{}: turn {} begins", place.thread, place.turn),
        Heard::ItemCompleted(place, _) => format!("{}: item", place.thread),
        Heard::Asked { place, .. } => format!("{}: asked", place.thread),
        Heard::Notice { method, params } => format!("notice {method} {params:?}"),
        Heard::ProcessGone { .. } => "gone".to_owned(),
        other => format!("{other:?}"),
    }
}

pub(super) fn delta(thread: &str, text: &str) -> Value {
    json!({"method": "item/agentMessage/delta",
        "params": {"threadId": thread, "turnId": "u", "itemId": "i", "delta": text}})
}

pub(super) fn turn_started(thread: &str, turn: &str) -> Value {
    json!({"method": "turn/started",
        "params": {"threadId": thread, "turn": {"id": turn, "items": [], "status": "inProgress"}}})
}

pub(super) fn approval(thread: &str, id: i64) -> Value {
    json!({"method": "item/commandExecution/requestApproval", "id": id,
        "params": {"threadId": thread, "turnId": "u", "itemId": "i", "command": "rm"}})
}

/// An item that names another thread as its sub-agent.
pub(super) fn spawned(thread: &str, child: &str) -> Value {
    json!({"method": "item/completed", "params": {"threadId": thread, "turnId": "u",
        "item": {"type": "collabAgentToolCall", "id": "c", "receiverThreadIds": [child]}}})
}
