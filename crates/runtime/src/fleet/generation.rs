//! One app-server of an environment: from its start to its end, with a limited number of seats.

use std::{
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use selvedge_client::{Abilities, CallError, Client, ServerInfo, process::Process};
use serde_json::json;
use tokio::{
    sync::{OnceCell, watch},
    time::Instant,
};
use uuid::Uuid;

use super::{
    relays::{Gate, Note, Relayed},
    router::Board,
    stamp::Stamp,
    within::Held,
};

/// One app-server.
#[derive(Debug)]
pub(crate) struct Generation {
    pub(super) id: Uuid,
    pub(super) client: Client,
    pub(super) hold: Hold,
    pub(super) info: ServerInfo,
    pub(super) stamp: Option<Stamp>,
    /// Its threads look for their tools where the gateway is no more.
    is_astray: bool,
    pub(super) started: Instant,
    pub(super) board: Arc<Board>,
    pub(super) occupancy: watch::Sender<Occupancy>,
    pub(super) probe_limit: Duration,
    /// Who is still to come back to it.
    pub(super) gate: Gate,
    /// Asked for when somebody first wants to know.
    abilities: OnceCell<Arc<Abilities>>,
    /// Set before we end it: then its end is no death.
    wanted_end: AtomicBool,
}

/// Who holds an app-server's stdin, and with that its life.
#[derive(Debug)]
pub(super) enum Hold {
    /// We do.
    Child(Process),
    /// A relay does, which outlives us; and what is noted of it for whoever comes next.
    Relay(Relayed, Mutex<Note>),
    /// It is a task of this program; and how long it may take to end.
    Within(Held, Duration),
}

/// What a generation is made of.
pub(super) struct Parts {
    pub(super) id: Uuid,
    pub(super) client: Client,
    pub(super) hold: Hold,
    pub(super) info: ServerInfo,
    pub(super) stamp: Option<Stamp>,
    pub(super) is_astray: bool,
    pub(super) board: Arc<Board>,
    pub(super) threads: usize,
    pub(super) probe_limit: Duration,
    pub(super) gate: Gate,
}

/// Who sits in a generation, and whether it takes more.
#[derive(Debug, Clone, Copy)]
pub(super) struct Occupancy {
    /// Seats taken now.
    pub(super) seats: usize,
    /// Seats taken ever: a thread is not unloaded when its seat is free.
    pub(super) had: usize,
    limit: usize,
    retired: bool,
    /// What it was started with has been replaced: whoever sits here is to go elsewhere.
    outdated: bool,
    /// An earlier program had it for one session alone, which has not come back yet.
    reserved: bool,
    /// We have begun to end it.
    pub(super) ending: bool,
    ended: bool,
    abandoned: bool,
}

impl Occupancy {
    /// Nobody yet, of at most so many.
    pub(super) fn of(limit: usize) -> Self {
        Self {
            seats: 0,
            had: 0,
            limit,
            retired: false,
            outdated: false,
            reserved: false,
            ending: false,
            ended: false,
            abandoned: false,
        }
    }

    /// Whether it takes one more.
    pub(super) fn is_open(self) -> bool {
        !self.retired && !self.reserved && !self.ended && self.had < self.limit
    }

    /// Whether nobody needs to be told anything any more.
    pub(super) fn is_left(self) -> bool {
        self.seats == 0 || self.abandoned
    }

    /// Whether it has done its work.
    fn is_done(self) -> bool {
        self.seats == 0 && !self.is_open() && !self.reserved
    }

    /// Whoever was here before sits down again.
    fn take_back(&mut self) {
        self.seats += 1;
        self.retired |= std::mem::take(&mut self.reserved);
    }
}

impl Generation {
    pub(super) fn new(parts: Parts) -> Self {
        let Parts { id, client, hold, info, stamp, is_astray, board, threads, probe_limit, gate } = parts;
        let occupancy = Occupancy::of(threads);
        Self {
            id,
            client,
            hold,
            info,
            stamp,
            is_astray,
            started: Instant::now(),
            board,
            occupancy: watch::Sender::new(occupancy),
            probe_limit,
            gate,
            abilities: OnceCell::new(),
            wanted_end: AtomicBool::new(false),
        }
    }

    /// Whether its threads look for their tools where the gateway is no more.
    pub(crate) fn is_astray(&self) -> bool {
        self.is_astray
    }

    /// Asks and answers.
    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    /// The marker of the process: new for each.
    pub(crate) fn id(&self) -> Uuid {
        self.id
    }

    /// Its version.
    pub(crate) fn version(&self) -> Option<&str> {
        self.info.version()
    }

    /// What it can do.
    pub(crate) async fn abilities(&self) -> Result<Arc<Abilities>, CallError> {
        let asked = self.abilities.get_or_try_init(async || self.client.abilities().await.map(Arc::new));
        asked.await.map(Arc::clone)
    }

    /// Where it keeps its files, if it says so.
    pub(crate) fn codex_home(&self) -> Option<&Path> {
        self.info.codex_home().map(Path::new)
    }

    /// Its process id.
    pub(crate) fn pid(&self) -> Option<u32> {
        match &self.hold {
            Hold::Child(process) => Some(process.id()),
            Hold::Relay(relayed, _) => relayed.place().process().and_then(|pid| u32::try_from(pid).ok()),
            Hold::Within(..) => None,
        }
    }

    /// Whether it is not known to have ended.
    #[cfg(test)]
    pub(crate) fn is_alive(&self) -> bool {
        !self.occupancy.borrow().ended
    }

    /// It takes nothing new, and ends when its seats are free.
    pub(crate) fn retire(&self) {
        self.occupancy.send_modify(|now| now.retired = true);
    }

    /// The same, and whoever sits there is told to go as soon as it can. Said once, however often it is found out.
    pub(super) fn outdate(&self) {
        self.occupancy.send_if_modified(|now| {
            let news = !now.outdated;
            now.outdated = true;
            now.retired = true;
            news
        });
    }

    /// Waits until it is outdated.
    pub(super) async fn outdated(&self) {
        let mut occupancy = self.occupancy.subscribe();
        // The sender lives in `self`, so there is always an answer.
        drop(occupancy.wait_for(|now| now.outdated).await);
    }

    /// Whether it was found to be outdated; that stays so.
    pub(super) fn is_outdated(&self) -> bool {
        self.occupancy.borrow().outdated
    }

    /// Kills it now, with everything it started; its sessions hear that it is gone.
    pub(crate) async fn kill(&self) {
        self.wanted_end.store(true, Ordering::Release);
        self.kill_process().await;
    }

    /// Asks whether it is there. One that does not answer is killed, and counts as one that died; false then.
    pub(crate) async fn probe(&self) -> bool {
        let asked = self.client.request_within("thread/loaded/list", &json!({}), self.probe_limit).await;
        match asked {
            // A refusal is an answer.
            Ok(_) | Err(CallError::Refused { .. } | CallError::Unreadable { .. }) => true,
            Err(CallError::Ended { .. } | CallError::InputClosed { .. }) => false,
            Err(CallError::TimedOut { .. } | CallError::Unwritable { .. }) => {
                self.retire();
                self.kill_process().await;
                false
            }
        }
    }

    /// Takes a seat, if there is one.
    pub(super) fn sit(&self, then_retire: bool) -> bool {
        // Its last words are still being read, but it answers nobody.
        let answers = !self.client.has_ended();
        self.occupancy.send_if_modified(|now| {
            let open = answers && now.is_open();
            if open {
                now.seats += 1;
                now.had += 1;
                now.retired |= then_retire;
            }
            open
        })
    }

    /// Takes a seat for a thread that is loaded there already: also where no new one is taken in.
    pub(super) fn sit_again(&self, thread: &str) -> bool {
        self.board.knows(thread)
            && !self.client.has_ended()
            && self.occupancy.send_if_modified(|now| {
                let possible = !now.ending && !now.ended;
                if possible {
                    now.take_back();
                }
                possible
            })
    }

    /// Whether a thread that is loaded here can be had nowhere else for as long as somebody works here, or is about to.
    pub(super) fn keeps_others_waiting(&self) -> bool {
        let lets_go = self.abilities.get().is_some_and(|can| !can.holds_threads());
        !lets_go && (self.occupancy.borrow().seats > 0 || !self.gate.is_open())
    }

    /// Frees a seat.
    pub(super) fn stand_up(&self) {
        self.occupancy.send_modify(|now| now.seats = now.seats.saturating_sub(1));
    }

    /// Waits until it takes nothing new and has no seat taken. From then on nobody comes back either.
    pub(super) async fn done(&self) {
        let mut occupancy = self.occupancy.subscribe();
        loop {
            // The sender lives in `self`, so there is always an answer.
            drop(occupancy.wait_for(|now| now.is_done()).await);
            if self.end_if(Occupancy::is_done) {
                return;
            }
        }
    }

    /// Begins its end if nobody sits there; true then.
    pub(super) fn end_if_empty(&self) -> bool {
        self.end_if(|now| now.seats == 0)
    }

    fn end_if(&self, condition: impl FnOnce(Occupancy) -> bool) -> bool {
        self.occupancy.send_if_modified(|now| {
            let ends = condition(*now);
            now.ending |= ends;
            now.retired |= ends;
            ends
        })
    }

    /// The fleet ends: who still sits there is not waited for.
    pub(super) fn abandon(&self) {
        self.occupancy.send_modify(|now| now.abandoned = true);
    }

    /// It has ended.
    pub(super) fn mark_ended(&self) {
        self.occupancy.send_modify(|now| now.ended = true);
    }

    pub(super) fn is_end_wanted(&self) -> bool {
        self.wanted_end.load(Ordering::Acquire)
    }

    /// Ends it by the ladder.
    pub(super) async fn shut_down(&self) {
        self.wanted_end.store(true, Ordering::Release);
        self.end_if(|_| true);
        match &self.hold {
            Hold::Child(process) => drop(process.shut_down().await),
            Hold::Relay(relayed, _) => relayed.shut_down().await,
            Hold::Within(held, patience) => held.shut_down(&self.client, *patience).await,
        }
    }

    /// Leaves it running, if it can do without us, for whoever comes next; false if it cannot.
    pub(super) async fn leave(&self) -> bool {
        match &self.hold {
            Hold::Relay(relayed, _) => {
                self.client.close();
                relayed.leave();
                true
            }
            Hold::Child(_) | Hold::Within(..) => false,
        }
    }

    /// Notes from time to time, for whoever comes next, how far we have come with it.
    pub(super) async fn keep_note(&self) {
        match &self.hold {
            Hold::Relay(relayed, note) => relayed.keep_note(note, &self.board).await,
            Hold::Child(_) | Hold::Within(..) => std::future::pending().await,
        }
    }

    /// It has ended, and nobody needs to hear anything of it any more.
    pub(super) fn clear_away(&self) {
        if let Hold::Relay(relayed, _) = &self.hold {
            relayed.remove();
        }
    }

    /// Whether it outlives us.
    pub(crate) fn is_relayed(&self) -> bool {
        matches!(self.hold, Hold::Relay(..))
    }

    /// Takes a seat for somebody who was here before this program was.
    pub(super) fn sit_on(&self) {
        self.occupancy.send_modify(|now| {
            now.take_back();
            now.had += 1;
        });
    }

    /// It is one session's alone, also for whoever comes next.
    pub(super) async fn is_one_sessions(&self) {
        if let Hold::Relay(relayed, note) = &self.hold {
            relayed.note_isolated(note).await;
        }
    }

    /// A thread of it is told where its tools are: whoever comes next, and is elsewhere, has to tell it again.
    pub(crate) async fn tells_of_tools(&self, at: &str) {
        if let Hold::Relay(relayed, note) = &self.hold
            && !self.is_astray
        {
            relayed.note_tools_at(note, at).await;
        }
    }

    /// It was one session's alone.
    pub(super) fn reserve(&self) {
        self.occupancy.send_modify(|now| now.reserved = true);
    }

    /// Waits until it has ended and nothing of it is left.
    pub(super) async fn finished(&self) {
        match &self.hold {
            Hold::Child(process) => drop(process.finished().await),
            Hold::Relay(relayed, _) => {
                self.client.ended().await;
                relayed.sweep().await;
            }
            Hold::Within(..) => drop(self.client.ended().await),
        }
    }

    async fn kill_process(&self) {
        match &self.hold {
            Hold::Child(process) => drop(process.kill().await),
            Hold::Relay(relayed, _) => relayed.kill().await,
            Hold::Within(held, _) => drop(held.kill(&self.client).await),
        }
    }
}
