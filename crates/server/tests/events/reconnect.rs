//! A reader whose connection breaks again and again, at random points: nothing is lost, nothing comes twice.

use selvedge_runtime::{Message, SessionHandle};

use crate::{
    following::{self, Following, Frame},
    support::stage::{Stage, in_time},
};

/// Three seconds of deltas.
const STEADY: &str = r#"
name = "steady"
[[rule]]
contains = "[flood]"
step = [ { do = [ { flood = { deltas = 3000, every_ms = 1 } } ] } ]
"#;

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_times_on_the_stand_in() {
    in_time(async {
        let stage = Stage::playing(STEADY).await;
        let session = following::session(&stage).await;
        broken_again_and_again(&stage, &session, "[flood]", (200, 12)).await;
        stage.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_times_on_the_real_codex() {
    in_time(async {
        let stage = Stage::real().await;
        let session = following::session(&stage).await;
        broken_again_and_again(&stage, &session, "[thread real]", (200, 3)).await;
        stage.close().await;
    })
    .await;
}

/// Reads messages while they run over many connections, each broken after at most so many events, until it was connected
/// anew so often. (Deltas that come at once are one event: how many there are of a message depends on the machine.)
async fn broken_again_and_again(
    stage: &Stage,
    session: &SessionHandle,
    text: &str,
    (times, most): (usize, u64),
) {
    let mut dice = Dice(0x5e1f_ed6e);
    let path = format!("/v1/sessions/{}/events", session.id());
    let mut seen: Vec<Frame> = Vec::new();
    let mut connections = 0;
    while connections <= times {
        session.send(Message::text(text)).await.unwrap();
        let mut finished = false;
        while !finished {
            let last = seen.last().map(|last| last.id.clone());
            let mut stream = Following::open(&stage.http, &path, last.as_deref()).await;
            connections += 1;
            for _ in 0..dice.up_to(most) {
                seen.push(stream.next().await.unwrap());
                finished = seen.last().unwrap().event == "message.finished";
                if finished {
                    break;
                }
            }
        }
    }
    let kept = following::all(&stage.http, session).await;
    for (seq, frame) in (1_u64..).zip(&seen) {
        assert_eq!(frame.id, seq.to_string(), "each once, in order");
        let place = usize::try_from(seq - 1).unwrap();
        assert_eq!(frame.json(), kept[place], "as it is kept");
    }
}

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn up_to(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        1 + (self.0 >> 33) % most
    }
}
