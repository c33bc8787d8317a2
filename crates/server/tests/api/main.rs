//! Every route as its users ask it.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "a test's tasks end with it")]

/// Plays cases that Codex has no part in on the stand-in alone.
macro_rules! on_the_stand_in {
    ($($case:ident),+ $(,)?) => {$(
        mod $case {
            #[tokio::test(flavor = "multi_thread")]
            async fn on_the_stand_in() {
                $crate::support::stage::in_time(super::$case($crate::support::stage::Stage::rehearsal().await)).await;
            }
        }
    )+};
}

/// Plays cases that only the real Codex can.
macro_rules! on_the_real {
    ($($case:ident),+ $(,)?) => {$(
        mod $case {
            #[tokio::test(flavor = "multi_thread")]
            async fn on_the_real_codex() {
                $crate::support::stage::in_time(super::$case($crate::support::stage::Stage::real().await)).await;
            }
        }
    )+};
}

mod approvals;
mod bodies;
mod busy;
mod control;
mod described;
mod fields;
mod health;
mod hidden;
mod idempotency;
mod limits;
mod lists;
mod messages;
mod openapi;
mod roots;
mod sessions;
#[path = "../support/mod.rs"]
mod support;
mod tool_calls;
mod ways;
mod without_codex;
mod worktrees;
