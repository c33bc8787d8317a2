//! Why a handler could not do what it was asked for, in words for the model.

use std::error::Error;
use std::fmt;

/// What the model is told when a tool fails. `?` makes one of any error.
///
/// ```
/// use selvedge_agent::ToolError;
///
/// fn port(text: &str) -> Result<u16, ToolError> {
///     let port: u16 = text.parse()?; // any error becomes one
///     if port < 1024 { Err(ToolError::new("ports below 1024 are not ours: choose a higher one")) } else { Ok(port) }
/// }
///
/// assert_eq!(port("x").map_err(|error| error.to_string()), Err("invalid digit found in string".into()));
/// assert_eq!(port("80").unwrap_err().message(), "ports below 1024 are not ours: choose a higher one");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolError {
    message: String,
}

impl ToolError {
    /// With these words: what happened, and what would help.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }

    /// The words.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

// `ToolError` is no `Error` itself: that would forbid this.
impl<E: Error> From<E> for ToolError {
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            message.push_str(&format!(": {error}"));
            cause = error.source();
        }
        Self { message }
    }
}
