//! What everything shares: the way out, the loaded threads, the open requests, the tasks and the commands.

use std::{
    collections::{BTreeMap, HashSet},
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak,
        atomic::{AtomicU64, Ordering},
    },
};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::task::JoinSet;

use super::{
    calls::Calls,
    faults::Faults,
    messages::Notice,
    outbox::{Out, Outbox},
    params::Capabilities,
    store::Store,
    thread::Thread,
};

use crate::scenario::Scenario;

/// Who is connected.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) name: String,
    pub(super) capabilities: Capabilities,
}

/// The simulated app-server.
pub(super) struct Server {
    pub(super) outbox: Outbox,
    pub(super) scenario: Scenario,
    pub(super) faults: Faults,
    pub(super) store: Store,
    pub(super) calls: Calls,
    pub(super) client: OnceLock<Client>,
    pub(super) codex_home: String,
    threads: Mutex<BTreeMap<String, Arc<Thread>>>,
    tasks: Weak<Mutex<JoinSet<()>>>,
    commands: Mutex<HashSet<Pid>>,
    counter: AtomicU64,
}

/// What a server is made of.
pub(super) struct Parts {
    pub(super) outbox: Outbox,
    pub(super) scenario: Scenario,
    pub(super) faults: Faults,
    pub(super) store: Store,
    pub(super) codex_home: String,
    pub(super) tasks: Weak<Mutex<JoinSet<()>>>,
}

impl Server {
    pub(super) fn new(parts: Parts) -> Self {
        let Parts { outbox, scenario, faults, store, codex_home, tasks } = parts;
        Self {
            outbox,
            scenario,
            faults,
            store,
            calls: Calls::default(),
            client: OnceLock::new(),
            codex_home,
            threads: Mutex::default(),
            tasks,
            commands: Mutex::default(),
            counter: AtomicU64::new(1000),
        }
    }

    /// Tells the client, unless it does not want to hear it.
    pub(super) async fn tell(&self, notice: &Notice) {
        if self.is_wanted(notice) {
            self.outbox.send(Out::Lines(notice.line())).await;
        }
    }

    /// Tells the client something of a thread, if it follows it.
    pub(super) async fn tell_of(&self, thread: &Thread, notice: &Notice) {
        if thread.is_subscribed() || notice.is_for_everyone() {
            self.tell(notice).await;
        }
    }

    fn is_wanted(&self, notice: &Notice) -> bool {
        let Some(client) = self.client.get() else { return true };
        let opted_out = client.capabilities.opt_out_notification_methods.as_deref().unwrap_or_default();
        (client.capabilities.experimental_api || !notice.is_experimental())
            && !opted_out.iter().any(|method| method == notice.method)
    }

    pub(super) fn is_experimental(&self) -> bool {
        self.client.get().is_some_and(|client| client.capabilities.experimental_api)
    }

    pub(super) fn thread(&self, id: &str) -> Option<Arc<Thread>> {
        locked(&self.threads).get(id).cloned()
    }

    pub(super) fn threads(&self) -> Vec<Arc<Thread>> {
        locked(&self.threads).values().cloned().collect()
    }

    pub(super) fn load(&self, thread: Thread) -> Arc<Thread> {
        let thread = Arc::new(thread);
        locked(&self.threads).insert(thread.id().to_owned(), Arc::clone(&thread));
        thread
    }

    pub(super) fn unload(&self, id: &str) -> Option<Arc<Thread>> {
        locked(&self.threads).remove(id)
    }

    /// Runs a task until it or the server ends. The tasks belong to who serves; they know the server, so it must not own
    /// them.
    pub(super) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let Some(tasks) = self.tasks.upgrade() else { return };
        let mut tasks = locked(&tasks);
        // Ended tasks are taken out, so that the set holds what runs and not what ever ran.
        while tasks.try_join_next().is_some() {}
        tasks.spawn(task);
    }

    /// Takes a command into custody; its number is not the system's, as in Codex.
    pub(super) fn add_command(&self, group: Pid) -> u64 {
        let number = self.counter.fetch_add(1, Ordering::Relaxed);
        locked(&self.commands).insert(group);
        number
    }

    pub(super) fn remove_command(&self, group: Pid) {
        locked(&self.commands).remove(&group);
    }

    /// Ends all commands, with everything they started in their groups.
    pub(super) fn kill_commands(&self) {
        for group in locked(&self.commands).iter() {
            let _ = kill_process_group(*group, Signal::KILL);
        }
    }
}

/// A lock is held for a moment and nothing in that moment can panic half-way.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
