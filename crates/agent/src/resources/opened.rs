//! Resources that are open, for evaluations and their calls.

use std::any::TypeId;
use std::fmt;
use std::sync::Arc;

use super::ResourceError;
use super::bindings::Bindings;
use super::closing::Ending;
use super::resolver::ResourceResolver;
use super::shelf::Shelf;

/// Resources that are open. A clone is the same; when the last one is gone they are closed in the background, unless [`close`](Self::close) did so before.
///
/// Each evaluation opens its prompt's own, and closes them at its end. Opened beforehand and given to
/// [`Evaluation::resources`](crate::Evaluation::resources), they stay open over any number of evaluations, also within each other.
///
/// ```
/// use selvedge_agent::{Prompt, Resource, Section, Session, testing::Rehearsal};
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// struct Database;
///
/// # let codex = Rehearsal::saying("Done.").codex().build().await?;
/// let prompt = Prompt::text("demo", "go")
///     .section(Section::markdown("Task", "task", "Go."))
///     .resource(Resource::singleton(async |_| Ok(Database)))
///     .build()?;
/// let resources = prompt.open_resources().await?;
/// for _ in 0..2 {
///     // Both evaluations find the same, and leave it open.
///     codex.evaluate(&prompt, &Session::new()).resources(&resources).await?;
/// }
/// assert!(resources.get_optional::<Database>().await?.is_some());
/// resources.close().await;
/// # codex.close().await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Resources {
    shelf: Arc<Shelf>,
}

impl fmt::Debug for Resources {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Resources").field("bindings", &self.shelf.bindings).finish_non_exhaustive()
    }
}

/// None.
impl Default for Resources {
    fn default() -> Self {
        Self::waiting(Bindings::default())
    }
}

impl Resources {
    /// Nothing is open yet: everything is opened when it is asked for.
    pub(crate) fn waiting(bindings: impl Into<Arc<Bindings>>) -> Self {
        Self { shelf: Arc::new(Shelf::new(bindings.into(), None)) }
    }

    pub(super) async fn open(&self, id: TypeId) -> Result<(), ResourceError> {
        let name = self.shelf.bindings.get(id).map_or("it", |binding| binding.name);
        self.resolver().find(id, name).await.map(drop)
    }

    /// The resource of this type: within a call, as that call sees it.
    ///
    /// # Errors
    /// If nobody bound one, it cannot be opened, needs itself, or its time is over.
    pub async fn get<T: Send + Sync + 'static>(&self) -> Result<Arc<T>, ResourceError> {
        self.resolver().get().await
    }

    /// The same; nothing, if nobody bound one.
    ///
    /// # Errors
    /// If one is bound, and cannot be had.
    pub async fn get_optional<T: Send + Sync + 'static>(&self) -> Result<Option<Arc<T>>, ResourceError> {
        self.resolver().get_optional().await
    }

    /// Closes everything, the last that was opened first, and waits for it. Nothing can be asked for afterwards, by no clone.
    pub async fn close(&self) {
        self.shelf.finish(true).run().await;
    }

    /// The level of one call.
    pub(crate) fn call(&self) -> CallScope {
        let shelf = Shelf::new(self.shelf.bindings.clone(), Some(self.shelf.clone()));
        CallScope { resources: Self { shelf: Arc::new(shelf) }, ended: false }
    }

    fn resolver(&self) -> ResourceResolver {
        ResourceResolver::on(self.shelf.clone())
    }
}

/// What is open for one call. Dropped before its end, the call is undone.
pub(crate) struct CallScope {
    resources: Resources,
    ended: bool,
}

impl CallScope {
    /// As the call sees them.
    pub(crate) fn resources(&self) -> &Resources {
        &self.resources
    }

    /// The call has ended: what it changed is kept or put back. What was opened for it is left to be closed.
    pub(crate) fn end(mut self, keep: bool) -> Ending {
        self.ended = true;
        self.resources.shelf.finish(keep)
    }
}

impl Drop for CallScope {
    fn drop(&mut self) {
        if !self.ended {
            drop(self.resources.shelf.finish(false));
        }
    }
}
