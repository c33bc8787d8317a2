//! What a fork took over: it lies in the journals of the sessions that it came from, up to where it was made.

use selvedge_session::{Code, Event, ForkedFrom, Timestamp, What};

use crate::{
    failure::Failure,
    history,
    place::{Place, Session},
};

/// What was taken over from one session.
pub(super) struct Taken {
    pub(super) from: ForkedFrom,
    /// When it was.
    at: Timestamp,
    /// Nothing if that session was removed.
    pub(super) session: Option<Session>,
}

/// What a session took over, the oldest first; nothing if it is no fork.
pub(super) async fn of(place: &Place, session: &Session) -> Result<Vec<Taken>, Failure> {
    let mut taken: Vec<Taken> = Vec::new();
    let mut next = Some(session.clone());
    while let Some(session) = next.take() {
        let Some((from, at)) = origin(&session).await? else { break };
        let before = match place.find(&from.session_id.to_string()).await {
            Err(error) if error.code == Code::NotFound => None,
            found => Some(found?),
        };
        next.clone_from(&before);
        taken.push(Taken { from, at, session: before });
    }
    taken.reverse();
    Ok(taken)
}

/// Where it came from, and when it was made: its first event says both.
async fn origin(session: &Session) -> Result<Option<(ForkedFrom, Timestamp)>, Failure> {
    let first = session.events(0).await?.there(1).await?;
    let Some(first) = first.first() else { return Ok(None) };
    let event = first.read()?;
    match event.what {
        What::SessionCreated(it) => Ok(it.settings.forked_from.clone().map(|from| (from, event.at))),
        _ => Ok(None),
    }
}

impl Taken {
    /// Hands on every event that was taken over.
    pub(super) async fn read(
        &self,
        mut each: impl FnMut(&Event) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Some(session) = &self.session else { return Ok(()) };
        let mut cut = Cut { from: &self.from, at: self.at, over: false, done: false };
        history::read(session, |event| if cut.takes(&event) { each(&event) } else { Ok(()) }).await
    }
}

/// Where what was taken over ends.
struct Cut<'a> {
    from: &'a ForkedFrom,
    at: Timestamp,
    /// Its last turn has ended.
    over: bool,
    done: bool,
}

impl Cut<'_> {
    /// Without a turn everything was taken over that was there; else the messages of that turn end right after it.
    fn takes(&mut self, event: &Event) -> bool {
        self.done |= match &self.from.turn_id {
            Some(_) => self.over && !matches!(event.what, What::MessageFinished(_)),
            None => event.at > self.at,
        };
        let ends = matches!(event.what, What::TurnCompleted(_)) && event.turn_id == self.from.turn_id;
        self.over |= self.from.turn_id.is_some() && ends;
        !self.done
    }
}
