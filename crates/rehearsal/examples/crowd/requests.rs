//! How many requests a second are answered, each connection asking again as soon as it is answered.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Instant,
};

use serde_json::json;

use crate::{
    Failure, Load, Measured,
    server::{Play, Server},
    sessions::{self, Session},
    talk::Talk,
};

/// Messages that wait in one session: a longer queue would be another question.
const QUEUED: usize = 50;

/// A session with everything that is told about it.
pub(crate) fn get(load: &Load) -> Measured {
    let server = Server::start(load, &[])?;
    let made = sessions::make(&server, load.sessions)?;
    ask(&server, load, |talk, number| {
        let session = &made[number % made.len()];
        talk.get(&format!("/v1/sessions/{}", session.id))?.json().map(drop)
    })
}

/// A message with a key, accepted and durable; it waits behind a turn that runs.
pub(crate) fn post(load: &Load) -> Measured {
    let stay = Play::stay();
    let server = Server::start(load, &[&stay])?;
    let made = sessions::make(&server, load.amount.div_ceil(QUEUED))?;
    sessions::begin(&server.place, &made, &stay)?;
    ask(&server, load, |talk, number| {
        let session = &made[number % made.len()];
        let body = json!({ "text": "hello, this message waits for the turn before it" });
        let key = format!("key-{number}");
        let messages = format!("/v1/sessions/{}/messages", session.id);
        talk.post(&messages, &body, Some(&key))?.json().map(drop)
    })
}

/// A whole turn: a message, and its result.
pub(crate) fn turns(load: &Load) -> Measured {
    let server = Server::start(load, &[])?;
    let made: Vec<Session> = sessions::make(&server, load.sessions)?;
    ask(&server, load, |talk, number| sessions::say(talk, &made[number % made.len()].id, "hello"))
}

/// Asks so many times, over so many connections.
pub(crate) fn ask(
    server: &Server,
    load: &Load,
    act: impl Fn(&mut Talk, usize) -> Result<(), Failure> + Sync,
) -> Measured {
    let next = AtomicUsize::new(0);
    let (busy, begun) = (server.cpu_seconds(), Instant::now());
    thread::scope(|scope| {
        let asking: Vec<_> = (0..load.sessions)
            .map(|_| {
                scope.spawn(|| -> Result<(), Failure> {
                    let mut talk = Talk::open(&server.place)?;
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= load.amount {
                            return Ok(());
                        }
                        act(&mut talk, number)?;
                    }
                })
            })
            .collect();
        asking.into_iter().try_for_each(|asking| asking.join().map_err(|_| "a thread has died")?)
    })?;
    let (seconds, cpu) = (begun.elapsed().as_secs_f64(), server.cpu_seconds() - busy);
    let each = cpu / load.amount as f64 * 1e6;
    Ok(json!({ "requests": load.amount, "seconds": seconds, "cpu_micros": each }))
}
