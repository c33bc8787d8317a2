//! How a response or a process goes wrong.

use serde::Deserialize;

/// How a response fails.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fail {
    /// The way.
    #[serde(rename = "as")]
    pub kind: FailKind,
    /// Words for it.
    pub message: Option<String>,
}

/// The ways a response can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailKind {
    /// HTTP 500.
    ServerError,
    /// HTTP 503, overloaded.
    Overloaded,
    /// HTTP 429.
    TooManyRequests,
    /// HTTP 429, usage limit reached.
    UsageLimit,
    /// HTTP 401.
    Unauthorized,
    /// HTTP 400.
    BadRequest,
    /// HTTP 404, model not found.
    ModelNotFound,
    /// The stream says that the context window is full.
    ContextWindow,
    /// The stream is cut.
    Disconnect,
}

/// A response that does not come.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hang {
    /// Give up after this long; never, without it.
    pub after_ms: Option<u64>,
}

/// The end of the simulated process.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crash {
    /// Its exit code.
    #[serde(default)]
    pub code: i32,
    /// Said on stderr first.
    pub stderr: Option<String>,
}

/// A line that is not JSON.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Garbage {
    /// The line (default: words); it may hold what is not UTF-8 as `\\xNN`.
    pub text: Option<String>,
}

/// A very long line.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HugeLine {
    /// Its length.
    pub bytes: usize,
}

/// A line that stops in the middle.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HalfLine {
    /// End the process then, instead of going on.
    #[serde(default)]
    pub and_exit: bool,
}

/// Many deltas.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flood {
    /// How many.
    pub deltas: usize,
    /// Bytes of each line, about.
    pub line_bytes: Option<usize>,
    /// One in so many milliseconds, instead of as fast as the pipe takes them.
    pub every_ms: Option<u64>,
}
