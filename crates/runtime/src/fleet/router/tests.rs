//! The router, over streams that a test speaks into.

mod again;
mod durable;
mod everybody;
mod pace;
mod stage;
mod threads;
mod unknown;
