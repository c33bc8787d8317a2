//! What the player tells whoever conducts it, one JSON a line over a socket.

use serde::{Deserialize, Serialize};

/// Where the player is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cue {
    /// It waits for the deed at this place of the script.
    Deed(usize),
    /// The deed that it waited for is done.
    Done(usize),
    /// It waits for a word, any line, before it says the line at this place.
    Word(usize),
    /// It has said everything.
    Played,
}
