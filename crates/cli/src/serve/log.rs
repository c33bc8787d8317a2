//! Logs go to stderr: text for a person, JSON for whatever collects them.

use std::io::{IsTerminal as _, stderr};

use tracing::level_filters::LevelFilter;

/// From now on. A program has one log, so a second call changes nothing.
pub(super) fn begin() {
    let log =
        tracing_subscriber::fmt().with_writer(stderr).with_max_level(LevelFilter::INFO).with_target(false);
    let _already = if stderr().is_terminal() {
        log.with_ansi(false).compact().try_init()
    } else {
        log.json().flatten_event(true).with_current_span(false).with_span_list(false).try_init()
    };
}
