//! Which resources there are.

use std::any::TypeId;
use std::collections::HashMap;
use std::fmt;

use super::binding::{Binding, Resource, ResourceScope};
use super::{ResourceError, Resources};

/// How resources are opened: at most one way for each type.
///
/// ```
/// use selvedge_agent::{Bindings, Resource};
///
/// struct Greeting(&'static str);
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), selvedge_agent::ResourceError> {
/// let resources = Bindings::new().bind(Resource::instance(Greeting("hello"))).open().await?;
/// assert_eq!(resources.get::<Greeting>().await?.0, "hello");
/// resources.close().await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Bindings {
    by_type: HashMap<TypeId, Binding>,
    /// Types in the order in which they were bound.
    order: Vec<TypeId>,
    /// Types that were bound more than once in one place.
    twice: Vec<&'static str>,
}

impl fmt::Debug for Bindings {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.iter().map(|binding| binding.name)).finish()
    }
}

impl Bindings {
    /// None.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With one more. A type that is bound twice is told when they are opened.
    #[must_use]
    pub fn bind<T>(mut self, resource: Resource<T>) -> Self {
        self.add(resource.binding);
        self
    }

    pub(crate) fn add(&mut self, binding: Binding) {
        let (id, name) = (binding.id, binding.name);
        if self.by_type.insert(id, binding).is_some() {
            self.twice.push(name);
        } else {
            self.order.push(id);
        }
    }

    /// With all of the others; where both bind a type, theirs is taken.
    ///
    /// ```
    /// use selvedge_agent::{Bindings, Resource};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// struct Port(u16);
    ///
    /// let defaults = Bindings::new().bind(Resource::instance(Port(80)));
    /// let for_tests = Bindings::new().bind(Resource::instance(Port(0)));
    /// let resources = defaults.merge(&for_tests).open().await?;
    /// assert_eq!(resources.get::<Port>().await?.0, 0);
    /// # resources.close().await;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn merge(mut self, others: &Self) -> Self {
        for binding in others.iter() {
            if self.by_type.insert(binding.id, binding.clone()).is_none() {
                self.order.push(binding.id);
            }
        }
        self.twice.extend(&others.twice);
        self
    }

    /// Opens what is to be opened first, and makes the rest ready to be asked for.
    ///
    /// # Errors
    /// If a type is bound twice, or something that is to be opened first cannot be. What was opened before that is closed.
    pub async fn open(self) -> Result<Resources, ResourceError> {
        if let Some(resource) = self.twice.first() {
            return Err(ResourceError::Duplicate { resource: (*resource).to_owned() });
        }
        let eager: Vec<TypeId> = self.iter().filter(|it| it.is_opened_first()).map(|it| it.id).collect();
        let resources = Resources::waiting(self);
        for id in eager {
            if let Err(error) = resources.open(id).await {
                resources.close().await;
                return Err(error);
            }
        }
        Ok(resources)
    }

    /// The types that are bound more than once.
    pub(crate) fn twice(&self) -> &[&'static str] {
        &self.twice
    }

    pub(super) fn get(&self, id: TypeId) -> Option<&Binding> {
        self.by_type.get(&id)
    }

    fn iter(&self) -> impl Iterator<Item = &Binding> {
        self.order.iter().filter_map(|id| self.by_type.get(id))
    }
}

impl Binding {
    fn is_opened_first(&self) -> bool {
        self.eager && self.scope == ResourceScope::Singleton
    }
}
