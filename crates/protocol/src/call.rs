//! Typed calls: a method, what it is given and what it answers, tied together.

use serde::Serialize;

use crate::view::View;

/// A request of ours: implemented by the unit types of [`calls`](crate::calls).
pub trait Call {
    /// The method on the wire.
    const METHOD: &'static str;
    /// What it is called with. `()` for methods without parameters: it is written as `null`, or left out.
    type Params: Serialize;
    /// A view of its result.
    type Reply<'a>: View<'a>;
}

/// A request of Codex: implemented by the unit types of [`asks`](crate::asks).
pub trait ServerCall {
    /// The method on the wire.
    const METHOD: &'static str;
    /// A view of what Codex asks.
    type Params<'a>: View<'a>;
    /// What it may be answered.
    type Answer: Serialize;
}
