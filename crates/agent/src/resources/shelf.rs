//! What is open for an evaluation, or for one call within it.

use std::any::TypeId;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

use super::binding::Restore;
use super::bindings::Bindings;
use super::closing::{Ending, restore};
use super::{Instance, ResourceError};

/// One level: an evaluation's, or that of a call. A call may lie in the call of another evaluation.
pub(super) struct Shelf {
    pub(super) bindings: Arc<Bindings>,
    /// The level that a call lies in; none for an evaluation's own.
    pub(super) below: Option<Arc<Shelf>>,
    kept: Mutex<Kept>,
    /// Things are opened one after the other: two that need each other, opened side by side, would wait for ever.
    pub(super) opening: Arc<Turn<()>>,
    /// Whose turn it is among the calls on this level that use what can be undone.
    undoing: Arc<Turn<()>>,
    /// Snapshots are taken one after the other.
    touching: Turn<()>,
}

#[derive(Default)]
struct Kept {
    instances: HashMap<TypeId, Instance>,
    /// In the order in which they were opened.
    order: Vec<TypeId>,
    /// What each asked for while it was opened.
    needs: HashMap<TypeId, HashSet<TypeId>>,
    /// What was there before this call.
    undo: Vec<(&'static str, Restore)>,
    touched: HashSet<TypeId>,
    /// The turn on the level below.
    turn: Option<OwnedMutexGuard<()>>,
    closed: bool,
}

impl Shelf {
    pub(super) fn new(bindings: Arc<Bindings>, below: Option<Arc<Self>>) -> Self {
        Self {
            bindings,
            below,
            kept: Mutex::default(),
            opening: Arc::default(),
            undoing: Arc::default(),
            touching: Turn::default(),
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn is_call(&self) -> bool {
        self.below.is_some()
    }

    /// The evaluation's own level.
    pub(super) fn bottom(self: &Arc<Self>) -> Arc<Self> {
        let mut shelf = self;
        while let Some(below) = &shelf.below {
            shelf = below;
        }
        shelf.clone()
    }

    pub(super) fn is_closed(&self) -> bool {
        self.kept().closed
    }

    pub(super) fn instance(&self, id: TypeId) -> Option<Instance> {
        self.kept().instances.get(&id).cloned()
    }

    pub(super) fn needs(&self, who: TypeId, what: TypeId) {
        self.kept().needs.entry(who).or_default().insert(what);
    }

    /// Keeps what was opened. If its time went by meanwhile, it is closed again.
    pub(super) fn keep(&self, id: TypeId, instance: Instance) {
        let mut kept = self.kept();
        kept.instances.insert(id, instance);
        kept.order.push(id);
        if kept.closed {
            drop(kept);
            drop(self.end());
        }
    }

    /// Remembers how something is, and what it was opened with, before this call changes it.
    pub(super) async fn touch(&self, id: TypeId, name: &str) -> Result<(), ResourceError> {
        let Some(below) = &self.below else { return Ok(()) };
        let bottom = below.bottom();
        let _touching = self.touching.lock().await;
        let new: Vec<TypeId> =
            self.undoable(id, &bottom).into_iter().filter(|id| !self.kept().touched.contains(id)).collect();
        if new.is_empty() {
            return Ok(());
        }
        // A call within a call: first of all the outer one remembers, and has its turn.
        Box::pin(below.touch(id, name)).await?;
        let has_turn = self.kept().turn.is_some();
        let turn = if has_turn { None } else { Some(below.undoing.clone().lock_owned().await) };
        let mut kept = self.kept();
        if kept.closed {
            return Err(ResourceError::Closed { resource: name.to_owned() });
        }
        kept.turn = kept.turn.take().or(turn);
        for id in new {
            let undo = self.bindings.get(id).and_then(|it| Some((it.name, it.undo.clone()?)));
            if let (Some((name, undo)), Some(instance)) = (undo, bottom.instance(id)) {
                kept.undo.push((name, undo(instance)));
                kept.touched.insert(id);
            }
        }
        Ok(())
    }

    /// What can be undone of something and of all that it was opened with.
    fn undoable(&self, id: TypeId, bottom: &Self) -> Vec<TypeId> {
        let kept = bottom.kept();
        let (mut found, mut waiting, mut seen) = (Vec::new(), vec![id], HashSet::new());
        while let Some(next) = waiting.pop() {
            if !seen.insert(next) {
                continue;
            }
            if kept.instances.contains_key(&next)
                && self.bindings.get(next).is_some_and(|it| it.undo.is_some())
            {
                found.push(next);
            }
            waiting.extend(kept.needs.get(&next).into_iter().flatten());
        }
        found
    }

    /// Its time is over. What a call changed is put back, unless that is to be kept; then others have their turn.
    pub(super) fn finish(&self, keep: bool) -> Ending {
        let (undo, turn) = {
            let mut kept = self.kept();
            kept.closed = true;
            (std::mem::take(&mut kept.undo), kept.turn.take())
        };
        if !keep {
            restore(undo);
        }
        drop(turn);
        self.end()
    }

    /// What is to be closed, the last that was opened first.
    fn end(&self) -> Ending {
        let mut kept = self.kept();
        let order = std::mem::take(&mut kept.order);
        let mut instances = std::mem::take(&mut kept.instances);
        let ending = order.into_iter().rev().filter_map(|id| {
            let instance = instances.remove(&id)?;
            let binding = self.bindings.get(id)?;
            let close = binding.close.clone()?;
            Some((binding.name, Box::new(move || close(instance)) as Box<_>))
        });
        Ending(ending.collect())
    }
}

impl Drop for Shelf {
    fn drop(&mut self) {
        drop(self.finish(false));
    }
}
