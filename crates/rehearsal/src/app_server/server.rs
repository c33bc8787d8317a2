//! What everything shares: the way out, the loaded threads, the open requests, the tasks and the commands.

use std::{
    collections::{BTreeMap, HashSet},
    ffi::OsString,
    io,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak,
        atomic::{AtomicU64, Ordering},
    },
};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::{process::Child, task::JoinSet};

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
    /// For the commands.
    pub(super) env: Vec<(OsString, Option<OsString>)>,
    threads: Mutex<BTreeMap<String, Arc<Thread>>>,
    tasks: Weak<Mutex<JoinSet<()>>>,
    /// The groups of the commands that run; nothing once the server ends, and then none is started.
    commands: Mutex<Option<HashSet<Pid>>>,
    counter: AtomicU64,
}

/// What a server is made of.
pub(super) struct Parts {
    pub(super) outbox: Outbox,
    pub(super) scenario: Scenario,
    pub(super) faults: Faults,
    pub(super) store: Store,
    pub(super) codex_home: String,
    pub(super) env: Vec<(OsString, Option<OsString>)>,
    pub(super) tasks: Weak<Mutex<JoinSet<()>>>,
}

impl Server {
    pub(super) fn new(parts: Parts) -> Self {
        let Parts { outbox, scenario, faults, store, codex_home, env, tasks } = parts;
        Self {
            outbox,
            scenario,
            faults,
            store,
            calls: Calls::default(),
            client: OnceLock::new(),
            codex_home,
            env,
            threads: Mutex::default(),
            tasks,
            commands: Mutex::new(Some(HashSet::new())),
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

    /// Starts a command and takes it into custody in one move: a server that ends in between would leave it behind.
    pub(super) fn start_command(&self, spawn: impl FnOnce() -> io::Result<Child>) -> io::Result<Custody> {
        let mut commands = locked(&self.commands);
        let groups = commands.as_mut().ok_or_else(|| io::Error::other("the server is ending"))?;
        let child = spawn()?;
        let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        let group = group.ok_or_else(|| io::Error::other("the command has no process id"))?;
        groups.insert(group);
        Ok(Custody { child, group, number: self.counter.fetch_add(1, Ordering::Relaxed) })
    }

    pub(super) fn remove_command(&self, group: Pid) {
        if let Some(groups) = locked(&self.commands).as_mut() {
            groups.remove(&group);
        }
    }

    /// Ends all commands, with everything they started in their groups, and starts no more.
    pub(super) fn kill_commands(&self) {
        for group in locked(&self.commands).take().into_iter().flatten() {
            // It can only fail because the group is gone.
            let _gone = kill_process_group(group, Signal::KILL);
        }
    }
}

/// A command in the server's custody.
pub(super) struct Custody {
    pub(super) child: Child,
    pub(super) group: Pid,
    /// Not the system's, as in Codex.
    pub(super) number: u64,
}

/// A lock is held for a moment and nothing in that moment can panic half-way.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
