//! `selvedge rehearse recording`: a recording on stdin and stdout, in the place of an app-server.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;
use selvedge_recording::Recording;
use selvedge_rehearsal::recording::{self, Pace, Script};

use crate::failure::Failure;

/// Options of `rehearse recording`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The recording
    file: PathBuf,
    #[command(flatten)]
    speed: Speed,
    /// Where whoever conducts listens: a Unix socket
    #[arg(long, value_name = "SOCKET")]
    conductor: Option<PathBuf>,
}

/// How fast a recording is played.
#[derive(Debug, Clone, Args)]
pub(crate) struct Speed {
    /// So many times as fast as it was
    #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = speed)]
    pub(crate) speed: f64,
    /// Without waiting
    #[arg(long, conflicts_with = "speed")]
    pub(crate) at_once: bool,
    /// Line by line, each at Enter
    #[arg(long, conflicts_with_all = ["speed", "at_once"])]
    pub(crate) step: bool,
}

impl Speed {
    pub(crate) fn pace(&self) -> Pace {
        if self.step {
            Pace::Step
        } else if self.at_once {
            Pace::AtOnce
        } else {
            Pace::Times(self.speed)
        }
    }
}

fn speed(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(speed) if speed.is_finite() && speed > 0.0 => Ok(speed),
        _ => Err("it is a number above 0, for example 10 or 0.5".into()),
    }
}

/// Plays to the end of stdin.
pub(crate) fn run(options: Options) -> Result<ExitCode, Failure> {
    let recording = Recording::open(&options.file)?;
    let (script, pace) = (Script::of(&recording), options.speed.pace());
    recording::run(recording::Options { script, pace, conductor: options.conductor })?;
    Ok(ExitCode::SUCCESS)
}
