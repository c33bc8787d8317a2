//! Why there is no resource.

use std::any::Any;
use std::error::Error;

use crate::tool::ToolError;

/// Why there is no resource of a type.
///
/// ```
/// use selvedge_agent::{Bindings, ResourceError};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// struct Database;
///
/// let resources = Bindings::new().open().await?;
/// let error = resources.get::<Database>().await.map(drop).unwrap_err();
/// assert_eq!(error, ResourceError::Unbound { resource: "Database".into() });
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResourceError {
    /// Nobody said how to open one.
    #[error("nothing is bound for {resource}\nhint: say `.resource(…)` on the prompt or on a section")]
    Unbound {
        /// The type.
        resource: String,
    },
    /// Two bindings of one type in one place.
    #[error("{resource} is bound twice\nhint: leave one of them out, or give each a type of its own")]
    Duplicate {
        /// The type.
        resource: String,
    },
    /// Each needs the next, and the last the first.
    #[error("resources need each other in a circle: {}", .path.join(" -> "))]
    Circle {
        /// The types, beginning and ending with the same.
        path: Vec<String>,
    },
    /// It lives for one call, and there is none: asked for outside of a call, or by something that lives longer.
    #[error("{resource} lives for one call of a tool, and there is none here{}", .for_whom.as_ref().map(|it| format!(": {it} lives longer")).unwrap_or_default())]
    OutsideCall {
        /// The type.
        resource: String,
        /// Who asked for it, if that was another resource.
        for_whom: Option<String>,
    },
    /// It could not be opened.
    #[error("{resource} could not be opened: {why}")]
    Failed {
        /// The type.
        resource: String,
        /// Why, with what that came from.
        why: String,
    },
    /// Its time is over.
    #[error(
        "{resource} was asked for when its time was over\nhint: a call may ask until its handler has returned"
    )]
    Closed {
        /// The type.
        resource: String,
    },
}

/// Why opening failed. `?` makes one of any error; another resource that could not be had stays the error that it is.
///
/// ```
/// use selvedge_agent::{Bindings, OpenError, Resource, ResourceResolver};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// struct Database {
///     url: String,
/// }
///
/// let open = async |_: ResourceResolver| {
///     let url = std::env::var("NO_SUCH_VARIABLE_HERE")?; // any error becomes one
///     if url.is_empty() { Err(OpenError::new("the address is empty")) } else { Ok(Database { url }) }
/// };
/// let resources = Bindings::new().bind(Resource::singleton(open)).open().await?;
/// let error = resources.get::<Database>().await.map(|database| database.url.clone()).unwrap_err();
/// assert_eq!(error.to_string(), "Database could not be opened: environment variable not found");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenError(Why);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Why {
    Resource(ResourceError),
    Words(String),
}

impl OpenError {
    /// With these words.
    pub fn new(words: impl Into<String>) -> Self {
        Self(Why::Words(words.into()))
    }

    pub(super) fn of(self, resource: &str) -> ResourceError {
        match self.0 {
            Why::Resource(error) => error,
            Why::Words(why) => ResourceError::Failed { resource: resource.to_owned(), why },
        }
    }
}

// `OpenError` is no `Error` itself: that would forbid this.
impl<E: Error + 'static> From<E> for OpenError {
    fn from(error: E) -> Self {
        match (&error as &dyn Any).downcast_ref::<ResourceError>() {
            Some(error) => Self(Why::Resource(error.clone())),
            None => Self::new(ToolError::from(error).message()),
        }
    }
}
