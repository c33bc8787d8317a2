//! A session whose owner died or left, at an app-server that went on without one: it goes on listening where its records
//! end, and Codex repeats what it waits for.

use std::{sync::Arc, time::Duration};

use selvedge_client::{CallError, protocol::calls};
use selvedge_session::Settings;

use super::{
    Actor, Attachment, Brought, Leave, Source,
    seating::{self, Errand},
};
use crate::{
    fleet::Seat,
    relayed,
    secrets::SessionSecrets,
    to_codex::{self, ThreadExtras, ThreadNow},
};

/// For so long nothing is due: it may have happened while nobody was there.
const CATCHING_UP: Duration = Duration::from_secs(30);
/// Codex may still be about to take what our predecessor said with its last breath.
const LAST_BREATH: Duration = Duration::from_millis(500);

impl Actor {
    /// Goes on at the app-server that the records name; false if that is not there, or has nothing of ours under way.
    pub(super) async fn rejoin(&mut self) -> Result<bool, Leave> {
        let Some(source) = self.source.clone() else { return Ok(false) };
        // What cannot be taken over now is found at the next start.
        let _not_now = relayed::adopt_one(&self.house, source.process()).await;
        let joined = self.listen_on(&source).await;
        self.house.fleet.arrived(source.process(), self.id);
        joined
    }

    async fn listen_on(&mut self, source: &Source) -> Result<bool, Leave> {
        let Some(thread_id) = self.session.thread_id().map(str::to_owned) else { return Ok(false) };
        if !self.session.thread_ready() || !(self.session.has_work() || self.session.has_errands()) {
            return Ok(false);
        }
        let environment = seating::environment(&self.house, self.id, self.session.settings()).await;
        let Ok(environment) = environment.map(Arc::new) else { return Ok(false) };
        // We are about to end ourselves: whoever comes next goes on.
        let seat = self.house.fleet.seat_on(&environment, source.process()).map_err(|_| Leave::Parting)?;
        let Some(seat) = seat else { return Ok(false) };
        // Before anything that holds them is read.
        let secrets = self.house.secrets_of(self.id, self.session.settings()).await.unwrap_or_default();
        for secret in secrets.values() {
            seat.generation.client().redactions().add(&secret);
        }
        self.process = Some(source.process());
        self.catching_up = Some(self.house.clock.now() + CATCHING_UP);
        seat.listen_on(&thread_id, source.heard().clone(), self.mailbox.clone());
        // Whatever else is to be done in order waits until it is known what is done.
        self.lane_busy = true;
        let settings = self.session.settings().clone();
        let unsure = self.session.has_turn() && self.session.turn_id().is_none();
        self.found_begun = self.session.begun();
        let seat = Arc::new(seat);
        self.coming_back = Some(Arc::clone(&seat));
        let back = Back { errand: self.errand(), settings, secrets, seat, thread_id, unsure };
        self.spawn(back.come());
        Ok(true)
    }
}

/// A seat that was ours.
struct Back {
    errand: Errand,
    settings: Settings,
    secrets: SessionSecrets,
    seat: Arc<Seat>,
    thread_id: String,
    /// Whether a turn was begun of which nothing is known.
    unsure: bool,
}

impl Back {
    /// Has Codex repeat what it waits for, and then say when it was all. If it has ended, its router says so after its last
    /// words.
    async fn come(self) {
        let resumed = self.resume().await;
        let lives = resumed.is_ok();
        if lives && self.unsure {
            tokio::time::sleep(LAST_BREATH).await;
        }
        let Self { errand, seat, thread_id, .. } = self;
        let now = resumed.unwrap_or_default();
        let attachment = Attachment { seat: Arc::clone(&seat), thread_id, now };
        // Nothing is begun at one that has ended, but its last words are listened to.
        errand.bring(Brought::Seated(Box::new(attachment), Vec::new()), lives).await;
        if lives {
            // As above.
            let _ended = seat.mark();
        }
    }

    async fn resume(&self) -> Result<ThreadNow, CallError> {
        let client = self.seat.generation.client();
        let can = self.seat.generation.abilities().await?;
        if !can.holds_threads() {
            // One that loads a running thread once more has two of it then, and an interrupt reaches the wrong one. Its
            // questions were heard when they were asked.
            return Ok(ThreadNow { can, ..ThreadNow::default() });
        }
        // What is loaded keeps what it was loaded with: nothing has to be found out for it.
        let mcp_servers = self.secrets.mcp_servers.clone();
        let extras = ThreadExtras { mcp_servers, can: Arc::clone(&can), ..ThreadExtras::default() };
        let said = to_codex::thread_resume(&self.thread_id, &self.settings, &extras);
        match client.call::<calls::ThreadResume>(&said.params).await {
            Ok(answer) => Ok(ThreadNow::of_reply(answer.reply().result(), can)),
            Err(ended @ (CallError::Ended { .. } | CallError::InputClosed { .. })) => Err(ended),
            // It is loaded, and goes on; only what it waits for is not repeated.
            Err(error) => {
                tracing::warn!(thread = self.thread_id, %error, "a thread that runs could not be joined again");
                Ok(ThreadNow { can, ..ThreadNow::default() })
            }
        }
    }
}
