//! `selvedge stop`: lets the gateway on the data directory end, and waits until it has.

use std::process::ExitCode;

use clap::Args;
use rustix::process::{Pid, Signal, kill_process};
use selvedge_server::Running;

use crate::{common::Common, failure::Failure};

/// Options of `stop`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    #[command(flatten)]
    common: Common,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, Failure> {
    let directory = options.common.config()?.data_dir;
    let Some(running) = Running::find(&directory) else {
        let what = format!("no gateway serves {}", directory.display());
        return Err(Failure::failed(
            what,
            "name another directory with --data-dir; `selvedge serve` starts one",
        ));
    };
    let told =
        i32::try_from(running.pid).ok().and_then(Pid::from_raw).map(|pid| kill_process(pid, Signal::INT));
    match told {
        Some(Ok(())) => {}
        Some(Err(error)) => {
            let what = format!("process {} could not be told: {error}", running.pid);
            return Err(Failure::failed(what, "it may belong to somebody else"));
        }
        None => return Err(Failure::failed("gateway.json names no process", "end the gateway yourself")),
    }
    eprintln!("the gateway (process {}) takes nothing new; turns that run get their time", running.pid);
    Running::ended(&directory).map_err(|error| {
        Failure::failed(format!("cannot wait for it: {error}"), "look whether it still runs")
    })?;
    println!("the gateway has ended");
    Ok(ExitCode::SUCCESS)
}
