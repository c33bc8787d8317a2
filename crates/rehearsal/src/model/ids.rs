//! Ids of what the player makes. Codex takes them over as item ids, so they must be unique within a thread.
//!
//! They are made from the thread's key and the whole conversation: a retry gets the same ids, and any other request
//! differs in its conversation, even after a compaction shortened it. A counter would be state.

use std::fmt;

/// What a call's id says about it when its output comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallMark {
    /// An action of the scenario.
    Call,
    /// A sub-agent whose end is to be waited for.
    Spawn,
    /// The wait for something that an earlier call began; no step of its own.
    Wait,
}

impl CallMark {
    const fn prefix(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Spawn => "spawn",
            Self::Wait => "wait",
        }
    }

    pub(super) fn of(call_id: &str) -> Self {
        let prefix = call_id.split('_').next();
        let known = [Self::Spawn, Self::Wait].into_iter().find(|mark| prefix == Some(mark.prefix()));
        known.unwrap_or(Self::Call)
    }
}

impl fmt::Display for CallMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.prefix())
    }
}

/// Hands out the ids of one response.
#[derive(Debug)]
pub(super) struct Ids {
    hash: u64,
    made: usize,
}

impl Ids {
    pub(super) fn new(hash: u64) -> Self {
        Self { hash, made: 0 }
    }

    pub(super) fn response(&self) -> String {
        format!("resp_{:016x}", self.hash)
    }

    pub(super) fn next(&mut self, prefix: impl fmt::Display) -> String {
        self.made += 1;
        format!("{prefix}_{:016x}_{}", self.hash, self.made)
    }
}

/// The part of an id that says which response made it.
pub(super) fn response_of(call_id: &str) -> Option<&str> {
    call_id.split('_').nth(1)
}

/// FNV-1a: small, and the same in every build, which std's hasher does not promise.
pub(super) fn content_hash(key: &str, raw: &[u8]) -> u64 {
    key.bytes().chain(raw.iter().copied()).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
