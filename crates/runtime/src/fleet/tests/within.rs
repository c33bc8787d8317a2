//! A stand-in that is a task of this program: it is shared, ended and replaced like a process.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use selvedge_client::process::Ladder;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream};

use super::stage::{finished, options, raw_shell, shared};
use crate::fleet::{Environment, Fleet, FleetError, FleetOptions, Isolation, Stage, Within};

const ACCEPTED: &str =
    "{\"id\":1000000001,\"result\":{\"userAgent\":\"task/0.166.0 (task)\",\"codexHome\":\"/nowhere\"}}\n";

/// Answers the handshake, and does then what `rest` says.
fn within<F>(rest: impl Fn(BufReader<DuplexStream>) -> F + Send + Sync + Clone + 'static) -> Within
where
    F: Future<Output = io::Result<()>> + Send + 'static,
{
    Within::new(move |_: Stage, stream| {
        let rest = rest.clone();
        async move {
            let mut stream = BufReader::new(stream);
            stream.read_line(&mut String::new()).await?;
            stream.get_mut().write_all(ACCEPTED.as_bytes()).await?;
            rest(stream).await
        }
    })
}

fn fleet(within: Within) -> Fleet {
    let ladder = Ladder { after_eof: Duration::from_millis(10), ..Ladder::default() };
    Fleet::new(FleetOptions { within: Some(within), ladder, ..options() })
}

/// Nothing is started: this program would say nothing.
fn environment() -> Arc<Environment> {
    raw_shell("exit 1")
}

async fn to_the_end(mut stream: BufReader<DuplexStream>) -> io::Result<()> {
    while stream.read_line(&mut String::new()).await? > 0 {}
    Ok(())
}

#[tokio::test]
async fn it_is_shared_killed_and_replaced() {
    let (fleet, environment) = (fleet(within(to_the_end)), environment());
    let seat = shared(&fleet, &environment).await;
    assert_eq!(shared(&fleet, &environment).await.generation.id(), seat.generation.id());
    assert_eq!((seat.generation.version(), seat.generation.pid()), (Some("0.166.0"), None));
    seat.generation.kill().await;
    finished(&seat.generation).await;
    let again = shared(&fleet, &environment).await;
    assert_ne!(again.generation.id(), seat.generation.id());
    fleet.shut_down().await;
    finished(&again.generation).await;
}

#[tokio::test]
async fn one_that_stays_when_its_input_ends_is_ended() {
    let stays = async |stream: BufReader<DuplexStream>| {
        let _open = stream;
        std::future::pending().await
    };
    let fleet = fleet(within(stays));
    let seat = shared(&fleet, &environment()).await;
    fleet.shut_down().await;
    finished(&seat.generation).await;
}

#[tokio::test]
async fn one_that_panics_says_so() {
    let fleet = fleet(Within::new(async |_: Stage, _: DuplexStream| panic!("a mistake in a test")));
    let error = fleet.seat(&environment(), Isolation::Shared).await.expect_err("nobody can have a seat");
    let FleetError::GaveUp { stderr_tail, .. } = error else { panic!("{error}") };
    assert_eq!(stderr_tail, "the stand-in panicked");
    fleet.shut_down().await;
}
