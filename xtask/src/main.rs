//! `cargo xtask`: the only entry to set-up, tests, code generation and benchmarks.

fn main() {}
