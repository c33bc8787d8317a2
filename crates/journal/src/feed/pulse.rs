//! What wakes the feeds: the place of the newest record each kind of feed wants. A number: it cannot lag or be lost.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::sync::watch;

use crate::record::Kind;

/// How the log stands, for who waits for more of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beat {
    /// Nobody has said yet.
    Unknown,
    /// The place of the newest record that may be wanted.
    At(u64),
    /// The store was closed.
    Closed,
}

/// What the feeds of one kind share while there is one.
#[derive(Debug)]
pub struct Pulse {
    only: Option<Kind>,
    newest: watch::Sender<Beat>,
}

impl Pulse {
    pub(crate) fn watch(&self) -> watch::Receiver<Beat> {
        self.newest.subscribe()
    }

    fn wants(&self, kinds: i64) -> bool {
        self.only.is_none_or(|kind| kinds & kind.bit() != 0)
    }

    fn raise(&self, place: u64) {
        self.newest.send_if_modified(|newest| {
            let newer = match newest {
                Beat::Unknown => true,
                Beat::At(known) => place > *known,
                Beat::Closed => false,
            };
            if newer {
                *newest = Beat::At(place);
            }
            newer
        });
    }
}

/// The pulses of a store that somebody holds: a few, one for each kind of feed.
#[derive(Debug, Default)]
pub(crate) struct Pulses {
    held: Mutex<Vec<Weak<Pulse>>>,
}

impl Pulses {
    /// The pulse of that kind, made if nobody holds it.
    pub(crate) fn hold(&self, only: Option<Kind>) -> Arc<Pulse> {
        let mut held = self.lock();
        if let Some(pulse) = held.iter().filter_map(Weak::upgrade).find(|pulse| pulse.only == only) {
            return pulse;
        }
        let pulse = Arc::new(Pulse { only, newest: watch::Sender::new(Beat::Unknown) });
        held.push(Arc::downgrade(&pulse));
        pulse
    }

    /// Whether nobody waits.
    pub(crate) fn is_empty(&self) -> bool {
        let mut held = self.lock();
        held.retain(|pulse| pulse.strong_count() > 0);
        held.is_empty()
    }

    /// Records were committed: their places, in order, and the kinds of their facts.
    pub(crate) fn committed(&self, records: &[(u64, i64)]) {
        for pulse in self.all() {
            if let Some((place, _)) = records.iter().rfind(|(_, kinds)| pulse.wants(*kinds)) {
                pulse.raise(*place);
            }
        }
    }

    /// Somebody else has committed something, up to that place.
    pub(crate) fn learned(&self, place: u64) {
        self.all().iter().for_each(|pulse| pulse.raise(place));
    }

    /// Nothing more will be committed.
    pub(crate) fn close(&self) {
        for pulse in self.all() {
            pulse.newest.send_replace(Beat::Closed);
        }
    }

    fn all(&self) -> Vec<Arc<Pulse>> {
        self.lock().iter().filter_map(Weak::upgrade).collect()
    }

    /// A panic elsewhere leaves the table whole: each change is one step.
    fn lock(&self) -> MutexGuard<'_, Vec<Weak<Pulse>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
