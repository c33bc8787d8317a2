//! One step of a session's owner: apply, append, do.

use std::time::Duration;

use selvedge_journal::{AppendError, Record};
use selvedge_session::{Begun, Code, Effect, Heard, Input, Output, RequestKey, Timestamp};

use super::source::Source;
use super::{Actor, Ask, Brought, Done, IdempotencyKey, Leave, News, TOGETHER, Wish, joining};
use crate::{
    error::Error,
    fleet::{Letter, Owner},
    keys::{self, Used},
    ledger::{Draft, LEASE, table},
    runtime::takes,
    tally,
};

/// How long we wait before we look whether there is room again.
const ROOM: Duration = Duration::from_millis(500);
/// How long what is under way may take when the owner goes.
const PARTING: Duration = Duration::from_secs(5);

impl Actor {
    /// Whatever the last owner had under way has lost its app-server; what was not answered is asked again.
    pub(super) async fn begin(&mut self) -> Result<(), Leave> {
        self.take(self.unheard_calls()).await?;
        if self.rejoin().await? {
            return Ok(());
        }
        let first = match (self.session.has_turn(), self.session.thread_ready()) {
            (true, true) => {
                let reason = "the program that ran it ended".to_owned();
                Heard::ProcessGone { reason, stderr_tail: String::new() }
            }
            // The owner before us told the end of its app-server, and died before it had another.
            (true, false) => Heard::Orphaned,
            (false, _) => Heard::Parted,
        };
        self.take(vec![Input::Heard(first), Input::Tick]).await
    }

    /// Calls of tools whose callers ended with the program that they talked to.
    fn unheard_calls(&self) -> Vec<Input> {
        let ended = |key: &&RequestKey| {
            let caller: Option<Owner> = key.caller().and_then(|caller| caller.parse().ok());
            caller.is_some_and(|caller| caller != self.house.owner && !caller.is_alive())
        };
        let keys = self.session.open_tools().map(|open| open.key).filter(ended);
        keys.map(|key| Input::Heard(Heard::Withdrawn(key.clone()))).collect()
    }

    /// When there will have been nothing to do for long enough.
    pub(super) fn rests_at(&self) -> Option<Timestamp> {
        let at_rest = !self.session.has_work()
            && self.session.next_wake().is_none()
            && self.lane.is_empty()
            && !self.lane_busy
            && self.told.is_empty();
        at_rest.then(|| self.last_busy + Duration::from_secs(self.house.config.idle_seconds))
    }

    /// Applies what cannot be refused, and does what follows.
    pub(super) async fn take(&mut self, inputs: Vec<Input>) -> Result<(), Leave> {
        let now = self.house.clock.now();
        let mut draft = Draft::default();
        let mut effects = Vec::new();
        for input in inputs {
            // Only commands are refused, and none is among these.
            let Ok(output) = self.session.apply(input, now) else { continue };
            self.enter(&mut draft, output, &mut effects)?;
        }
        self.intend(&mut draft, &effects).map_err(Leave::Fenced)?;
        self.append(draft, now).await?;
        self.perform(effects);
        Ok(())
    }

    /// What the machine said goes into the record; what it wants done waits.
    fn enter(&mut self, draft: &mut Draft, output: Output, effects: &mut Vec<Effect>) -> Result<(), Leave> {
        self.tell(draft, &output.events);
        self.counted.see(&output.events);
        effects.extend(output.effects);
        draft.add(&output.events, output.facts).map_err(Leave::Fenced)
    }

    pub(super) async fn answer(&mut self, ask: Ask) -> Result<(), Leave> {
        self.last_busy = self.house.clock.now();
        match ask {
            Ask::Look(reply) => {
                // Whoever asked may have left.
                let _left = reply.send(Ok(self.look()));
                Ok(())
            }
            Ask::Rest => Err(Leave::Parting),
            Ask::GiveUp(reply) => {
                self.parting = Some(reply);
                Err(Leave::Parting)
            }
            Ask::Command { wish, reply } => {
                let Wish { command, key } = *wish;
                self.move_if_outdated().await?;
                let done = self.command(command, key).await;
                let (answer, end) = match done {
                    Ok(done) => (Ok(done), Ok(())),
                    Err(Refused::Command(error)) => (Err(error), Ok(())),
                    Err(Refused::Fenced(error)) => (Err(error.clone()), Err(Leave::Fenced(error))),
                };
                let _left = reply.send(answer);
                end
            }
        }
    }

    /// Does what somebody wants. Without room for it nothing has changed.
    async fn command(
        &mut self,
        command: selvedge_session::Command,
        key: Option<IdempotencyKey>,
    ) -> Result<Done, Refused> {
        if let Some(key) = &key
            && let Some(before) = self.done_before(key).await?
        {
            return Ok(Done::Before(before.message_id));
        }
        takes(&self.house.config, &self.session, &command)?;
        let now = self.house.clock.now();
        let before = (self.session.clone(), self.indexed_open, self.unkept);
        let output = self.session.apply(Input::Command(command), now).map_err(Error::from)?;
        let mut draft = Draft::default();
        let mut effects = Vec::new();
        if let Some(key) = key {
            let used = Used::new(now, &key.digest, key.message_id);
            draft.index(table::KEYS, self.scoped(&key), used.written());
        }
        let entered = self.enter(&mut draft, output, &mut effects).map_err(Refused::from);
        let entered = entered.and_then(|()| self.intend(&mut draft, &effects).map_err(Refused::from));
        let record = entered.and_then(|()| self.finish(draft, now).map_err(Refused::from));
        let appended = match record {
            Ok(record) => self.append_once(record).await.map_err(Refused::of_append),
            Err(refused) => Err(refused),
        };
        if let Err(refused) = appended {
            (self.session, self.indexed_open, self.unkept) = before;
            self.counted = tally::Step::default();
            return Err(refused);
        }
        self.perform(effects);
        Ok(Done::Now)
    }

    /// What a key was used for before.
    async fn done_before(&self, key: &IdempotencyKey) -> Result<Option<Used>, Refused> {
        let used = keys::recall(&self.house, &self.scoped(key), &key.digest).await?;
        Ok(used.map(|(_, used)| used))
    }

    /// A key is the session's own: another may use the same.
    fn scoped(&self, key: &IdempotencyKey) -> String {
        format!("{}/{}", self.id, key.key)
    }

    /// What a task of ours brings.
    pub(super) async fn receive(&mut self, news: News) -> Result<(), Leave> {
        if news.ticket != self.ticket {
            return Ok(());
        }
        self.last_busy = self.house.clock.now();
        if news.frees_lane {
            self.lane_busy = false;
            self.doing = None;
        }
        let heard = match news.what {
            Brought::Heard(heard) => heard,
            Brought::OfMessage(message_id, heard) if self.session.is_under_way(message_id) => heard,
            Brought::OfMessage(..) => Vec::new(),
            Brought::Sitting { process, relayed } => {
                self.process = Some(process);
                self.source = relayed.then(|| Source::go_on(self.source.take(), process));
                Vec::new()
            }
            Brought::Gone { process, reason, stderr_tail } => self.left_alone(process, reason, stderr_tail),
            Brought::Seated(attachment, heard) => {
                self.seated(*attachment);
                heard
            }
        };
        if heard.iter().any(|heard| matches!(heard, Heard::Parted)) {
            self.attachment = None;
        }
        self.take(heard.into_iter().map(Input::Heard).collect()).await?;
        self.advance_lane();
        Ok(())
    }

    /// What is under way beside messages (a name, an archive) is done before the owner goes; else at the next start.
    pub(super) async fn finish_errands(&mut self) -> Result<(), Leave> {
        let mut together = Vec::new();
        let too_long = tokio::time::sleep(PARTING);
        tokio::pin!(too_long);
        while self.lane_busy && !self.session.has_work() {
            tokio::select! {
                biased;
                Some(news) = self.news.recv() => {
                    self.receive(news).await?;
                    too_long.as_mut().reset(tokio::time::Instant::now() + PARTING);
                }
                // The same as if we had died now.
                () = &mut too_long => return Ok(()),
                // The app-server may end meanwhile, and then another one does it.
                _ = self.told.take(&mut together, TOGETHER) => self.listen(&mut together).await?,
            }
        }
        Ok(())
    }

    /// What Codex says: all of it that is there, joined.
    pub(super) async fn listen(&mut self, together: &mut Vec<Letter>) -> Result<(), Leave> {
        self.last_busy = self.house.clock.now();
        let many = together.len();
        let mut heard = Vec::with_capacity(many);
        for told in together.drain(..).map(|letter| *letter) {
            // A process that we have left may still be talking.
            if self.process != Some(told.process) {
                continue;
            }
            if let Some(source) = &mut self.source {
                source.hear(&told);
            }
            match told.heard {
                Heard::ProcessGone { reason, stderr_tail } => {
                    heard.extend(self.left_alone(told.process, reason, stderr_tail));
                }
                Heard::CaughtUp { .. } => {
                    self.catching_up = None;
                    heard.push(Heard::CaughtUp { begun: std::mem::take(&mut self.found_begun) });
                }
                other => {
                    self.remember_question(&other);
                    joining::push(&mut heard, other);
                }
            }
        }
        self.move_at_the_end(&mut heard);
        self.take(heard.into_iter().map(Input::Heard).collect()).await?;
        self.told.settle(many);
        Ok(())
    }

    fn remember_question(&mut self, heard: &Heard) {
        if let Heard::Asked { key, request, .. } = heard {
            self.questions.insert(key.clone(), request.clone());
        }
    }

    /// The app-server is gone: what was asked of it is void.
    fn left_alone(&mut self, process: uuid::Uuid, reason: String, stderr_tail: String) -> Vec<Heard> {
        if self.process != Some(process) {
            return Vec::new();
        }
        self.leave();
        self.deaths += 1;
        vec![Heard::ProcessGone { reason, stderr_tail }]
    }

    /// Nothing of the app-server concerns us from now on.
    pub(super) fn leave(&mut self) {
        self.process = None;
        self.attachment = None;
        self.coming_back = None;
        self.catching_up = None;
        self.found_begun = Begun::default();
        self.ticket += 1;
        self.lane.clear();
        self.lane_busy = false;
        self.doing = None;
        self.questions.clear();
        self.intended.clear();
        self.tasks.abort_all();
    }

    /// Gives the session up, so that anyone may take it.
    pub(super) async fn part(&mut self) -> Result<(), Error> {
        if let Err(Leave::Fenced(error)) = self.finish_errands().await {
            return Err(error);
        }
        let now = self.house.clock.now();
        let mut draft = Draft::default();
        if !self.session.has_turn()
            && let Ok(output) = self.session.apply(Input::Heard(Heard::Parted), now)
        {
            draft.add(&output.events, output.facts)?;
        }
        draft.put(LEASE, &None::<String>)?;
        let record = self.finish(draft, now)?;
        self.append_once(record).await?;
        // The thread stays loaded where it is; who needs it next finds it there.
        self.attachment = None;
        Ok(())
    }

    fn finish(&mut self, mut draft: Draft, now: Timestamp) -> Result<Record, Error> {
        self.sum_up(&mut draft);
        if let Some(source) = &mut self.source {
            source.put(&mut draft)?;
        }
        draft.finish(&self.session, now, &mut self.unkept)
    }

    /// Appends, and waits if there is no room or the journal is locked; meanwhile nothing new is taken on.
    async fn append(&mut self, draft: Draft, now: Timestamp) -> Result<(), Leave> {
        if draft.is_empty() {
            return Ok(());
        }
        let record = self.finish(draft, now).map_err(Leave::Fenced)?;
        loop {
            match self.append_once(record.clone()).await {
                Ok(()) => return Ok(()),
                Err(error) if error.is_passing() => self.wait_for_room(error.into()).await?,
                Err(error) => return Err(Leave::Fenced(error.into())),
            }
        }
    }

    /// Looks again after a moment. Whoever wants us to go does not wait for room: what was heard and not kept is found
    /// out again at the next start.
    async fn wait_for_room(&mut self, why: Error) -> Result<(), Leave> {
        let look_again = tokio::time::sleep(ROOM);
        tokio::pin!(look_again);
        loop {
            let ask = tokio::select! {
                () = &mut look_again => return Ok(()),
                Some(ask) = self.asks.recv() => ask,
            };
            match ask {
                Ask::Look(reply) => _ = reply.send(Ok(self.look())),
                Ask::Rest => return Err(Leave::Fenced(why)),
                other => other.refuse(&why),
            }
        }
    }

    async fn append_once(&mut self, record: Record) -> Result<(), AppendError> {
        self.n = self.house.append_ours(&self.key, self.n, record).await?.n;
        self.house.tallies.add(std::mem::take(&mut self.counted));
        Ok(())
    }
}

/// Why a command was not done.
enum Refused {
    /// It may not, or cannot now.
    Command(Error),
    /// The session is no longer ours.
    Fenced(Error),
}

impl Refused {
    fn of_append(error: AppendError) -> Self {
        if error.is_passing() { Self::Command(error.into()) } else { Self::Fenced(error.into()) }
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::Command(error)
    }
}

impl From<Leave> for Refused {
    fn from(leave: Leave) -> Self {
        match leave {
            Leave::Fenced(error) => Self::Command(error),
            Leave::Idle | Leave::Parting => Self::Command(Error::of(Code::Internal)),
        }
    }
}

#[cfg(test)]
mod tests {
    use selvedge_journal::StoreError;

    use super::*;

    #[test]
    fn only_who_lost_the_session_leaves_it() {
        let place = || "journal.db".to_owned();
        let cases = [
            (AppendError::Store(StoreError::StorageFull { place: place() }), true),
            (AppendError::Store(StoreError::Busy { place: place() }), true),
            (AppendError::Store(StoreError::Closed), false),
            (AppendError::Conflict { last_n: 7 }, false),
        ];
        for (error, stays) in cases {
            let refused = Refused::of_append(error.clone());
            assert_eq!(matches!(refused, Refused::Command(_)), stays, "{error}");
        }
    }
}
