//! An export: events are shown as they are. They are what a session became, not what was said on the wire.

use std::{process::ExitCode, time::Duration};

use selvedge_recording::Recording;
use selvedge_rehearsal::recording::Pace;
use selvedge_runtime::Written;
use selvedge_session::Timestamp;

use super::{Options, show::Show};
use crate::{failure::Failure, local};

pub(super) fn run(options: &Options, recording: &Recording) -> Result<ExitCode, Failure> {
    if options.serve {
        let what = "an export holds events, and only what was said on the wire can be served";
        return Err(Failure::bad_input(what, "leave `--serve` away, or play a recording of `--record`"));
    }
    if options.speed.step {
        let what = "an export is shown at a speed, or at once";
        return Err(Failure::bad_input(what, "leave `--step` away, or play a recording of `--record`"));
    }
    local::block_on(show(options, recording))
}

async fn show(options: &Options, recording: &Recording) -> Result<ExitCode, Failure> {
    let mut show = Show::new(options.json);
    let mut before: Option<Timestamp> = None;
    for entry in &recording.entries {
        let written = Written { seq: 0, text: entry.text.clone().into() };
        let event = written.read()?;
        tokio::time::sleep(gap(options.speed.pace(), before, event.at)).await;
        before = Some(event.at);
        show.event(event.session_id, &written, &event)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn gap(pace: Pace, before: Option<Timestamp>, at: Timestamp) -> Duration {
    let since = |before: Timestamp| at.since(before);
    pace.gap(before.map(|_| Duration::ZERO), Some(before.map_or(Duration::ZERO, since)))
}
