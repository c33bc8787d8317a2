//! Finding something, and opening it if nobody did before.

use std::any::TypeId;
use std::sync::Arc;

use tokio::sync::Mutex as Turn;

use super::binding::{Binding, ResourceScope};
use super::shelf::Shelf;
use super::{Instance, ResourceError, short_name};
use crate::toolbox::guarded;

/// What something that is being opened may ask for. Cheap to clone.
///
/// ```
/// use selvedge_agent::{Bindings, Resource, ResourceResolver};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// struct Settings {
///     greeting: String,
/// }
///
/// struct Greeter {
///     words: String,
/// }
///
/// let greeter = Resource::singleton(async |resources: ResourceResolver| {
///     let settings = resources.get::<Settings>().await?;
///     Ok(Greeter { words: format!("{}!", settings.greeting) })
/// });
/// let settings = Resource::instance(Settings { greeting: "Hello".into() });
/// let resources = Bindings::new().bind(greeter).bind(settings).open().await?;
/// assert_eq!(resources.get::<Greeter>().await?.words, "Hello!");
/// # resources.close().await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct ResourceResolver {
    pub(super) shelf: Arc<Shelf>,
    /// Those that are being opened, each for the one before it.
    path: Arc<[Asking]>,
    /// Whose turn it is among those that are asked for side by side.
    opening: Arc<Turn<()>>,
}

/// Something that is being opened.
#[derive(Clone, Copy)]
struct Asking {
    id: TypeId,
    name: &'static str,
    scope: ResourceScope,
}

impl ResourceResolver {
    pub(super) fn on(shelf: Arc<Shelf>) -> Self {
        let opening = shelf.opening.clone();
        Self { shelf, path: Arc::new([]), opening }
    }

    /// The resource of this type.
    ///
    /// # Errors
    /// If nobody bound one, it cannot be opened, needs itself, or its time is over.
    pub async fn get<T: Send + Sync + 'static>(&self) -> Result<Arc<T>, ResourceError> {
        let instance = self.find(TypeId::of::<T>(), short_name::<T>()).await?;
        let unbound = |_| ResourceError::Unbound { resource: short_name::<T>().to_owned() };
        instance.downcast().map_err(unbound)
    }

    /// The same; nothing, if nobody bound one.
    ///
    /// # Errors
    /// If one is bound, and cannot be had.
    pub async fn get_optional<T: Send + Sync + 'static>(&self) -> Result<Option<Arc<T>>, ResourceError> {
        match self.shelf.bindings.get(TypeId::of::<T>()) {
            Some(_) => self.get().await.map(Some),
            None => Ok(None),
        }
    }

    pub(super) async fn find(&self, id: TypeId, name: &'static str) -> Result<Instance, ResourceError> {
        let bindings = self.shelf.bindings.clone();
        let binding = bindings.get(id).ok_or_else(|| ResourceError::Unbound { resource: name.to_owned() })?;
        if let Some(begins) = self.path.iter().position(|asking| asking.id == id) {
            let names = self.path[begins..].iter().map(|asking| asking.name).chain([name]);
            return Err(ResourceError::Circle { path: names.map(str::to_owned).collect() });
        }
        if self.shelf.is_closed() {
            return Err(ResourceError::Closed { resource: name.to_owned() });
        }
        let home = match binding.scope {
            ResourceScope::Singleton => self.shelf.bottom(),
            ResourceScope::ToolCall if self.shelf.is_call() => self.shelf.clone(),
            ResourceScope::ToolCall => {
                let for_whom = self.path.last().map(|asking| asking.name.to_owned());
                return Err(ResourceError::OutsideCall { resource: name.to_owned(), for_whom });
            }
            ResourceScope::Prototype => return self.open(binding, self.shelf.clone()).await,
        };
        let instance = match home.instance(id) {
            Some(instance) => instance,
            None => self.open_once(binding, home).await?,
        };
        if let Some(asking) = self.path.last() {
            self.shelf.needs(asking.id, id);
        }
        self.shelf.touch(id, name).await?;
        Ok(instance)
    }

    /// Opens it, unless somebody did while we waited.
    async fn open_once(&self, binding: &Binding, home: Arc<Shelf>) -> Result<Instance, ResourceError> {
        // Whatever is opened for another that lives as long has that one's turn already.
        let has_turn = self.path.iter().any(|asking| asking.scope == binding.scope);
        let turn = if has_turn { self.opening.clone() } else { home.opening.clone() };
        let _turn = turn.lock().await;
        if let Some(instance) = home.instance(binding.id) {
            return Ok(instance);
        }
        let instance = self.open(binding, home.clone()).await?;
        home.keep(binding.id, instance.clone());
        Ok(instance)
    }

    async fn open(&self, binding: &Binding, shelf: Arc<Shelf>) -> Result<Instance, ResourceError> {
        let asking = Asking { id: binding.id, name: binding.name, scope: binding.scope };
        let path = self.path.iter().copied().chain([asking]).collect();
        let is_kept = binding.scope != ResourceScope::Prototype;
        let opening = if is_kept { Arc::default() } else { self.opening.clone() };
        let within = Self { shelf, path, opening };
        let open = binding.open.clone();
        match guarded(async move { open(within).await }).await {
            Ok(opened) => opened.map_err(|error| error.of(binding.name)),
            Err(panic) => {
                let why = format!("it panicked: {panic}");
                Err(ResourceError::Failed { resource: binding.name.to_owned(), why })
            }
        }
    }
}
