//! The slices of one level: of a session, or of a transaction in it.

use std::any::TypeId;
use std::collections::BTreeMap;

use super::slice::{AnySlice, Items, Slice};

/// Slices by their type. A clone shares every value with its original until one of them changes.
#[derive(Default)]
pub(crate) struct Slices(BTreeMap<TypeId, Box<dyn AnySlice>>);

impl Clone for Slices {
    fn clone(&self) -> Self {
        Self(self.0.iter().map(|(id, slice)| (*id, slice.boxed_clone())).collect())
    }
}

impl Slices {
    pub(crate) fn items<T: Slice>(&self) -> Items<T> {
        self.get::<T>().cloned().unwrap_or_default()
    }

    pub(crate) fn get<T: Slice>(&self) -> Option<&Items<T>> {
        self.0.get(&TypeId::of::<T>()).and_then(|slice| slice.as_any().downcast_ref())
    }

    pub(crate) fn set<T: Slice>(&mut self, values: Vec<T>) {
        self.put(TypeId::of::<T>(), Box::new(Items::new(values)));
    }

    /// Changes a slice in place.
    pub(crate) fn edit<T: Slice>(&mut self, change: impl FnOnce(&mut Vec<T>)) {
        let slice = self.0.entry(TypeId::of::<T>()).or_insert_with(|| Box::new(Items::<T>::default()));
        if let Some(items) = slice.as_any_mut().downcast_mut::<Items<T>>() {
            change(items.make_mut());
        }
    }

    pub(crate) fn put(&mut self, id: TypeId, slice: Box<dyn AnySlice>) {
        self.0.insert(id, slice);
    }

    pub(crate) fn remove(&mut self, id: TypeId) {
        self.0.remove(&id);
    }

    /// Every slice that has values.
    pub(crate) fn filled(&self) -> impl Iterator<Item = &dyn AnySlice> {
        self.0.values().map(AsRef::as_ref).filter(|slice| !slice.is_empty())
    }
}
