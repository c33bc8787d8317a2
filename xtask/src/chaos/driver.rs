//! Does what the plan says, reacts as the plan says, and writes down what it saw. It knows only the outside.

mod asking;
mod deeds;
mod ending;
mod hearing;
mod queues;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use serde_json::json;

use super::host::{Heard, Host, Said};
use super::ledger::{Killed, Ledger};
use super::plan::{Deed, Plan};
use super::processes;
use super::processes::Found;
use super::world::World;
use crate::failure::Failure;
use asking::Asked;

/// Lines of the host that may wait for us; then the host waits.
const WAITING: usize = 4096;
/// A killed host says nothing more after this.
const LAST_WORDS: Duration = Duration::from_secs(20);

/// Runs the plan to its end.
pub(super) fn drive(plan: &Plan, world: &World) -> Result<Ledger, Failure> {
    let failed = |error: io::Error| Failure::new(format!("the host could not be run: {error}"));
    let mut driver = Driver::start(plan, world).map_err(failed)?;
    for step in &plan.steps {
        driver.listen_until(driver.started + step.at).map_err(failed)?;
        driver.perform(step.deed).map_err(failed)?;
    }
    driver.bring_to_an_end().map_err(failed)
}

/// The driver at work.
struct Driver<'a> {
    plan: &'a Plan,
    world: &'a World,
    host: Host,
    /// The how manieth host this is.
    generation: u64,
    sender: SyncSender<Heard>,
    inbox: Receiver<Heard>,
    started: Instant,
    /// Commands that have not been answered.
    asked: BTreeMap<u64, Asked>,
    next_number: u64,
    /// What is to be done at a moment, in order.
    later: BTreeMap<(Instant, u64), Later>,
    /// What is to be done as soon as a session exists.
    when_made: Vec<Vec<Deed>>,
    /// The reader of each session.
    readers: Vec<Option<u64>>,
    /// Messages that went out.
    sent: BTreeSet<usize>,
    /// Messages by the ids they were given.
    by_id: BTreeMap<String, usize>,
    /// Of each session: what was sent and has not been seen to end.
    queues: Vec<BTreeSet<usize>>,
    /// Sessions that were hit by a kill, and have not shown a sign of life.
    hit: Vec<Option<(Killed, Instant)>>,
    last_server_kill: Option<Instant>,
    /// When a message was last seen to end.
    last_end: Instant,
    /// When this host was started.
    host_since: Instant,
    /// When the host was started that has not answered yet.
    starting: Option<Instant>,
    ledger: Ledger,
}

/// What is done later.
#[derive(Debug, Clone)]
enum Later {
    Deed(Deed),
    Answer {
        session: usize,
        approval: String,
        decision: &'static str,
    },
    AnswerTool {
        session: usize,
        call: String,
    },
    Start(usize),
    /// What stood still goes on.
    Thaw(Found),
    /// The reader reads on, if it is still that one.
    ReadOn {
        session: usize,
        reader: u64,
        reopen: bool,
    },
}

impl<'a> Driver<'a> {
    fn start(plan: &'a Plan, world: &'a World) -> io::Result<Self> {
        let (sender, inbox) = sync_channel(WAITING);
        let sessions = plan.sessions.len();
        Ok(Self {
            plan,
            world,
            host: Host::start(world, 0, sender.clone())?,
            generation: 0,
            sender,
            inbox,
            started: Instant::now(),
            asked: BTreeMap::new(),
            next_number: 1,
            later: BTreeMap::new(),
            when_made: vec![Vec::new(); sessions],
            readers: vec![None; sessions],
            sent: BTreeSet::new(),
            by_id: BTreeMap::new(),
            queues: vec![BTreeSet::new(); sessions],
            hit: vec![None; sessions],
            last_server_kill: None,
            last_end: Instant::now(),
            host_since: Instant::now(),
            starting: None,
            ledger: Ledger::new(plan),
        })
    }

    /// Hears and reacts until this moment.
    fn listen_until(&mut self, moment: Instant) -> io::Result<()> {
        loop {
            let due = self.later.first_key_value().map(|((due, _), _)| *due).filter(|due| *due <= moment);
            let wait = due.unwrap_or(moment).saturating_duration_since(Instant::now());
            match self.inbox.recv_timeout(wait) {
                Ok(heard) => self.hear(heard)?,
                Err(RecvTimeoutError::Timeout) if due.is_some() => self.do_what_is_due()?,
                // We hold a sender ourselves, so nothing but time can end the wait.
                Err(_) => return Ok(()),
            }
        }
    }

    fn do_what_is_due(&mut self) -> io::Result<()> {
        let Some((_, later)) = self.later.pop_first() else { return Ok(()) };
        match later {
            Later::Deed(deed) => self.perform(deed)?,
            Later::Answer { session, approval, decision } => self.answer(session, &approval, decision),
            Later::AnswerTool { session, call } => self.answer_tool(session, &call),
            Later::Start(session) => self.say_start(session),
            Later::Thaw(frozen) => processes::thaw(&frozen, &self.world.run),
            Later::ReadOn { session, reader, reopen } => self.read_on(session, reader, reopen),
        }
        Ok(())
    }

    fn in_a_while(&mut self, wait: Duration, later: Later) {
        let number = self.number();
        self.later.insert((Instant::now() + wait, number), later);
    }

    fn number(&mut self) -> u64 {
        self.next_number += 1;
        self.next_number
    }

    /// Kills the host, hears its last words, starts another one on the same data, and asks again what was not answered.
    fn kill_host(&mut self) -> io::Result<()> {
        if self.is_host_spared() {
            return Ok(());
        }
        self.ledger.host_kills += 1;
        let now = Instant::now();
        for session in 0..self.plan.sessions.len() {
            if !self.ledger.sessions[session].open.is_empty() {
                self.hit[session] = Some((Killed::Host, now));
            }
        }
        if !self.plan.relay {
            // Its app-servers die of this too; what they did before explains nothing any more.
            self.last_server_kill = None;
        }
        self.host.kill()?;
        self.hear_last_words(LAST_WORDS)?;
        self.start_again()
    }

    /// Lets the host go in its own way, and starts another one: what is behind relays goes on.
    fn let_host_go(&mut self) -> io::Result<()> {
        if self.is_host_spared() {
            return Ok(());
        }
        self.ledger.host_left += 1;
        self.host.say(&json!({ "op": "leave" }));
        if !self.hear_last_words(LAST_WORDS)? {
            self.ledger.violated("a host that is let go goes", "it had to be killed", None);
            self.host.kill()?;
            self.hear_last_words(LAST_WORDS)?;
        }
        self.start_again()
    }

    /// Ends are planned further apart. But where we are late ourselves, several would come at once, and the run would be
    /// about nothing but starts.
    fn is_host_spared(&mut self) -> bool {
        let spared = self.host_since.elapsed() < self.plan.host_lives();
        self.ledger.host_kills_spared += usize::from(spared);
        spared
    }

    /// Hears what this host still says. Whether it ended in time.
    fn hear_last_words(&mut self, patience: Duration) -> io::Result<bool> {
        let until = Instant::now() + patience;
        loop {
            match self.inbox.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Heard { generation, said: Said::End }) if generation == self.generation => {
                    return Ok(true);
                }
                Ok(heard) => self.hear(heard)?,
                Err(_) => return Ok(false),
            }
        }
    }

    fn start_again(&mut self) -> io::Result<()> {
        self.generation += 1;
        self.host_since = Instant::now();
        self.starting = Some(self.host_since);
        let host = Host::start(self.world, self.generation, self.sender.clone())?;
        std::mem::replace(&mut self.host, host).reap()?;
        for session in 0..self.plan.sessions.len() {
            self.follow(session);
        }
        for asked in std::mem::take(&mut self.asked).into_values() {
            self.ask_again(asked);
        }
        Ok(())
    }
}
