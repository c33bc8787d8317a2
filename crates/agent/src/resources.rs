//! What tools work with: opened when it is first asked for, shared for as long as it lives, closed in reverse, undone with a call that failed.

mod binding;
mod bindings;
mod closing;
mod error;
mod opened;
mod resolver;
mod shelf;

use std::any::Any;
use std::sync::Arc;

pub use binding::Resource;
pub use bindings::Bindings;
pub(crate) use closing::Ending;
pub use error::{OpenError, ResourceError};
pub(crate) use opened::CallScope;
pub use opened::Resources;
pub use resolver::ResourceResolver;

/// Something that was opened, of a type that its binding knows.
type Instance = Arc<dyn Any + Send + Sync>;

/// A type's name without its modules, where that is one.
pub(crate) fn short_name<T: ?Sized>() -> &'static str {
    let name = std::any::type_name::<T>();
    if name.contains('<') { name } else { name.rsplit("::").next().unwrap_or(name) }
}
