//! Every case, and what it shows.

use std::{collections::BTreeSet, fs, path::PathBuf};

use crate::{differences::is_kept, snapshot::refreshing, version::version};

/// Those that keep one.
const CASES: &[(&str, &str)] = &[
    ("handshake", "what the app-server says of itself"),
    ("streamed_message", "a message in ten deltas, and the usage of its turn"),
    ("reasoning", "reasoning with a summary in deltas, then a message"),
    ("structured_answer", "an answer by a schema, and a turn without one after it"),
    ("two_megabytes", "an answer of two megabytes: one line of it, twice"),
    ("paused_consumer", "five thousand deltas that nobody reads while other requests are answered"),
    ("command_approved", "a command that asks, accepted"),
    ("command_declined", "a command that asks, declined: the turn goes on"),
    ("command_cancelled", "a command that asks, cancelled: the turn ends"),
    ("command_for_session", "a command accepted for the session is asked once in two turns"),
    ("command_harmless", "a command that asks, and that could do no harm"),
    ("file_change", "file changes that ask: accepted, declined, accepted"),
    ("tools_classic", "two dynamic tools of a classic model, one after another"),
    ("tools_code_mode", "two dynamic tools in code mode, open at once, answered in reverse"),
    ("tool_refused", "a dynamic tool call answered with an error"),
    ("interrupt_before_start", "an interrupt of a turn that is not there"),
    ("interrupt_another", "an interrupt that names another turn than the one that runs"),
    ("interrupt_during_message", "an interrupt while a message streams, and the next turn"),
    ("interrupt_during_command", "an interrupt while a command runs, which lives on until it is cleaned"),
    ("interrupt_twice", "a second interrupt, answered when the next turn ends"),
    ("failed_turns", "one failed turn for each way in which a model can fail"),
    ("after_a_failure", "a turn after a failed one"),
    ("failed_after_retry", "a stream that is cut twice, with one retry"),
    ("unreachable_failed", "an unreachable provider with bounded retries: the turn fails"),
    ("unreachable_default", "an unreachable provider by default: retried for ever, then interrupted"),
    ("kill_and_resume", "kill -9 while a message streams, and the thread in a new process"),
    ("kill_and_sweep", "kill -9 while a command runs that ignores signals, and the thread in a new process"),
    ("steer", "a steer into a streaming turn, and one that comes too late"),
    ("start_while_busy", "a turn started while another one of its thread runs"),
    ("fork", "a fork with a turn of its own"),
    ("two_threads", "two turns at once on two threads"),
    ("approval_waits", "an approval that waits while another thread works"),
    ("sub_agent", "a sub-agent: its own thread on the same connection"),
    ("login_api_key", "a login by API key"),
    ("no_user_namespace", "a sandboxed command where no user namespace can be made"),
];

/// Those that keep none: they are about chance, or nothing is played.
const WITHOUT_TRANSCRIPT: &[(&str, &str)] = &[
    ("tool_names", "which names a dynamic tool may have"),
    ("tool_schemas", "what the model sees of a dynamic tool's schema"),
    ("tool_schemas_refused", "which schemas of a dynamic tool are refused"),
    ("interrupt_too_early", "an interrupt between the answer to `turn/start` and the turn's start"),
    ("login_external_tokens", "a login with tokens that we bring, and new ones when they are refused"),
];

/// What a case shows, in one line.
pub(crate) fn purpose(case: &str) -> &'static str {
    let known = CASES.iter().chain(WITHOUT_TRANSCRIPT).find(|(name, _)| *name == case);
    known.unwrap_or_else(|| panic!("name the case `{case}` in cases.rs, with its purpose")).1
}

/// Where the transcripts are kept.
pub(crate) fn transcripts() -> PathBuf {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned();
    root.join("transcripts/judge").join(version())
}

#[test]
fn no_transcript_is_kept_of_a_case_that_is_gone() {
    if refreshing() || crate::snapshot::unrecorded() {
        // They are being written in this moment, or have never been.
        return;
    }
    let files = fs::read_dir(transcripts()).into_iter().flatten();
    let kept: BTreeSet<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    let cases = CASES.iter().map(|(case, _)| *case).filter(|case| is_kept(case));
    let cases: BTreeSet<_> = cases.map(|case| format!("{case}.jsonl")).collect();
    assert_eq!(kept, cases);
}
