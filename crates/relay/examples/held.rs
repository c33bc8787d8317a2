//! A program that starts relays and attaches to them, with nothing but the library: the tests' own, and the bench's.
//!
//!     held serve-attach --dir D [--no-log-stdin] [--diff-stat] [--ahead] [--idle SECONDS] -- CMD…
//!     held attach [--offset N]
//!     held stop
//!
//! The relay's files lie in `$CAIC_RELAY_DIR`.

use std::{env, path::Path, process::ExitCode, time::Duration};

use selvedge_relay::{Error, Launch, Options, Place, attach, daemon, start, stop};

fn main() -> ExitCode {
    if let Some(ended) = daemon::run() {
        return ended;
    }
    match run() {
        Ok(said) => {
            eprintln!("{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<String, Error> {
    let mut words = env::args().skip(1);
    let place = Place::at(Path::new(&env::var_os("CAIC_RELAY_DIR").unwrap_or_default()))?;
    match words.next().as_deref() {
        Some("serve-attach") => {
            start(launch(words, place.clone()))?;
            attach(&place, 0).map(|parted| format!("{parted:?}"))
        }
        Some("attach") => {
            let offset = words.nth(1).and_then(|offset| offset.parse().ok()).unwrap_or_default();
            attach(&place, offset).map(|parted| format!("{parted:?}"))
        }
        _ => stop(&place).map(|ended| format!("{ended:?}")),
    }
}

fn launch(mut words: impl Iterator<Item = String>, place: Place) -> Launch {
    let mut options =
        Options { directory: ".".into(), log_stdin: true, diff_stat: false, ahead: false, idle: None };
    while let Some(word) = words.next().filter(|word| word != "--") {
        match word.as_str() {
            "--dir" => options.directory = words.next().unwrap_or_default().into(),
            "--no-log-stdin" => options.log_stdin = false,
            "--diff-stat" => options.diff_stat = true,
            "--ahead" => options.ahead = true,
            _ => {
                let seconds = words.next().and_then(|seconds| seconds.parse().ok());
                options.idle = seconds.map(Duration::from_secs_f64);
            }
        }
    }
    let program = env::current_exe().unwrap_or_default();
    // What a program gives its child to be found by; and nobody else's.
    let environment = vec![("HELD_BY".into(), Some("held".into())), ("CAIC_RELAY_DIR".into(), None)];
    Launch {
        program,
        place,
        options,
        command: words.map(Into::into).collect(),
        environment,
        signs: Vec::new(),
    }
}
