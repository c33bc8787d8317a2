//! `cargo xtask`: the only entry to set-up, tests, code generation and benchmarks.

mod a2a_gateway;
mod a2a_kit;
mod a2a_sdk;
mod bench;
#[cfg(target_os = "linux")]
mod chaos;
mod codegen;
mod demo;
mod drift;
mod failure;
#[cfg(unix)]
mod fuzz_api;
mod generate;
mod install;
mod judge;
mod npm;
#[cfg(target_os = "linux")]
mod order;
mod setup;
mod test;
mod tool;
mod ui;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::failure::Failure;

/// The workspace's own tasks.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Start the gateway on the stand-in for Codex, ready to be looked at; or play a conversation.
    Demo(demo::Options),
    /// Put `selvedge` on the PATH.
    Install(install::Options),
    /// Install what the tests need into a cache outside the tree; nothing that is already there.
    Setup,
    /// Set up, format, lint, check generated files, build and test: the one test command.
    Test(test::Options),
    /// Build the page, which the next build of the program carries; needs Node.js.
    Ui,
    /// Make the generated files of `protocol` again, from the schema the installed Codex prints.
    Codegen(generate::Options),
    /// Compare the newest Codex with the one our types are made from, and judge it. Exit code: 0 nothing concerns us, 1
    /// something does or the judge fails, 2 it could not be looked at.
    Drift(drift::Options),
    /// Run the judge on every version of Codex, and write what each of them does into docs/versions.md.
    Judge(judge::Options),
    /// Measure, and print each number beside its limit.
    Bench(bench::Options),
    /// Find out what the program needs often, which the linker then puts side by side; needs valgrind.
    #[cfg(target_os = "linux")]
    Order,
    /// Kill app-servers and the runtime's own process by a seed, and check that nothing was lost.
    #[cfg(target_os = "linux")]
    Chaos(chaos::Options),
    /// Let the official SDK of A2A talk to an agent of the gateway; needs Python.
    #[command(name = "a2a-sdk")]
    A2aSdk,
    /// Let the public conformance kit of A2A ask an agent of the gateway; needs Python and a checkout of the kit.
    #[command(name = "a2a-kit")]
    A2aKit(a2a_kit::Options),
    /// Let a fuzzer read the API's description and ask the gateway everything; needs Python.
    #[cfg(unix)]
    FuzzApi(fuzz_api::Options),
}

fn main() -> ExitCode {
    match perform(&Arguments::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("\nerror: {failure}");
            failure.exit_code()
        }
    }
}

fn perform(task: &Task) -> Result<(), Failure> {
    match task {
        Task::Demo(options) => demo::run(*options),
        Task::Install(options) => install::run(options),
        Task::Setup => setup::run(),
        Task::Test(options) => test::run(*options),
        Task::Ui => ui::run(),
        Task::Codegen(options) => generate::run(options),
        Task::Drift(options) => drift::run(options),
        Task::Judge(options) => judge::run(options),
        Task::Bench(options) => bench::run(*options),
        #[cfg(target_os = "linux")]
        Task::Order => order::run(),
        #[cfg(target_os = "linux")]
        Task::Chaos(options) => chaos::run(options),
        Task::A2aSdk => a2a_sdk::run(),
        Task::A2aKit(options) => a2a_kit::run(options),
        #[cfg(unix)]
        Task::FuzzApi(options) => fuzz_api::run(*options),
    }
}
