//! What `cargo xtask codegen` wrote.

pub mod asks;
pub mod calls;
pub mod say;
pub mod see;
