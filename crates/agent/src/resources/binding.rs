//! How something is opened, how long it lives, and what becomes of it then.

use std::any::TypeId;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;

use super::{Instance, OpenError, ResourceResolver, short_name};

/// How long something lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResourceScope {
    /// As long as the evaluation, or as whatever was opened for several.
    Singleton,
    /// One call of a tool.
    ToolCall,
    /// As long as whoever asked holds it; each who asks gets another.
    Prototype,
}

pub(super) type Opening = Pin<Box<dyn Future<Output = Result<Instance, OpenError>> + Send>>;
pub(super) type Closing = Pin<Box<dyn Future<Output = ()> + Send>>;
pub(super) type Restore = Box<dyn FnOnce() + Send>;

/// A binding, whatever its type.
#[derive(Clone)]
pub(crate) struct Binding {
    pub(super) id: TypeId,
    pub(super) name: &'static str,
    pub(super) scope: ResourceScope,
    pub(super) eager: bool,
    pub(super) open: Arc<dyn Fn(ResourceResolver) -> Opening + Send + Sync>,
    pub(super) close: Option<Arc<dyn Fn(Instance) -> Closing + Send + Sync>>,
    /// Remembers how it is; what it gives puts that back.
    pub(super) undo: Option<Arc<dyn Fn(Instance) -> Restore + Send + Sync>>,
}

/// How a `T` is opened for the tools of a prompt, and how long it lives.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use selvedge_agent::{Resource, ResourceResolver};
///
/// struct Config {
///     url: String,
/// }
///
/// struct Basket {
///     url: String,
///     items: Mutex<Vec<String>>,
/// }
///
/// let config = Resource::instance(Config { url: "memory:".into() });
/// let basket = Resource::singleton(async |resources: ResourceResolver| {
///     let config = resources.get::<Config>().await?;
///     Ok(Basket { url: config.url.clone(), items: Mutex::default() })
/// })
/// .undo(|it: &Basket| it.items.lock().map(|items| items.clone()).unwrap_or_default(), |it, before| {
///     if let Ok(mut items) = it.items.lock() {
///         *items = before;
///     }
/// })
/// .close(async |it: Arc<Basket>| println!("{} is closed", it.url));
/// ```
#[must_use = "a resource does nothing until it is bound"]
pub struct Resource<T> {
    pub(super) binding: Binding,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for Resource<T> {
    fn clone(&self) -> Self {
        Self { binding: self.binding.clone(), of: PhantomData }
    }
}

impl<T: Send + Sync + 'static> Resource<T> {
    /// Opened when it is first asked for, and then the same for every call.
    pub fn singleton<F>(open: impl Fn(ResourceResolver) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<T, OpenError>> + Send + 'static,
    {
        Self::new(ResourceScope::Singleton, open)
    }

    /// Opened for each call that asks, and closed when that has ended.
    ///
    /// ```
    /// use selvedge_agent::{Prompt, Resource, Section, Session, Tool, ToolCall, ToolContext};
    /// use serde_json::json;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// struct Scratch(tempfile::TempDir);
    ///
    /// let work = Tool::new("work", "Work.", async |(): (), context: ToolContext| {
    ///     let scratch = context.resource::<Scratch>().await?;
    ///     Ok(scratch.0.path().display().to_string()) // gone when the call has ended
    /// });
    /// let prompt = Prompt::text("demo", "work")
    ///     .section(Section::markdown("Task", "task", "Work.").tool(work))
    ///     .resource(Resource::per_call(async |_| Ok(Scratch(tempfile::tempdir()?))))
    ///     .build()?;
    /// let session = Session::new();
    /// assert!(prompt.render(&session)?.toolbox(&session).call(ToolCall::new("work", json!({}))).await.success);
    /// # Ok(())
    /// # }
    /// ```
    pub fn per_call<F>(open: impl Fn(ResourceResolver) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<T, OpenError>> + Send + 'static,
    {
        Self::new(ResourceScope::ToolCall, open)
    }

    /// Opened each time it is asked for. It belongs to whoever asked: nobody else closes it.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU32, Ordering};
    /// use selvedge_agent::{Bindings, Resource};
    ///
    /// static COUNT: AtomicU32 = AtomicU32::new(0);
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// struct Ticket(u32);
    ///
    /// let tickets = Resource::prototype(async |_| Ok(Ticket(COUNT.fetch_add(1, Ordering::Relaxed))));
    /// let resources = Bindings::new().bind(tickets).open().await?;
    /// assert_ne!(resources.get::<Ticket>().await?.0, resources.get::<Ticket>().await?.0);
    /// # resources.close().await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn prototype<F>(open: impl Fn(ResourceResolver) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<T, OpenError>> + Send + 'static,
    {
        Self::new(ResourceScope::Prototype, open)
    }

    /// Something that is there already.
    pub fn instance(value: T) -> Self {
        Self::shared(Arc::new(value))
    }

    /// The same, of something that others hold too.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use selvedge_agent::{Bindings, Resource};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// struct Pool;
    ///
    /// let pool = Arc::new(Pool);
    /// let resources = Bindings::new().bind(Resource::shared(pool.clone())).open().await?;
    /// assert!(Arc::ptr_eq(&resources.get::<Pool>().await?, &pool));
    /// # resources.close().await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn shared(value: Arc<T>) -> Self {
        let value: Instance = value;
        let open = move |_| -> Opening {
            let value = value.clone();
            Box::pin(async move { Ok(value) })
        };
        Self::bound(ResourceScope::Singleton, Arc::new(open))
    }

    fn new<F>(scope: ResourceScope, open: impl Fn(ResourceResolver) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<T, OpenError>> + Send + 'static,
    {
        let open = move |resolver| -> Opening {
            let opening = open(resolver);
            Box::pin(async move { opening.await.map(|it| Arc::new(it) as Instance) })
        };
        Self::bound(scope, Arc::new(open))
    }

    fn bound(scope: ResourceScope, open: Arc<dyn Fn(ResourceResolver) -> Opening + Send + Sync>) -> Self {
        let (id, name) = (TypeId::of::<T>(), short_name::<T>());
        Self {
            binding: Binding { id, name, scope, eager: false, open, close: None, undo: None },
            of: PhantomData,
        }
    }

    /// Opens it before the first call, so that what is wrong with it is found before anything is done. A singleton only.
    ///
    /// ```
    /// use selvedge_agent::{Bindings, OpenError, Resource, ResourceResolver};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// struct Database;
    ///
    /// let broken = Resource::singleton(async |_: ResourceResolver| Err::<Database, _>(OpenError::new("nobody answers")));
    /// assert!(Bindings::new().bind(broken.clone()).open().await.is_ok(), "nobody has asked for it yet");
    /// assert!(Bindings::new().bind(broken.eager()).open().await.is_err());
    /// # Ok(())
    /// # }
    /// ```
    pub fn eager(mut self) -> Self {
        self.binding.eager = true;
        self
    }

    /// What is done when its time is over. What was opened last is closed first; one that panics or takes longer than 5 seconds is left.
    pub fn close<F>(mut self, close: impl Fn(Arc<T>) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let close = move |instance: Instance| -> Closing {
            match instance.downcast::<T>() {
                Ok(instance) => Box::pin(close(instance)),
                Err(_) => Box::pin(async {}),
            }
        };
        self.binding.close = Some(Arc::new(close));
        self
    }

    /// How it is undone with a call that failed: what `snapshot` gives when the call first asks for it is what `restore` puts back.
    ///
    /// Calls that use what can be undone take turns from there on, because what one puts back would undo what another did beside it.
    pub fn undo<S: Send + 'static>(
        mut self,
        snapshot: impl Fn(&T) -> S + Send + Sync + 'static,
        restore: impl Fn(&T, S) + Send + Sync + 'static,
    ) -> Self {
        let restore = Arc::new(restore);
        let undo = move |instance: Instance| -> Restore {
            let Ok(instance) = instance.downcast::<T>() else { return Box::new(|| {}) };
            let (before, restore) = (snapshot(&instance), restore.clone());
            Box::new(move || restore(&instance, before))
        };
        self.binding.undo = Some(Arc::new(undo));
        self
    }
}
