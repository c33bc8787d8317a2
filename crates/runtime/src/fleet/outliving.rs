//! What outlives a program: taken over at its start, gone on with by its sessions, and left running at its end.

use std::{sync::Arc, time::Duration};

use selvedge_session::SessionId;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::{
    Environment, Fleet, FleetError, Seat, State,
    pool::Pool,
    relays::{Adopted, Gate, adopt},
    start::look_after,
};

impl State {
    /// An app-server of an earlier program belongs to this environment from now on.
    pub(super) fn take_in(&mut self, pool: &Arc<Pool>, adopted: Adopted, idle: Duration) {
        let Adopted { started, .. } = adopted;
        pool.adopt(Arc::clone(&started.generation));
        self.tasks.spawn(look_after(started, Arc::clone(pool), idle));
    }
}

impl Fleet {
    /// Takes over what earlier programs left behind relays, or one of them. Nothing of it is read before [`Fleet::go_on`].
    pub(crate) async fn adopt(&self, only: Option<Uuid>) {
        let adopted = adopt(&self.inner.options, only, &self.inner.counters).await;
        let mut state = self.lock();
        for one in adopted {
            let generation = &one.started.generation;
            let (id, gate) = (generation.id, generation.gate.clone());
            state.gates.insert(id, gate);
            state.adopted.insert(id, one);
        }
    }

    /// Whether it is one that an earlier program left, and was taken over.
    pub(crate) fn has_adopted(&self, process: Uuid) -> bool {
        self.lock().gates.contains_key(&process)
    }

    /// A session will go on listening to this one, which is not read before.
    pub(crate) fn expect(&self, process: Uuid, session: SessionId) {
        if let Some(gate) = self.lock().gates.get(&process) {
            gate.expect(session);
        }
    }

    /// A session that was expected there listens, or will not come.
    pub(crate) fn arrived(&self, process: Uuid, session: SessionId) {
        if let Some(gate) = self.lock().gates.get(&process) {
            gate.came(session);
        }
    }

    /// All that are expected have been named. What nobody needs ends: the dead at once, the others after a while.
    pub(crate) fn go_on(&self) {
        let mut state = self.lock();
        state.gates.values().for_each(Gate::all_named);
        let unwanted = |one: &mut Adopted| one.is_dead && one.started.generation.gate.is_open();
        for (_, dead) in state.adopted.extract_if(|_, one| unwanted(one)) {
            dead.started.generation.clear_away();
        }
        if state.adopted.is_empty() {
            return;
        }
        let (idle, inner) = (self.inner.options.idle, Arc::downgrade(&self.inner));
        let waiting = state.tasks.spawn(async move {
            tokio::time::sleep(idle).await;
            let Some(inner) = inner.upgrade() else { return };
            let unused = std::mem::take(&mut Self { inner }.lock().adopted);
            for one in unused.into_values() {
                one.started.generation.shut_down().await;
                one.started.generation.clear_away();
            }
        });
        if let Some(before) = state.patience.replace(waiting) {
            before.abort();
        }
    }

    /// A place for a session whose turn an earlier program began, at the app-server that goes on with it; nothing if that
    /// is not here.
    pub(crate) fn seat_on(
        &self,
        environment: &Arc<Environment>,
        process: Uuid,
    ) -> Result<Option<Seat>, FleetError> {
        let pool = self.pool(environment)?;
        let mut state = self.lock();
        if let Some(other) = state.adopted.remove(&process) {
            // The environment is another one by now: what runs of the old one ends there, and nothing new begins.
            other.started.generation.outdate();
            state.take_in(&pool, other, self.inner.options.idle);
        }
        drop(state);
        Ok(pool.generation(process).map(|generation| {
            generation.sit_on();
            Seat::new(generation, pool)
        }))
    }

    /// Whether an earlier program left an app-server with this thread loaded that no session of ours has asked for.
    pub(crate) fn is_held(&self, thread_id: &str) -> bool {
        self.lock().adopted.values().any(|one| one.started.generation.board.knows(thread_id))
    }

    /// Ends what an earlier program left with other settings and with this thread loaded: as long as it runs, no other
    /// process can have the thread. One that sessions are expected at is left alone.
    pub(crate) async fn free(&self, thread_id: &str) {
        let holds = |one: &mut Adopted| {
            let generation = &one.started.generation;
            generation.gate.is_open() && generation.board.knows(thread_id)
        };
        let holding: Vec<_> = self.lock().adopted.extract_if(|_, one| holds(one)).collect();
        for (_, one) in holding {
            one.started.generation.shut_down().await;
            one.started.generation.clear_away();
        }
    }

    /// Hears no more of what the app-servers say; they can still be asked.
    pub(crate) async fn stop_reading(&self) {
        let mut tasks = {
            let mut state = self.lock();
            state.shutting_down = true;
            std::mem::take(&mut state.tasks)
        };
        tasks.shutdown().await;
    }

    /// Leaves running what can do without us, for whoever comes next; ends the rest.
    pub(crate) async fn leave(&self) {
        let (pools, adopted) = {
            let mut state = self.lock();
            (state.pools.values().cloned().collect::<Vec<_>>(), std::mem::take(&mut state.adopted))
        };
        let mut leaving = JoinSet::new();
        let adopted = adopted.into_values().map(|one| one.started.generation);
        for generation in pools.iter().flat_map(|pool| pool.generations()).chain(adopted) {
            leaving.spawn(async move {
                if !generation.leave().await {
                    generation.shut_down().await;
                }
                generation.abandon();
            });
        }
        while leaving.join_next().await.is_some() {}
        self.inner.bare_homes.leave();
    }
}
