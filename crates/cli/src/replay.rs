//! `selvedge replay FILE`: a recording is played as if it were live.

mod answers;
mod conductor;
mod events;
mod input;
mod place;
mod progress;
mod settings;
mod show;
mod stage;
mod watch;

use std::{net::SocketAddr, path::PathBuf, process::ExitCode, sync::Arc};

use clap::Args;
use selvedge_recording::{Form, Recording};
use selvedge_rehearsal::recording::{Pace, Script};
use selvedge_runtime::Runtime;

use crate::{failure::Failure, local, rehearse::Speed, serve};
use conductor::{Conductor, Person};
use place::Place;
use show::Show;
use stage::Stage;

/// What every surface says while a recording is played.
const RECORDING: &str = "recording: what was said is said again, no Codex and no model";

/// Options of `replay`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// A recording of `--record`, a relay's output.jsonl, caic's log, or an export of events
    file: PathBuf,
    #[command(flatten)]
    speed: Speed,
    /// Events as NDJSON on stdout, and nothing else there
    #[arg(long, conflicts_with = "serve")]
    json: bool,
    /// Watch it in the page: prints the address, and serves until it is told to end
    #[arg(long)]
    serve: bool,
    /// Where to listen with `--serve`; port 0 takes a free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:0", requires = "serve")]
    listen: SocketAddr,
    /// Nobody is asked for a token; with `--serve`, on a loopback address only
    #[arg(long, requires = "serve")]
    no_auth: bool,
    /// Keeps the sessions in this directory, a new or an empty one [default: a temporary one]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, Failure> {
    let recording = Recording::open(&options.file)?;
    tell_what_is_missing(&recording);
    if recording.form == Form::Events {
        return events::run(options, &recording);
    }
    let script = Arc::new(Script::of(&recording));
    script.left_out.iter().for_each(|what| eprintln!("left out: {what}"));
    if script.deeds().next().is_none() {
        let what = format!("{} holds no turn that could be played", options.file.display());
        return Err(Failure::bad_input(what, "record a conversation in which a message was sent"));
    }
    eprintln!("{RECORDING}");
    let place = Place::make(options)?;
    local::block_on(async {
        if options.serve {
            Box::pin(watched(options, &place, script)).await
        } else {
            Box::pin(alone(options, &place, script)).await
        }
    })
}

/// What stands in the file and is not played, in one line each kind.
fn tell_what_is_missing(recording: &Recording) {
    if recording.cut {
        eprintln!("the end of the recording is missing: whoever wrote it was killed");
    }
    if recording.missing > 0 {
        eprintln!(
            "{} lines are missing in the recording: they came faster than they could be written",
            recording.missing
        );
    }
    // A tap notes stderr and the like beside the conversation; nobody misses that.
    if recording.form == Form::Caic || recording.form == Form::Relay {
        for (line, why) in &recording.left_out {
            eprintln!("left out: line {line}: {why}");
        }
    }
}

async fn alone(options: &Options, place: &Place, script: Arc<Script>) -> Result<ExitCode, Failure> {
    let runtime = Runtime::open_quietly(place.config(options)).await?;
    let played = tokio::select! {
        played = play(options, place, script, &runtime) => played.map(|()| ExitCode::SUCCESS),
        _ = tokio::signal::ctrl_c() => Ok(ExitCode::from(crate::exit::INTERRUPTED)),
    };
    runtime.shut_down().await;
    played
}

/// The same, with the page.
async fn watched(options: &Options, place: &Place, script: Arc<Script>) -> Result<ExitCode, Failure> {
    let settings = place.settings(options);
    let serving = serve::Serving::open(settings, place.config(options)).await?;
    let runtime = serving.runtime();
    let playing = async {
        let played = play(options, place, script, &runtime).await;
        if played.is_ok() {
            eprintln!("the recording has been played; the page stays until Ctrl-C");
        }
        played
    };
    Box::pin(serving.beside(playing)).await
}

async fn play(
    options: &Options,
    place: &Place,
    script: Arc<Script>,
    runtime: &Runtime,
) -> Result<(), Failure> {
    let conductor = Conductor::listen(&place.socket())?;
    let person = Person::new(options.speed.pace() == Pace::Step)?;
    let show = (!options.serve).then(|| Show::new(options.json));
    Stage::new(script, runtime.clone(), place.work()).play((conductor, person), show).await
}
