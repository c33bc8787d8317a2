//! Agents as other agents meet them: A2A over real HTTP, on the stand-in and on the real Codex.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "a test's tasks end with it")]

/// Plays a case on the stand-in.
macro_rules! on_the_stand_in {
    ($($case:ident),+ $(,)?) => {$(
        mod $case {
            #[tokio::test(flavor = "multi_thread")]
            async fn on_the_stand_in() {
                $crate::support::stage::in_time(super::$case($crate::stage::Stage::rehearsal().await)).await;
            }
        }
    )+};
}

/// Plays a case on the stand-in and on the real Codex.
macro_rules! on_both {
    ($($case:ident),+ $(,)?) => {$(
        mod $case {
            #[tokio::test(flavor = "multi_thread")]
            async fn on_the_stand_in() {
                $crate::support::stage::in_time(super::$case($crate::stage::Stage::rehearsal().await)).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn on_the_real_codex() {
                $crate::support::stage::in_time(super::$case($crate::stage::Stage::real().await)).await;
            }
        }
    )+};
}

mod card;
mod container;
mod door;
mod errors;
#[path = "../access/gate.rs"]
#[allow(dead_code, reason = "a part of it is used")]
mod gate;
mod identity;
mod inbox;
mod killed;
mod lists;
mod login;
mod mid_turn;
mod operations;
mod parts;
mod push;
mod serving;
mod settings;
mod stage;
mod streams;
#[path = "../support/mod.rs"]
mod support;
mod tasks;
mod tools;
