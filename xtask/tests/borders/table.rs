//! The table: what each crate may know of ours, and what it must never reach through anybody.
//!
//! Crates that do not exist yet have their row already, so that they are born inside their border.

/// What one crate may know.
pub(crate) struct Border {
    /// The crate.
    pub(crate) package: &'static str,
    /// Our crates it may depend on directly.
    pub(crate) may_use: &'static [&'static str],
    /// Our crates only its tests may depend on.
    pub(crate) tests_may_use: &'static [&'static str],
    /// Libraries that must not be among its dependencies, however deep.
    pub(crate) never: &'static [&'static str],
}

const PROTOCOL: &str = "selvedge-protocol";
const CLIENT: &str = "selvedge-client";
const SESSION: &str = "selvedge-session";
const JOURNAL: &str = "selvedge-journal";
const RUNTIME: &str = "selvedge-runtime";
const RECORDING: &str = "selvedge-recording";
const RELAY: &str = "selvedge-relay";
const AGENT: &str = "selvedge-agent";
const DIALECTS: &str = "selvedge-dialects";
const SERVER: &str = "selvedge-server";
const REHEARSAL: &str = "selvedge-rehearsal";

/// One row per crate, in the order of docs/ARCHITECTURE.md.
pub(crate) const BORDERS: &[Border] = &[
    // What Codex says, read; no ideas of our own, nothing that runs.
    Border {
        package: PROTOCOL,
        may_use: &[],
        tests_may_use: &[],
        never: &["tokio", "async-std", "smol", "futures-util", "rustix", "axum", "hyper", "rusqlite", "clap"],
    },
    // One conversation: it knows no session, no storage, no HTTP.
    Border {
        package: CLIENT,
        may_use: &[PROTOCOL],
        tests_may_use: &[REHEARSAL],
        never: &["axum", "hyper", "reqwest", "rusqlite", "sqlx", "clap"],
    },
    // Pure: no I/O, no async, no clock, not Codex's envelope.
    Border {
        package: SESSION,
        may_use: &[],
        tests_may_use: &[],
        never: &["tokio", "async-std", "smol", "futures-util", "rustix", "axum", "hyper", "rusqlite", "clap"],
    },
    // Records: it does not know what an event means, nor Codex, nor HTTP.
    Border {
        package: JOURNAL,
        may_use: &[],
        tests_may_use: &[],
        never: &["axum", "hyper", "reqwest", "clap"],
    },
    // Files of lines: who said them, and nothing of what follows from it.
    Border {
        package: RECORDING,
        may_use: &[],
        tests_may_use: &[],
        never: &["tokio", "async-std", "smol", "axum", "hyper", "rusqlite", "clap"],
    },
    // Wires the five above together, for whoever shows it, and has relays hold what is to outlive it.
    Border {
        package: RUNTIME,
        may_use: &[PROTOCOL, CLIENT, SESSION, JOURNAL, RECORDING, RELAY],
        tests_may_use: &[REHEARSAL],
        never: &["axum", "hyper", "clap", "rustyline", "indicatif"],
    },
    // Bytes, sockets and one child: it has to be small enough never to need a restart.
    Border {
        package: RELAY,
        may_use: &[],
        tests_may_use: &[REHEARSAL],
        never: &["tokio", "async-std", "smol", "axum", "hyper", "rusqlite"],
    },
    // The SDK is a library: it serves nothing and has no command line.
    Border {
        package: AGENT,
        // The stand-in with its feature `testing` only.
        may_use: &[SESSION, JOURNAL, RUNTIME, REHEARSAL],
        // Its bench compares with a client alone.
        tests_may_use: &[REHEARSAL, CLIENT],
        never: &["axum", "clap", "rustyline"],
    },
    // Pure translations of events.
    Border {
        package: DIALECTS,
        may_use: &[SESSION],
        tests_may_use: &[],
        never: &["tokio", "async-std", "smol", "futures-util", "rustix", "axum", "hyper", "rusqlite", "clap"],
    },
    // HTTP: no child processes, not the wire.
    Border {
        package: SERVER,
        may_use: &[SESSION, JOURNAL, RUNTIME, DIALECTS],
        tests_may_use: &[REHEARSAL],
        never: &["clap", "rustyline"],
    },
    // The stand-ins: if they knew the product, they would agree with it instead of with Codex.
    Border {
        package: REHEARSAL,
        may_use: &[PROTOCOL, RECORDING],
        tests_may_use: &[CLIENT],
        never: &["rusqlite", "clap"],
    },
    // The command: arguments and printing. What is deeper it reaches through the crates that own it.
    Border {
        package: "selvedge-cli",
        // Client and journal are for `doctor` alone: it looks at a Codex and a file that no runtime may use yet.
        may_use: &[CLIENT, SESSION, JOURNAL, RUNTIME, RELAY, AGENT, DIALECTS, SERVER, REHEARSAL, RECORDING],
        tests_may_use: &[PROTOCOL],
        never: &[],
    },
    // The workspace's own tasks work on the tree, not with the product.
    Border { package: "xtask", may_use: &[], tests_may_use: &[], never: &["tokio"] },
];
