//! Our client: at full speed, with a consumer that pauses, and with an answer that takes its time.

use std::{
    error::Error,
    time::{Duration, Instant},
};

use selvedge_client::{AppServer, Inbox, Introduction, Launch, Line, Message};
use selvedge_protocol::{calls, say, see::Notification};
use serde_json::json;

use super::{Seen, Source};

const PAUSE: Duration = Duration::from_secs(3);
const SLOW_ANSWER: Duration = Duration::from_secs(5);

type Outcome = Result<Seen, Box<dyn Error>>;

/// Reads every delta as it comes: its ids and its text.
pub(super) fn client(source: &Source) -> Outcome {
    run(async {
        let mut server = start(source, "flood").await?;
        let deltas = count_deltas(&mut server.inbox, source.deltas).await;
        server.process.shut_down().await;
        Ok(Seen { deltas, extra: None })
    })
}

/// Pauses in the middle; a request made meanwhile is answered at once.
pub(super) fn paused(source: &Source) -> Outcome {
    run(async {
        let mut server = start(source, "flood").await?;
        let first = count_deltas(&mut server.inbox, source.deltas / 10).await;
        let asked = Instant::now();
        server.client.request("thread/loaded/list", &json!({})).await?;
        let answered = asked.elapsed();
        tokio::time::sleep(PAUSE.saturating_sub(answered)).await;
        let rest = count_deltas(&mut server.inbox, source.deltas - first).await;
        server.process.shut_down().await;
        Ok(Seen { deltas: first + rest, extra: Some(("request_ms", milliseconds(answered))) })
    })
}

/// A server request is open for five seconds; another caller's request is timed meanwhile.
pub(super) fn slow_answer(source: &Source) -> Outcome {
    run(async {
        let mut server = start(source, "ask").await?;
        let request = server_request(&mut server.inbox).await.ok_or("the app-server never asked")?;
        let answering = server.client.clone();
        let slow = async {
            tokio::time::sleep(SLOW_ANSWER).await;
            let Message::Request { id, .. } = request.message() else { return Err("not a request".into()) };
            answering.answer(&id, &json!({"decision": "decline"})).map_err(Box::<dyn Error>::from)
        };
        let mut worst = Duration::ZERO;
        let others = async {
            for _ in 0..100 {
                let asked = Instant::now();
                server.client.request("thread/loaded/list", &json!({})).await?;
                worst = worst.max(asked.elapsed());
            }
            Ok::<_, Box<dyn Error>>(())
        };
        let (slow, others) = tokio::join!(slow, others);
        slow?;
        others?;
        server.process.shut_down().await;
        Ok(Seen { deltas: 0, extra: Some(("request_ms", milliseconds(worst))) })
    })
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// One thread for reading and one for the consumer, as in a program that uses the client.
fn run(work: impl Future<Output = Outcome>) -> Outcome {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?.block_on(work)
}

async fn start(source: &Source, prompt: &str) -> Result<AppServer, Box<dyn Error>> {
    let mut launch = Launch::program(source.program.clone());
    launch.arguments.clone_from(&source.arguments);
    let server = AppServer::spawn(launch)?;
    server.client.initialize(&Introduction::new("flood", "1")).await?;
    let started = server.client.call::<calls::ThreadStart>(&say::ThreadStartParams::default()).await?;
    let thread = started.read()?.thread().ok_or("thread/start gave no thread")?.id.into_owned();
    let turn = say::TurnStartParams {
        approval_policy: Some(say::AskForApproval::OnRequest),
        ..say::TurnStartParams::new(thread, vec![say::TextUserInput::new(prompt).into()])
    };
    server.client.call::<calls::TurnStart>(&turn).await?;
    Ok(server)
}

async fn count_deltas(inbox: &mut Inbox, wanted: usize) -> usize {
    let mut deltas = 0;
    while deltas < wanted {
        let Some(line) = inbox.next().await else { break };
        deltas += usize::from(is_delta(&line));
    }
    deltas
}

fn is_delta(line: &Line) -> bool {
    match line.message() {
        Message::Notification(Notification::ItemAgentMessageDelta(it)) => {
            it.delta().is_some_and(|delta| !delta.is_empty())
        }
        _ => false,
    }
}

async fn server_request(inbox: &mut Inbox) -> Option<Line> {
    loop {
        let line = inbox.next().await?;
        if matches!(line.message(), Message::Request { .. }) {
            return Some(line);
        }
    }
}
