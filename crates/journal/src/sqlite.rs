//! The store on disk: one SQLite file, one thread that writes, connections that read, a thread for checkpoints.

mod append;
mod backup;
mod bodies;
mod check;
mod checkpoint;
mod create;
mod desk;
mod explain;
mod heads;
mod index;
mod journal;
mod migrate;
mod open;
mod placing;
mod queue;
mod reader;
mod rebuild;
mod retention;
mod room;
mod schema;
mod slip;
mod transaction;
mod writer;

pub use check::{Damage, Progress, Report, Stage};
pub use journal::SqliteStore;
pub use open::{Durability, Options};

#[cfg(test)]
mod tests;
