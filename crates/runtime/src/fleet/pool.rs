//! The app-servers of one environment: those in use, the one that waits, and how many have died.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use selvedge_client::{End, Redactions};
use tokio::sync::watch;
use uuid::Uuid;

use super::{
    Isolation,
    budget::{LastWords, MayStart, RestartBudget},
    environment::Environment,
    generation::Generation,
    options::FleetOptions,
    seat::Seat,
};

/// Whoever starts an app-server holds this: Codex migrates its files at a start, and two at once would meet there.
pub(super) type StartTurn = Arc<tokio::sync::Mutex<()>>;

/// Where a thread is loaded that was here before.
#[derive(Debug)]
pub(crate) enum Again {
    /// Where it can go on.
    There(Seat),
    /// Where nothing new is begun, and where it has to be let go of before it can be had elsewhere.
    InThePast(Seat),
}

/// The app-servers of one environment.
#[derive(Debug)]
pub(super) struct Pool {
    pub(super) environment: Arc<Environment>,
    /// One start at a time; shared with every pool of the same CODEX_HOME.
    pub(super) start_turn: StartTurn,
    /// What is not repeated of its last words.
    redactions: Redactions,
    state: Mutex<State>,
    /// How many seats are taken.
    users: watch::Sender<usize>,
    next_seat: AtomicU64,
}

#[derive(Debug)]
struct State {
    budget: RestartBudget,
    in_use: Vec<Arc<Generation>>,
    warm: Option<Arc<Generation>>,
    warming: bool,
}

impl Pool {
    pub(super) fn new(environment: Arc<Environment>, start_turn: StartTurn, options: &FleetOptions) -> Self {
        let state = State {
            budget: RestartBudget::new(options.restart.clone()),
            in_use: Vec::new(),
            warm: None,
            warming: false,
        };
        Self {
            environment,
            start_turn,
            redactions: options.redactions.clone(),
            state: Mutex::new(state),
            users: watch::Sender::new(0),
            next_seat: AtomicU64::new(0),
        }
    }

    /// A seat in what is there already.
    pub(super) fn take(self: &Arc<Self>, isolation: Isolation) -> Option<Seat> {
        self.retire_outdated();
        let mut state = self.lock();
        let alone = isolation == Isolation::Isolated;
        if !alone && let Some(open) = state.in_use.iter().find(|open| open.sit(false)) {
            return Some(Seat::new(Arc::clone(open), Arc::clone(self)));
        }
        // It waits no longer, whether it can be sat in or not: an outdated one is on its way out.
        let warm = state.warm.take()?;
        state.in_use.push(Arc::clone(&warm));
        warm.sit(alone).then(|| Seat::new(warm, Arc::clone(self)))
    }

    /// A seat where this thread is loaded already. Codex holds a thread's file for half an hour after its last listener
    /// has left, so another process could not have it. In one that is outdated there is a seat only while others keep it
    /// at work, to have the thread let go of there: once it is empty it ends, and lets go of all. A thread that another
    /// session works with is left where it is.
    pub(super) fn take_again(self: &Arc<Self>, thread: &str) -> Option<Again> {
        let all = self.generations().into_iter();
        let (past, now): (Vec<_>, Vec<_>) = all.partition(|one| self.retire_if_outdated(one));
        let seat = |one| Seat::new(one, Arc::clone(self));
        if let Some(one) = now.into_iter().find(|one| one.sit_again(thread)) {
            return Some(Again::There(seat(one)));
        }
        let one = past.into_iter().find(|one| one.keeps_others_waiting() && one.sit_again(thread))?;
        let again = if one.board.is_heard(thread) { Again::There } else { Again::InThePast };
        Some(again(seat(one)))
    }

    /// Whether a seat of this kind is to be had in what is there.
    pub(super) fn has_room(&self, isolation: Isolation) -> bool {
        let state = self.lock();
        let open = |generation: &Arc<Generation>| generation.occupancy.borrow().is_open();
        state.warm.as_ref().is_some_and(open)
            || isolation == Isolation::Shared && state.in_use.iter().any(open)
    }

    /// Takes a new generation in. It waits until somebody takes it, and there is only one that does: who starts one has
    /// the turn, and has looked that there is none.
    pub(super) fn admit(&self, generation: Arc<Generation>) {
        let mut state = self.lock();
        let outdated = state.warm.replace(generation);
        state.in_use.extend(outdated);
    }

    /// Takes one in that an earlier program used. One that nobody had used waits again.
    pub(super) fn adopt(&self, generation: Arc<Generation>) {
        let mut state = self.lock();
        if state.warm.is_none() && !generation.board.has_threads() {
            state.warm = Some(generation);
        } else {
            state.in_use.push(generation);
        }
    }

    /// The one with this marker.
    pub(super) fn generation(&self, id: Uuid) -> Option<Arc<Generation>> {
        self.generations().into_iter().find(|one| one.id == id)
    }

    /// A generation has ended.
    pub(super) fn ended(&self, generation: &Generation, end: &End) {
        generation.mark_ended();
        let mut state = self.lock();
        state.in_use.retain(|other| other.id != generation.id);
        if state.warm.as_ref().is_some_and(|warm| warm.id == generation.id) {
            state.warm = None;
        }
        if !generation.is_end_wanted() {
            state.budget.died(generation.started.elapsed(), self.last_words(end));
        }
    }

    /// One has ended before it could be taken in.
    pub(super) fn died_at_birth(&self, end: &End) {
        self.lock().budget.died(Duration::ZERO, self.last_words(end));
    }

    pub(super) fn may_start(&self) -> MayStart {
        self.lock().budget.may_start()
    }

    pub(super) fn forgive(&self) {
        self.lock().budget.forgive();
    }

    /// Whether somebody is to start one that waits; whoever is told so does it, and says when it is done.
    pub(super) fn begin_warming(&self) -> bool {
        let mut state = self.lock();
        let wanted = state.warm.is_none() && !state.warming && state.budget.may_start() == MayStart::Now;
        state.warming |= wanted;
        wanted
    }

    pub(super) fn end_warming(&self) {
        self.lock().warming = false;
    }

    /// A binary or a login that has changed on disk, or a gateway that is elsewhere now: what runs with the old one takes nothing
    /// new.
    fn retire_outdated(&self) {
        for generation in self.generations() {
            self.retire_if_outdated(&generation);
        }
    }

    /// The same of one; true if it is so.
    pub(super) fn retire_if_outdated(&self, generation: &Generation) -> bool {
        let replaced = |stamp| generation.stamp.is_some_and(|started_from| started_from != stamp);
        let outdated = generation.is_outdated()
            || generation.is_astray()
            || self.environment.stamp().is_some_and(replaced);
        if outdated {
            generation.outdate();
        }
        outdated
    }

    /// All that run, the waiting one last.
    pub(super) fn generations(&self) -> Vec<Arc<Generation>> {
        let state = self.lock();
        state.in_use.iter().chain(&state.warm).cloned().collect()
    }

    /// Whether this one waits for its first use.
    pub(super) fn is_warm(&self, generation: &Generation) -> bool {
        self.lock().warm.as_ref().is_some_and(|warm| warm.id == generation.id)
    }

    /// Somebody sits down; the number of the seat.
    pub(super) fn enter(&self) -> u64 {
        self.users.send_modify(|users| *users += 1);
        self.next_seat.fetch_add(1, Ordering::Relaxed)
    }

    /// Somebody stands up.
    pub(super) fn exit(&self) {
        self.users.send_modify(|users| *users = users.saturating_sub(1));
    }

    /// Waits until nobody has used this environment for so long.
    pub(super) async fn unused_for(&self, idle: Duration) {
        let mut users = self.users.subscribe();
        loop {
            // The sender lives in `self`, so both always have an answer.
            drop(users.wait_for(|users| *users == 0).await);
            if tokio::time::timeout(idle, users.changed()).await.is_err() {
                return;
            }
        }
    }

    fn last_words(&self, end: &End) -> LastWords {
        let stderr_tail = self.redactions.apply(&end.stderr_tail).into_owned();
        LastWords { reason: end.to_string(), stderr_tail }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
