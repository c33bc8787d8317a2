//! `selvedge relay …`: a program that outlives whoever watches it.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use clap::{Args, Subcommand};
use selvedge_client::process::own_program;
use selvedge_relay::{Launch, Parted, Place};

use crate::{exit, failure::Failure};

/// What to do with a relay.
#[derive(Debug, Subcommand)]
pub(crate) enum Relay {
    /// Start a program behind a relay, and attach to it
    ServeAttach(ServeAttach),
    /// Show what the program said, then what it says, and hand it what is typed here
    Attach(Attach),
    /// End the program: close its stdin, then SIGTERM, then SIGKILL
    Stop(Whose),
}

/// Which relay.
#[derive(Debug, Args)]
pub(crate) struct Whose {
    /// Where the program runs; to find it again: here, unless given
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Where the relay's own files lie: a private directory that --dir names, unless given
    #[arg(long, value_name = "DIR", env = "CAIC_RELAY_DIR")]
    state: Option<PathBuf>,
}

impl Whose {
    fn place(&self) -> Result<Place, Failure> {
        let place = match &self.state {
            Some(state) => Place::at(state),
            None => Place::of(self.dir.as_deref().unwrap_or(Path::new("."))),
        };
        place.map_err(Into::into)
    }
}

/// Options of `relay serve-attach`.
#[derive(Debug, Args)]
pub(crate) struct ServeAttach {
    #[command(flatten)]
    whose: Whose,
    /// Keep what is sent to the program out of output.jsonl
    #[arg(long, env = "SELVEDGE_RELAY_NO_LOG_STDIN")]
    no_log_stdin: bool,
    /// Count what changes in git, and put it into output.jsonl as caic does
    #[arg(long, env = "SELVEDGE_RELAY_DIFF_STAT")]
    diff_stat: bool,
    /// Close the program's stdin after so long without a client; 0: never
    #[arg(long, value_name = "N", env = "SELVEDGE_RELAY_IDLE_MINUTES", default_value = "60", value_parser = minutes)]
    idle_minutes: Duration,
    /// The program and its arguments
    #[arg(last = true, value_name = "CMD")]
    command: Vec<OsString>,
}

/// Options of `relay attach`.
#[derive(Debug, Args)]
pub(crate) struct Attach {
    #[command(flatten)]
    whose: Whose,
    /// The byte of output.jsonl to begin with
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: u64,
}

pub(crate) fn run(what: Relay) -> Result<ExitCode, Failure> {
    match what {
        Relay::ServeAttach(options) => serve_attach(options),
        Relay::Attach(options) => attach(&options.whose.place()?, options.offset),
        Relay::Stop(whose) => {
            let ended = selvedge_relay::stop(&whose.place()?)?;
            println!("the program has ended: {ended}");
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn serve_attach(options: ServeAttach) -> Result<ExitCode, Failure> {
    let example = "for example: selvedge relay serve-attach --dir . -- codex app-server";
    let Some(directory) = options.whose.dir.clone() else {
        return Err(Failure::bad_input("--dir <path> is required", example));
    };
    if options.command.is_empty() {
        let separated = env::args_os().any(|word| word == "--");
        let what = if separated { "no command after '--'" } else { "missing '--' separator" };
        return Err(Failure::bad_input(what, example));
    }
    let place = options.whose.place()?;
    let held = selvedge_relay::Options {
        directory,
        log_stdin: !options.no_log_stdin,
        ahead: false,
        diff_stat: options.diff_stat,
        idle: Some(options.idle_minutes).filter(|idle| !idle.is_zero()),
    };
    let command = options.command;
    let (program, environment) = (own_program().map_err(Failure::start)?, Vec::new());
    selvedge_relay::start(Launch {
        program,
        place: place.clone(),
        options: held,
        command,
        environment,
        signs: Vec::new(),
    })?;
    attach(&place, 0)
}

/// Whatever the program's end was, it was shown: as in caic the exit code is 0, and stderr says how it ended.
fn attach(place: &Place, offset: u64) -> Result<ExitCode, Failure> {
    match selvedge_relay::attach(place, offset)? {
        Parted::Left => eprintln!("the program runs on; `selvedge relay attach` comes back to it"),
        Parted::Ended(ended) => eprintln!("the program has ended: {ended}"),
        Parted::TakenOver => eprintln!("another client took over; the program runs on"),
        Parted::Killed => {
            let hint = "what the program said is all in output.jsonl; how it ended is not known";
            return Err(Failure::failed("the relay was killed", hint));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn minutes(text: &str) -> Result<Duration, String> {
    let minutes: f64 = text.parse().map_err(|_| "a number of minutes".to_owned())?;
    Duration::try_from_secs_f64(minutes * 60.0).map_err(|error| error.to_string())
}

impl From<selvedge_relay::Error> for Failure {
    fn from(error: selvedge_relay::Error) -> Self {
        let code = if error.wrong_input { exit::BAD_INPUT } else { exit::FAILED };
        Self::new(code, error.what, Some(&error.hint))
    }
}
