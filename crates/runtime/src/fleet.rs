//! The fleet: app-servers shared by environment, each with its router, replaced when they die, ended when done.
//!
//! Whoever wants to talk about a thread takes a [`Seat`] and listens; which process that is, whether it had to be
//! started, and what became of it afterwards is decided here. Time is tokio's, so that a test can stop it.

mod bare;
mod budget;
mod counters;
mod doorway;
mod environment;
mod error;
mod generation;
mod mailbox;
mod options;
mod outliving;
mod owner;
mod pool;
mod relays;
mod router;
mod seat;
mod stamp;
mod start;
mod sweep;
#[cfg(test)]
mod tests;
mod within;

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use selvedge_recording::Recordings;
use tokio::{
    task::{AbortHandle, JoinSet},
    time::{sleep_until, timeout},
};
use uuid::Uuid;

use counters::Counters;
pub(crate) use environment::{Environment, Program};
pub(crate) use error::FleetError;
pub(crate) use generation::Generation;
pub(crate) use mailbox::{Letter, Letters, Mailbox, Told, Unclaimed, mailbox};
pub(crate) use options::{FleetOptions, RestartLimits};
pub(crate) use owner::Owner;
pub use relays::{RelayInfo, RelayState, list as relays};
pub(crate) use relays::{RelayOptions, directory as relays_of};
pub(crate) use seat::Seat;
pub use sweep::leftovers;
pub(crate) use sweep::sweep_orphans;
pub use within::{Stage, Within};

use crate::recording::{LAST_LINES, Recorded};
use bare::BareHomes;
use budget::MayStart;
use doorway::Doorway;
pub(crate) use pool::Again;
use pool::{Pool, StartTurn};
use relays::{Adopted, Gate};
use start::{Failed, Started, look_after, start};

/// How long a session may take to hear, at the very end, that its process is gone.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Whether a session shares its process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Isolation {
    /// With whoever has the same environment.
    Shared,
    /// With nobody.
    Isolated,
}

/// All app-servers of this program. Cheap to clone; when the last clone is gone they end.
#[derive(Debug, Clone)]
pub(crate) struct Fleet {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    options: FleetOptions,
    counters: Arc<Counters>,
    state: Mutex<State>,
    bare_homes: BareHomes,
}

#[derive(Debug, Default)]
struct State {
    pools: HashMap<Arc<Environment>, Arc<Pool>>,
    start_turns: HashMap<Option<PathBuf>, StartTurn>,
    /// What earlier programs left running, until somebody asks for its environment.
    adopted: HashMap<Uuid, Adopted>,
    /// Those of them that wait for sessions to go on listening.
    gates: HashMap<Uuid, Gate>,
    /// Who ends those that nobody asks for.
    patience: Option<AbortHandle>,
    /// Who looks after each process. Aborted with the fleet, and then the processes lose their leash.
    tasks: JoinSet<()>,
    shutting_down: bool,
}

/// What is known of a process, for people.
#[derive(Debug, Clone)]
pub struct ProcessInfo {
    /// Its marker.
    pub id: Uuid,
    /// What was started.
    pub program: PathBuf,
    /// Its process id.
    pub pid: Option<u32>,
    /// Its version.
    pub version: Option<String>,
    /// Where it keeps its files, if it says so.
    pub codex_home: Option<PathBuf>,
    /// Threads that are open on it.
    pub open_threads: usize,
    /// Threads it has had.
    pub threads: usize,
    /// Whether it takes more.
    pub takes_more: bool,
    /// Whether it waits for its first use.
    pub is_warm: bool,
    /// How long it has run.
    pub age: Duration,
}

/// What was not handed to any session, in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ignored {
    /// News of threads that nobody claimed.
    pub unclaimed: u64,
    /// News of threads whose session had left.
    pub muted: u64,
    /// Notices about a whole process that concern no session.
    pub notices: u64,
    /// What an older Codex told twice, in its older words too (`codex/event/*`).
    pub twins: u64,
    /// Answers that came after their caller had given up.
    pub late_answers: u64,
    /// Requests that nobody could answer, and that were refused.
    pub refused: u64,
    /// What belonged to nobody and could not even be kept.
    pub dropped: u64,
}

impl Fleet {
    /// A fleet without processes.
    pub(crate) fn new(options: FleetOptions) -> Self {
        let inner = Inner {
            options,
            counters: Arc::default(),
            state: Mutex::default(),
            bare_homes: BareHomes::default(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// A place for one thread, in a process that runs or a new one. Waits out the delay after a death.
    pub(crate) async fn seat(
        &self,
        environment: &Arc<Environment>,
        isolation: Isolation,
    ) -> Result<Seat, FleetError> {
        let pool = self.pool(environment)?;
        loop {
            if let Some(seat) = pool.take(isolation) {
                if isolation == Isolation::Isolated {
                    seat.generation.is_one_sessions().await;
                }
                self.warm_up(&pool);
                return Ok(seat);
            }
            match pool.may_start() {
                MayStart::GaveUp(last) => {
                    return Err(FleetError::GaveUp { reason: last.reason, stderr_tail: last.stderr_tail });
                }
                MayStart::At(when) => sleep_until(when).await,
                MayStart::Now => self.start_one(&pool, isolation).await?,
            }
        }
    }

    /// A place for a thread that was here before, in the process that has it loaded, if that still runs: as long as it
    /// does, no other process can resume the thread. To be asked before [`Fleet::seat`] for every thread that is not new.
    pub(crate) fn seat_again(&self, environment: &Arc<Environment>, thread_id: &str) -> Option<Again> {
        // It may be one that an earlier program left, and that nobody has asked for yet.
        self.pool(environment).ok()?.take_again(thread_id)
    }

    /// An app-server of this environment that runs, if there is one: for questions that concern no thread. One that is
    /// outdated would answer of a login or a version that was.
    pub(crate) fn running(&self, environment: &Environment) -> Option<Arc<Generation>> {
        let pool = self.lock().pools.get(environment).cloned()?;
        pool.generations().into_iter().find(|one| !pool.retire_if_outdated(one))
    }

    /// Somebody said go: the environment's deaths are forgotten.
    pub(crate) fn forgive(&self, environment: &Environment) {
        if let Some(pool) = self.lock().pools.get(environment) {
            pool.forgive();
        }
    }

    /// What was not handed to anybody.
    pub(crate) fn ignored(&self) -> Ignored {
        let counters = &self.inner.counters;
        Ignored {
            unclaimed: counters.unclaimed.get(),
            muted: counters.muted.get(),
            notices: counters.notices.get(),
            twins: counters.twins.get(),
            late_answers: counters.late_answers.get(),
            refused: counters.refused.get(),
            dropped: counters.dropped.get(),
        }
    }

    /// What was recorded, if that was asked for.
    pub(crate) fn recorded(&self) -> Option<Recorded> {
        self.inner.options.recordings.as_ref().map(Recordings::counts)
    }

    /// Waits until what the processes said is written: for after their end.
    pub(crate) async fn last_recordings(&self) {
        if let Some(recordings) = self.inner.options.recordings.clone() {
            let _panicked = tokio::task::spawn_blocking(move || recordings.finish(LAST_LINES)).await;
        }
    }

    /// Every process that runs.
    pub(crate) fn processes(&self) -> Vec<ProcessInfo> {
        let pools: Vec<_> = self.lock().pools.values().cloned().collect();
        pools.iter().flat_map(|pool| pool.generations().into_iter().map(|one| info(pool, &one))).collect()
    }

    /// Ends all processes, each by the ladder, at the same time. Returns when nothing of them is left.
    pub(crate) async fn shut_down(&self) {
        let (pools, mut tasks, unused) = {
            let mut state = self.lock();
            state.shutting_down = true;
            if let Some(patience) = state.patience.take() {
                patience.abort();
            }
            let unused = std::mem::take(&mut state.adopted);
            let pools: Vec<_> = state.pools.values().cloned().collect();
            (pools, std::mem::take(&mut state.tasks), unused)
        };
        let mut ending = JoinSet::new();
        for generation in pools.iter().flat_map(|pool| pool.generations()) {
            ending.spawn(async move {
                generation.shut_down().await;
                generation.abandon();
            });
        }
        for unused in unused.into_values() {
            ending.spawn(async move {
                unused.started.generation.shut_down().await;
                unused.started.generation.clear_away();
            });
        }
        while ending.join_next().await.is_some() {}
        // The routers say their last word; a session that does not take it is not waited for.
        let last_words = async { while tasks.join_next().await.is_some() {} };
        let _taken = timeout(LAST_WORDS, last_words).await;
        tasks.shutdown().await;
        self.inner.bare_homes.clear_away();
    }

    /// Starts one process, unless somebody else has done so meanwhile. It waits in its pool to be taken.
    async fn start_one(&self, pool: &Arc<Pool>, isolation: Isolation) -> Result<(), FleetError> {
        let _turn = pool.start_turn.lock().await;
        if pool.has_room(isolation) || pool.may_start() != MayStart::Now {
            return Ok(());
        }
        let _doorway = Doorway::pass(pool.environment.home()).await;
        self.prepare_home(&pool.environment).await?;
        match start(&pool.environment, &self.inner.options, &self.inner.counters).await {
            Ok(started) => self.admit(pool, started).await,
            Err(Failed::Died(end)) => {
                pool.died_at_birth(&end);
                Ok(())
            }
            Err(Failed::Hopeless(error)) => Err(error),
        }
    }

    /// A bare environment's home is there, and is as Codex's own is now.
    async fn prepare_home(&self, environment: &Arc<Environment>) -> Result<(), FleetError> {
        let (Some(place), Some(home)) = (environment.bare.clone(), environment.home()) else { return Ok(()) };
        let inner = Arc::clone(&self.inner);
        let prepare = move || inner.bare_homes.prepare(&place, &home).map_err(|error| (place, error));
        let prepared = tokio::task::spawn_blocking(prepare).await;
        // Only a panic is no answer; Codex itself says then what is missing.
        let prepared = prepared.unwrap_or(Ok(()));
        prepared.map_err(|(place, error)| FleetError::BareHome { place, error })
    }

    /// Takes a new process into its pool, and has it looked after.
    async fn admit(&self, pool: &Arc<Pool>, started: Started) -> Result<(), FleetError> {
        let generation = Arc::clone(&started.generation);
        {
            let mut state = self.lock();
            while state.tasks.try_join_next().is_some() {}
            if !state.shutting_down {
                pool.admit(generation);
                let idle = self.inner.options.idle;
                state.tasks.spawn(look_after(started, Arc::clone(pool), idle));
                return Ok(());
            }
        }
        generation.shut_down().await;
        Err(FleetError::ShuttingDown)
    }

    /// Has one more process ready for whoever comes next.
    fn warm_up(&self, pool: &Arc<Pool>) {
        if !self.inner.options.keep_warm || !pool.begin_warming() {
            return;
        }
        let (fleet, pool) = (self.clone(), Arc::clone(pool));
        let warming = async move {
            // Nobody waits for it: if it cannot be started, the next who needs one learns why. Starts take turns, so
            // this one comes after those who wait already.
            let _error = fleet.start_one(&pool, Isolation::Isolated).await;
            pool.end_warming();
        };
        self.lock().tasks.spawn(warming);
    }

    fn pool(&self, environment: &Arc<Environment>) -> Result<Arc<Pool>, FleetError> {
        if let Some(place) = &environment.bare {
            // If that cannot be, whoever starts an app-server there learns why.
            let _not_held = self.inner.bare_homes.hold(place);
        }
        let mut state = self.lock();
        if state.shutting_down {
            return Err(FleetError::ShuttingDown);
        }
        let State { pools, start_turns, adopted, .. } = &mut *state;
        if let Some(pool) = pools.get(environment) {
            return Ok(Arc::clone(pool));
        }
        let turn = start_turns.entry(environment.codex_home.clone()).or_default();
        let pool = Arc::new(Pool::new(Arc::clone(environment), Arc::clone(turn), &self.inner.options));
        pools.insert(Arc::clone(environment), Arc::clone(&pool));
        let digest = environment.digest();
        let of_it: Vec<_> = adopted.extract_if(|_, one| one.environment == digest).collect();
        for (_, one) in of_it {
            state.take_in(&pool, one, self.inner.options.idle);
        }
        Ok(pool)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.inner.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn info(pool: &Pool, generation: &Generation) -> ProcessInfo {
    let occupancy = *generation.occupancy.borrow();
    ProcessInfo {
        id: generation.id(),
        program: pool.environment.program.path().clone(),
        pid: generation.pid(),
        version: generation.version().map(str::to_owned),
        codex_home: generation.codex_home().map(Path::to_owned),
        open_threads: occupancy.seats,
        threads: occupancy.had,
        takes_more: occupancy.is_open(),
        is_warm: pool.is_warm(generation),
        age: generation.started.elapsed(),
    }
}
