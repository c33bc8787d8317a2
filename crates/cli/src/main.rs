//! The `selvedge` command: arguments, printing, exit codes.

fn main() {}
