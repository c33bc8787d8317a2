//! How many lines a second go through the router. Measured, not judged: run it by name in a release build.
//!
//!     cargo test --release -p selvedge-runtime --lib router_pace -- --ignored --nocapture

use std::{fmt::Write, io::Cursor, sync::Arc, time::Instant};

use selvedge_client::{Client, Inbox, Message, connect, protocol::see::Notification};
use selvedge_session::Heard;
use tokio::{sync::watch, task::JoinSet};
use uuid::Uuid;

use crate::fleet::{
    generation::Occupancy,
    mailbox::mailbox,
    options::FleetOptions,
    router::{Board, Router},
};

const LINES: usize = 600_000;

/// As Codex writes them: 250 bytes, with ids of its kind.
fn flood(threads: usize) -> (Vec<String>, Vec<u8>) {
    let ids: Vec<String> = (0..threads).map(|_| Uuid::now_v7().to_string()).collect();
    let turn = Uuid::now_v7();
    let mut text = String::new();
    for line in 0..LINES {
        let thread = &ids[line % threads];
        let _infallible = writeln!(
            text,
            r#"{{"method":"item/agentMessage/delta","params":{{"threadId":"{thread}","turnId":"{turn}","itemId":"msg_01","delta":"{line:08} of a flood of words that go on and on as the models' words do"}}}}"#
        );
    }
    (ids, text.into_bytes())
}

fn conversation(text: Vec<u8>) -> (Client, Inbox) {
    connect(Cursor::new(text), tokio::io::sink(), &FleetOptions::default().conversation())
}

/// Since when, and how much processor time had been used by then: on a busy machine only the latter says something.
struct Watch(Instant, f64);

impl Watch {
    fn start() -> Self {
        Self(Instant::now(), processor_seconds())
    }

    fn report(&self, what: &str, news: usize) {
        let (lines, seconds) = (LINES as f64, self.0.elapsed().as_secs_f64());
        let each = (processor_seconds() - self.1) * 1e6 / lines;
        println!("{what:<40} {:>10.0} lines/s {each:>6.2} µs a line {news:>7} handed on", lines / seconds);
    }
}

/// Of all threads of this process.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit_once(") ").map_or(Vec::new(), |(_, rest)| rest.split(' ').collect());
    let ticks =
        |field: usize| fields.get(field).and_then(|text| text.parse::<f64>().ok()).unwrap_or_default();
    (ticks(11) + ticks(12)) / 100.0
}

/// The client alone, with each delta read through its view: what `bench client` measures, without a pipe.
async fn client_alone() {
    let (_client, mut inbox) = conversation(flood(1).1);
    let watch = Watch::start();
    let mut bytes = 0;
    while let Some(line) = inbox.next().await {
        if let Message::Notification(Notification::ItemAgentMessageDelta(it)) = line.message() {
            bytes += it.delta().map_or(0, |delta| delta.len());
        }
    }
    assert!(bytes > LINES);
    watch.report("client, each delta read by its view", LINES);
}

async fn routed(threads: usize) {
    let (ids, text) = flood(threads);
    let options = FleetOptions::default();
    let (client, inbox) = conversation(text);
    let process = Uuid::now_v7();
    let board = Arc::new(Board::new(process, options.hold.clone()));
    let router = Router::new((&client, inbox), Arc::clone(&board), &options, (process, Arc::default()));
    let mut sessions = JoinSet::new();
    for id in &ids {
        let (mailbox, mut news) = mailbox(64);
        board.listen(0, id, mailbox);
        sessions.spawn(async move {
            let (mut count, mut bytes) = (0, 0);
            while let Some(told) = news.recv().await {
                match told.heard {
                    Heard::Delta { delta, .. } => (count, bytes) = (count + 1, bytes + delta.len()),
                    _ => break,
                }
            }
            (count, bytes)
        });
    }
    let seats = watch::Sender::new(Occupancy::of(32));
    let watch = Watch::start();
    router.run(|_| {}, seats.subscribe()).await;
    let heard = sessions.join_all().await;
    let (news, bytes) = heard.iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    assert_eq!(bytes, LINES * 70, "every byte has arrived");
    watch.report(&format!("client and router, {threads} thread(s)"), news);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn router_pace() {
    for _ in 0..3 {
        client_alone().await;
        routed(1).await;
        routed(50).await;
    }
}
