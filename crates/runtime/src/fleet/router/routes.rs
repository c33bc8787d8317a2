//! Which thread belongs to whom: the table a router sorts by, without anything that waits.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use selvedge_client::Redactions;
use selvedge_session::{Begun, Heard, Item, Json};
use tokio::time::Instant;
use uuid::Uuid;

use super::{
    held::Held,
    milestone::Milestone,
    slot::{HandedOn, Slot},
};
use crate::{
    fleet::{
        mailbox::{Mailbox, Told},
        options::HoldLimits,
    },
    from_codex::Piece,
};

/// Warnings of a process are repeated to whoever comes later; so many are remembered.
const WARNINGS_KEPT: usize = 32;

/// So much may wait for one session's mailbox before all its app-server's sessions wait with it.
const LONGEST_BACKLOG: usize = 256;

/// Who has a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Route {
    /// A listener; `own` unless the thread is a sub-agent's.
    To { slot: usize, own: bool },
    /// Its session has left. What is still said there is for nobody.
    Muted,
    /// The same, and it is not loaded here any more.
    LetGo,
    /// Nobody claimed it in time.
    Unclaimed,
}

/// A thread that was loaded before anybody of this program listened.
#[derive(Debug)]
pub(in crate::fleet) struct Loaded {
    pub(in crate::fleet) thread: String,
    pub(in crate::fleet) whose: Whose,
}

/// Whose a thread is.
#[derive(Debug)]
pub(in crate::fleet) enum Whose {
    /// A session's own.
    OfItself,
    /// A sub-agent's.
    ChildOf(String),
    /// It does not say: it may just have begun.
    Unknown,
}

/// What to do with news that no listener gets.
#[derive(Debug)]
pub(super) enum Leftover {
    /// The session has left.
    Muted(Told),
    /// Nobody ever claimed the thread.
    Unclaimed { thread: String, told: Told },
}

/// What waits for room in mailboxes.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    /// Those that are full.
    pub(super) full: Vec<Mailbox>,
    /// So much waits that no more may be taken.
    pub(super) too_much: bool,
}

/// The table of one app-server.
#[derive(Debug)]
pub(super) struct Routes {
    process: Uuid,
    limits: HoldLimits,
    threads: HashMap<String, Route>,
    /// Threads that an earlier program had loaded here.
    loaded: HashSet<String>,
    /// How much had been said when this program came.
    said_before: u64,
    /// Sub-agents among them, whose parents' routes are theirs.
    parents: HashMap<String, String>,
    held: HashMap<String, Held>,
    slots: Vec<Option<Slot>>,
    /// News for nobody, until the router has seen to them.
    leftovers: Vec<Leftover>,
    /// The newest of each kind of news about the process, so that a repetition is not told again.
    notices: HashMap<String, Json>,
    /// What it warned of, and where.
    warnings: Vec<(u64, String, Json)>,
    /// Where the newest line began.
    newest: u64,
    /// A place in the output, and who still has to make durable what was said before it.
    milestone: Option<Milestone>,
    /// Answers that show a listener how far it has heard.
    marks: HashMap<i64, u64>,
    gone: Option<(String, String)>,
}

impl Routes {
    pub(super) fn new(process: Uuid, limits: HoldLimits) -> Self {
        Self {
            process,
            limits,
            threads: HashMap::new(),
            loaded: HashSet::new(),
            said_before: 0,
            parents: HashMap::new(),
            held: HashMap::new(),
            slots: Vec::new(),
            leftovers: Vec::new(),
            notices: HashMap::new(),
            warnings: Vec::new(),
            newest: 0,
            milestone: None,
            marks: HashMap::new(),
            gone: None,
        }
    }

    /// From now on this thread's news, and those held for it, are for this mailbox.
    pub(super) fn listen(&mut self, seat: u64, thread: &str, mailbox: Mailbox) {
        // Whoever heard what an earlier program had loaded, it was not this one: to it only what is said from then on is new.
        let said =
            self.loaded.contains(thread).then(|| (thread.to_owned(), self.said_before.saturating_sub(1)));
        self.listen_on((seat, thread), said.into_iter().collect(), mailbox);
    }

    /// The same of somebody who has heard so much of these threads before; one of them is its own.
    pub(super) fn listen_on(
        &mut self,
        (seat, own): (u64, &str),
        heard: BTreeMap<String, u64>,
        mailbox: Mailbox,
    ) {
        let threads: Vec<String> = heard.keys().filter(|thread| !thread.is_empty()).cloned().collect();
        let slot = self.slot_of(seat, mailbox, heard);
        for thread in threads.iter().map(String::as_str).filter(|thread| *thread != own) {
            self.claim(thread, Route::To { slot, own: false });
        }
        self.claim(own, Route::To { slot, own: true });
        if let Some((reason, stderr_tail)) = self.gone.clone() {
            self.tell_now(slot, Heard::ProcessGone { reason, stderr_tail });
        }
    }

    /// These threads are loaded here, though nobody listens to them now. What is said of a session's own is for nobody
    /// until it comes back. A sub-agent that nobody has heard of yet goes where its parent goes; what may be one is held.
    pub(super) fn are_loaded(&mut self, threads: Vec<Loaded>, said: u64) {
        self.said_before = said;
        for Loaded { thread, whose } in threads {
            self.loaded.insert(thread.clone());
            match whose {
                Whose::OfItself => _ = self.threads.entry(thread).or_insert(Route::Muted),
                Whose::ChildOf(parent) => _ = self.parents.insert(thread, parent),
                Whose::Unknown => {}
            }
        }
    }

    /// When this request of ours is answered, whoever sits there has heard all that was said before.
    pub(super) fn expect_mark(&mut self, id: i64, seat: u64) {
        self.marks.insert(id, seat);
    }

    /// A request of ours was answered; true if it was such a mark.
    pub(super) fn mark_reached(&mut self, id: i64) -> bool {
        let Some(seat) = self.marks.remove(&id) else { return false };
        for slot in 0..self.slots.len() {
            if self.slot(slot).is_some_and(|it| it.seat == seat) {
                // What it had begun it knows itself.
                self.tell_now(slot, Heard::CaughtUp { begun: Begun::default() });
            }
        }
        true
    }

    /// Up to where everything that was said is durable, if that is further than it was when this was last asked.
    pub(super) fn durable_before(&mut self) -> Option<u64> {
        let reached = self.milestone.take_if(|milestone| milestone.is_reached()).map(Milestone::offset);
        if self.milestone.is_none() {
            let held = self.held.values().filter_map(Held::first).min();
            let offset = held.map_or(self.newest, |held| held.min(self.newest));
            self.milestone = Some(Milestone::at(offset, self.slots.iter().flatten()));
        }
        reached
    }

    /// The session has left this thread, and with it its sub-agents.
    pub(super) fn mute(&mut self, seat: u64, thread: &str) {
        let Some(Route::To { slot, .. }) = self.threads.get(thread).copied() else { return };
        if self.slot(slot).is_some_and(|it| it.seat == seat) {
            self.threads.insert(thread.to_owned(), Route::Muted);
            let listens = |route: &Route| matches!(route, Route::To { slot: to, own: true } if *to == slot);
            if !self.threads.values().any(listens) {
                self.close(slot);
            }
        }
    }

    /// The thread is not loaded here any more. What is still said of it is for nobody.
    pub(super) fn let_go(&mut self, thread: &str) {
        self.loaded.remove(thread);
        if let Some(route @ Route::Muted) = self.threads.get_mut(thread) {
            *route = Route::LetGo;
        }
    }

    /// The seat is free: nobody listens there.
    pub(super) fn leave(&mut self, seat: u64) {
        for slot in 0..self.slots.len() {
            if self.slot(slot).is_some_and(|it| it.seat == seat) {
                self.close(slot);
            }
        }
    }

    /// The listener is gone: its threads are muted.
    pub(super) fn close(&mut self, slot: usize) {
        self.slots[slot] = None;
        for route in self.threads.values_mut() {
            if matches!(route, Route::To { slot: to, .. } if *to == slot) {
                *route = Route::Muted;
            }
        }
    }

    /// A line that begins here is read.
    pub(super) fn at(&mut self, offset: u64) {
        self.newest = offset;
    }

    /// Takes a piece of an item: joined to its neighbour, if that has not been handed on yet.
    pub(super) fn piece(&mut self, offset: u64, piece: Piece<'_>) {
        match self.threads.get(piece.thread.as_ref()) {
            Some(Route::To { slot, .. }) => {
                if let Some(slot) = self.slots.get_mut(*slot).and_then(Option::as_mut) {
                    slot.push_piece(self.process, offset, piece);
                }
            }
            Some(_) => {
                let thread = piece.thread.clone().into_owned();
                self.news(&thread, offset, piece.into_heard());
            }
            None => {
                if let Some(held) = self.held.get_mut(piece.thread.as_ref())
                    && held.join(offset, &piece)
                {
                    return;
                }
                let thread = piece.thread.clone().into_owned();
                self.news(&thread, offset, piece.into_heard());
            }
        }
    }

    /// Takes news of a thread.
    pub(super) fn news(&mut self, thread: &str, offset: u64, heard: Heard) {
        let unplaced = heard.place().is_none().then(|| thread.to_owned());
        let told = Told { process: self.process, offset, thread: unplaced, heard };
        self.route_like_parent(thread);
        match self.threads.get(thread).copied() {
            Some(Route::To { slot, own }) => self.deliver(slot, own, told),
            Some(Route::Muted | Route::LetGo) => self.leftovers.push(Leftover::Muted(told)),
            Some(Route::Unclaimed) => {
                self.leftovers.push(Leftover::Unclaimed { thread: thread.to_owned(), told });
            }
            None => self.hold(thread, told),
        }
    }

    /// Tells every listener something about the whole process, once.
    pub(super) fn notice(&mut self, offset: u64, method: &str, params: &Json) {
        if self.is_repeated(offset, method, params) {
            return;
        }
        for slot in 0..self.slots.len() {
            let heard = Heard::Notice { method: method.to_owned(), params: params.clone() };
            self.tell(slot, offset, heard);
        }
    }

    /// Of a sub-agent that is new to us its parent is known: it goes where that one goes.
    fn route_like_parent(&mut self, thread: &str) {
        let Some(parent) = self.parents.remove(thread) else { return };
        self.route_like_parent(&parent);
        self.is_child_of(thread, &parent);
    }

    /// Codex said whose a thread is.
    pub(super) fn is_child_of(&mut self, thread: &str, parent: &str) {
        match self.threads.get(parent).copied() {
            Some(Route::To { slot, .. }) => self.follow(thread, slot),
            Some(Route::Muted | Route::LetGo) if !self.threads.contains_key(thread) => {
                self.claim(thread, Route::Muted);
            }
            Some(_) => {}
            // The parent may be claimed yet, and then this one with it.
            None => {
                if let Some(held) = self.held.get_mut(thread) {
                    held.parent = Some(parent.to_owned());
                }
            }
        }
    }

    /// Whether a listener has this thread, or had it: then it is loaded here.
    pub(super) fn knows(&self, thread: &str) -> bool {
        self.loaded.contains(thread)
            || matches!(self.threads.get(thread), Some(Route::To { .. } | Route::Muted))
    }

    /// Whether there is any thread here.
    pub(super) fn has_threads(&self) -> bool {
        !(self.threads.is_empty() && self.loaded.is_empty())
    }

    /// Whether a listener has this thread.
    pub(super) fn has(&self, thread: &str) -> bool {
        matches!(self.threads.get(thread), Some(Route::To { .. }))
    }

    /// The threads whose parents Codex is to be asked for; the ones held too long become unclaimed.
    pub(super) fn overdue(&mut self) -> Vec<String> {
        let over: Vec<String> = self
            .held
            .iter()
            .filter(|(_, held)| held.is_over(&self.limits))
            .map(|(id, _)| id.clone())
            .collect();
        for thread in over {
            self.claim(&thread, Route::Unclaimed);
        }
        let limits = &self.limits;
        self.held.iter_mut().filter_map(|(id, held)| held.ask(limits).then(|| id.clone())).collect()
    }

    /// All that is still held becomes unclaimed.
    pub(super) fn nobody_comes(&mut self) {
        let held: Vec<String> = self.held.keys().cloned().collect();
        for thread in held {
            self.claim(&thread, Route::Unclaimed);
        }
    }

    /// When [`Routes::overdue`] has something to do.
    pub(super) fn next_due(&self) -> Option<Instant> {
        self.held.values().map(|held| held.due(&self.limits)).min()
    }

    /// The process has ended, and all it said was taken. Everybody hears it, also whoever comes later.
    pub(super) fn end(&mut self, reason: &str, stderr_tail: &str) {
        self.gone = Some((reason.to_owned(), stderr_tail.to_owned()));
        for slot in 0..self.slots.len() {
            let (reason, stderr_tail) = (reason.to_owned(), stderr_tail.to_owned());
            self.tell_now(slot, Heard::ProcessGone { reason, stderr_tail });
        }
    }

    /// Puts everything into its mailbox, as far as there is room.
    pub(super) fn hand_on(&mut self, redactions: &Redactions) -> Backlog {
        let mut backlog = Backlog::default();
        for slot in 0..self.slots.len() {
            let Some(listener) = self.slots[slot].as_mut() else { continue };
            match listener.hand_on(redactions) {
                HandedOn::NobodyThere => self.close(slot),
                HandedOn::AsFarAsPossible => {
                    backlog.too_much |= listener.waiting() >= LONGEST_BACKLOG;
                    backlog.full.push(listener.mailbox.clone());
                }
                HandedOn::AsFarAsKnown => {}
            }
        }
        backlog
    }

    /// What no listener gets.
    pub(super) fn leftovers(&mut self) -> Vec<Leftover> {
        std::mem::take(&mut self.leftovers)
    }

    fn slot(&self, slot: usize) -> Option<&Slot> {
        self.slots.get(slot)?.as_ref()
    }

    /// The listener with this mailbox; a new one hears first what the process warned of before it came.
    fn slot_of(&mut self, seat: u64, mailbox: Mailbox, heard: BTreeMap<String, u64>) -> usize {
        let same = |slot: &Slot| slot.seat == seat && slot.mailbox.is_same(&mailbox);
        if let Some(slot) = self.slots.iter().position(|slot| slot.as_ref().is_some_and(same)) {
            return slot;
        }
        let mut slot = Slot::new(seat, mailbox, heard);
        for (offset, method, params) in self.warnings.iter().cloned() {
            let heard = Heard::Notice { method, params };
            slot.push(Told { process: self.process, offset, thread: None, heard });
        }
        // A place that is free is taken again: the table is as long as there were listeners at once.
        match self.slots.iter().position(Option::is_none) {
            Some(free) => {
                self.slots[free] = Some(slot);
                free
            }
            None => {
                self.slots.push(Some(slot));
                self.slots.len() - 1
            }
        }
    }

    fn tell(&mut self, slot: usize, offset: u64, heard: Heard) {
        let process = self.process;
        if let Some(slot) = self.slots.get_mut(slot).and_then(Option::as_mut) {
            slot.push(Told { process, offset, thread: None, heard });
        }
    }

    /// Tells something that stands in no line, and so is always new.
    fn tell_now(&mut self, slot: usize, heard: Heard) {
        let (process, offset) = (self.process, self.newest);
        if let Some(slot) = self.slots.get_mut(slot).and_then(Option::as_mut) {
            slot.push_new(Told { process, offset, thread: None, heard });
        }
    }

    fn deliver(&mut self, slot: usize, own: bool, told: Told) {
        if !own && matches!(told.heard, Heard::Idle) {
            // "Idle" is said of the session's own thread only; a sub-agent that rests says nothing about the session.
            return;
        }
        let children = children_of(&told.heard);
        if let Some(listener) = self.slots.get_mut(slot).and_then(Option::as_mut) {
            listener.push(told);
        }
        for child in children {
            self.follow(&child, slot);
        }
    }

    /// A sub-agent's thread goes where its parent's goes, unless it has a listener of its own.
    fn follow(&mut self, thread: &str, slot: usize) {
        if !self.has(thread) {
            self.claim(thread, Route::To { slot, own: false });
        }
    }

    fn hold(&mut self, thread: &str, told: Told) {
        if !self.held.contains_key(thread) && self.held.len() >= self.limits.threads {
            return self.leftovers.push(Leftover::Unclaimed { thread: thread.to_owned(), told });
        }
        let held = self.held.entry(thread.to_owned()).or_insert_with(Held::new);
        held.push(told);
        if held.is_over(&self.limits) {
            self.claim(thread, Route::Unclaimed);
        }
    }

    /// Sets the route of a thread and lets what was held for it go there, and what was held for its children.
    fn claim(&mut self, thread: &str, route: Route) {
        let mut claimed = VecDeque::from([(thread.to_owned(), route)]);
        while let Some((thread, route)) = claimed.pop_front() {
            self.threads.insert(thread.clone(), route);
            let held = self.held.remove(&thread).map(Held::into_news).unwrap_or_default();
            for told in held {
                self.news(&thread, told.offset, told.heard);
            }
            let route = match route {
                Route::To { slot, .. } => Route::To { slot, own: false },
                other => other,
            };
            let of_this = self.held.iter().filter(|(_, held)| held.parent.as_deref() == Some(&thread));
            claimed.extend(of_this.map(|(child, _)| (child.clone(), route)));
        }
    }

    /// Whether everybody knows this already.
    fn is_repeated(&mut self, offset: u64, method: &str, params: &Json) -> bool {
        if is_warning(method) {
            let known = self.warnings.iter().any(|(_, of, with)| of == method && with == params);
            if !known && self.warnings.len() < WARNINGS_KEPT {
                self.warnings.push((offset, method.to_owned(), params.clone()));
            }
            return known;
        }
        self.notices.insert(method.to_owned(), params.clone()).as_ref() == Some(params)
    }
}

/// What a process says once, before anybody listens.
fn is_warning(method: &str) -> bool {
    matches!(method, "configWarning" | "deprecationNotice")
}

/// The sub-agents an item names. Its JSON is read only if it can name any: an item may be megabytes long.
fn children_of(heard: &Heard) -> Vec<String> {
    let (Heard::ItemStarted(_, item) | Heard::ItemCompleted(_, item)) = heard else { return Vec::new() };
    let names = |key: &str| item.text().contains(key);
    if names("receiverThreadIds") || names("agentThreadId") { Item::read(item).children } else { Vec::new() }
}
