//! Sessions of the server that is measured: made, and spoken to.

use std::{slice, thread, time::Duration};

use serde_json::json;

use crate::{
    Failure,
    server::{Place, Play, Server},
    talk::Talk,
};

/// Connections that make or speak at once.
const AT_ONCE: usize = 16;

/// A session, and how far it is.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) last_seq: u64,
}

/// Makes sessions, each with a thread at an app-server and a first message behind it.
pub(crate) fn make(server: &Server, count: usize) -> Result<Vec<Session>, Failure> {
    let cwd = json!({ "cwd": server.directory() });
    let numbers: Vec<usize> = (0..count).collect();
    each(&server.place, &numbers, |talk, _| {
        let id = talk.post("/v1/sessions", &cwd, None)?.text("id")?;
        say(talk, &id, "hello")?;
        let session = talk.get(&format!("/v1/sessions/{id}"))?.json()?;
        let last_seq = session["last_seq"].as_u64().ok_or("a session has no `last_seq`")?;
        Ok(Session { id, last_seq })
    })
}

/// Says something, and waits for the message's end.
pub(crate) fn say(talk: &mut Talk, session: &str, text: &str) -> Result<(), Failure> {
    let messages = format!("/v1/sessions/{session}/messages");
    let message = talk.post(&messages, &json!({ "text": text }), None)?.text("message_id")?;
    let state = talk.get(&format!("{messages}/{message}?wait=60"))?.text("state")?;
    if state == "completed" { Ok(()) } else { Err(format!("a message is {state}").into()) }
}

/// Tells every session to begin.
pub(crate) fn begin(place: &Place, sessions: &[Session], play: &Play) -> Result<(), Failure> {
    let body = json!({ "text": play.message });
    let begun = each(place, sessions, |talk, session| {
        talk.post(&format!("/v1/sessions/{}/messages", session.id), &body, None)?.json()
    });
    begun.map(drop)
}

/// The same, while others go on reading.
pub(crate) async fn begin_beside(place: &Place, sessions: &[Session], play: &Play) -> Result<(), Failure> {
    let (place, sessions, play) = (place.clone(), sessions.to_vec(), play.clone());
    tokio::task::spawn_blocking(move || begin(&place, &sessions, &play)).await?
}

/// Tells them one after the other, evenly within `period`: models that know nothing of each other do not speak in step.
pub(crate) async fn begin_in_turn(
    place: &Place,
    sessions: &[Session],
    play: &Play,
    period: Duration,
) -> Result<(), Failure> {
    let mut turn = tokio::time::interval(period / u32::try_from(sessions.len()).unwrap_or(u32::MAX).max(1));
    for session in sessions {
        turn.tick().await;
        begin_beside(place, slice::from_ref(session), play).await?;
    }
    Ok(())
}

/// Does something with each, over some connections at once; answers come in the same order.
fn each<T: Sync, R: Send>(
    place: &Place,
    items: &[T],
    act: impl Fn(&mut Talk, &T) -> Result<R, Failure> + Sync,
) -> Result<Vec<R>, Failure> {
    let share = items.len().div_ceil(AT_ONCE).max(1);
    let shares = thread::scope(|scope| {
        let working: Vec<_> = items
            .chunks(share)
            .map(|items| {
                scope.spawn(|| {
                    let mut talk = Talk::open(place)?;
                    items.iter().map(|item| act(&mut talk, item)).collect::<Result<Vec<R>, Failure>>()
                })
            })
            .collect();
        let done = working.into_iter().map(|working| working.join().map_err(|_| "a thread has died")?);
        done.collect::<Result<Vec<Vec<R>>, Failure>>()
    });
    Ok(shares?.into_iter().flatten().collect())
}
