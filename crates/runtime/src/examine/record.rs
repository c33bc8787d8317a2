//! What became of a message by Codex's own record alone: of versions that keep no ids of ours, and name a turn otherwise in
//! their history than they did while it ran. Each line of the record has its time, and nobody else writes to the thread.

use std::{
    fs::File,
    io::{self, BufRead, BufReader},
    path::Path,
};

use selvedge_session::{Status, Timestamp, TurnEnd, Verdict};
use serde::Deserialize;

use super::rollout;

#[derive(Deserialize)]
struct Line {
    timestamp: Timestamp,
    #[serde(rename = "type")]
    kind: String,
    payload: Payload,
}

#[derive(Deserialize)]
struct Payload {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    role: String,
    /// Of an `agent_message`.
    #[serde(default)]
    message: Option<String>,
}

/// What stands in the record since a message was handed over.
#[derive(Debug, Default)]
struct Since {
    said: bool,
    acted: bool,
    answered: bool,
    aborted: bool,
    /// The model's response had ended after the answer: with an answer and nothing to do, so had the turn.
    counted: bool,
    text: Option<String>,
}

/// What became of the message that was handed to Codex then, and whose process is dead.
pub(super) fn verdict(path: &Path, begun_at: Timestamp) -> Verdict {
    match File::open(path).and_then(|file| since(BufReader::new(file), begun_at)) {
        // The first thing that is written of a message is that it was said.
        Ok(Since { said: false, .. }) => Verdict::NeverReached,
        Ok(Since { acted: true, .. }) => Verdict::Cut { acted: true },
        Ok(Since { aborted: true, .. }) => {
            Verdict::Ended(TurnEnd { status: Status::Interrupted, error: None, text: None })
        }
        Ok(Since { answered: true, counted: true, text, .. }) => {
            Verdict::Ended(TurnEnd { status: Status::Completed, error: None, text })
        }
        // It may have been the last word.
        Ok(Since { answered: true, .. }) | Err(_) => Verdict::Unknown,
        Ok(_) => Verdict::Cut { acted: false },
    }
}

fn since(record: impl BufRead, begun_at: Timestamp) -> io::Result<Since> {
    let mut since = Since::default();
    for line in record.split(b'\n') {
        let line = line?;
        if line.is_empty() {
            continue;
        }
        match serde_json::from_slice::<Line>(&line) {
            Ok(read) if read.timestamp >= begun_at => since.add(&read, &line),
            Ok(_before) => {}
            // Torn by the death, or of a shape we do not know.
            Err(_) => since.acted |= since.said,
        }
    }
    Ok(since)
}

impl Since {
    fn add(&mut self, line: &Line, raw: &[u8]) {
        match (line.kind.as_str(), line.payload.kind.as_str()) {
            ("event_msg", "user_message") => self.said = true,
            ("event_msg", "turn_aborted") => self.aborted |= self.said,
            ("event_msg", "agent_message") if self.said => {
                (self.answered, self.counted) = (true, false);
                self.text.clone_from(&line.payload.message);
            }
            ("event_msg", "token_count") => self.counted = self.answered,
            ("response_item", "message") if line.payload.role == "assistant" => self.answered |= self.said,
            _ => self.acted |= self.said && rollout::is_deed(raw),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of records of the real 0.98.0, shortened.
    const BEFORE: &str = r#"{"timestamp":"2026-11-16T04:00:00.000Z","type":"event_msg","payload":{"type":"user_message","message":"a"}}"#;
    const SAID: &str = r#"{"timestamp":"2026-11-16T04:00:01.001Z","type":"event_msg","payload":{"type":"user_message","message":"b"}}"#;
    const COUNTED: &str = r#"{"timestamp":"2026-11-16T04:00:01.002Z","type":"event_msg","payload":{"type":"token_count","info":null}}"#;
    const ANSWERED: &str = r#"{"timestamp":"2026-11-16T04:00:01.003Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[]}}"#;
    const WORDS: &str = r#"{"timestamp":"2026-11-16T04:00:01.003Z","type":"event_msg","payload":{"type":"agent_message","message":"Gold."}}"#;
    const CALLED: &str = r#"{"timestamp":"2026-11-16T04:00:01.004Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{}"}}"#;
    const ABORTED: &str = r#"{"timestamp":"2026-11-16T04:00:01.005Z","type":"event_msg","payload":{"type":"turn_aborted","reason":"interrupted"}}"#;

    fn judged(lines: &[&str]) -> Verdict {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), lines.join("\n")).unwrap();
        let begun_at = serde_json::from_str("\"2026-11-16T04:00:01.000Z\"").unwrap();
        verdict(file.path(), begun_at)
    }

    #[test]
    fn what_was_said_before_is_not_this_message() {
        assert_eq!(judged(&[BEFORE]), Verdict::NeverReached);
        assert_eq!(judged(&[BEFORE, CALLED]), Verdict::NeverReached, "nothing is done before it is said");
    }

    #[test]
    fn words_that_were_heard_and_not_answered_may_be_said_again_and_deeds_may_not() {
        assert_eq!(judged(&[BEFORE, SAID, COUNTED]), Verdict::Cut { acted: false });
        assert_eq!(judged(&[SAID, CALLED]), Verdict::Cut { acted: true });
        assert_eq!(judged(&[SAID, r#"{"timestamp":"2026-"#]), Verdict::Cut { acted: true }, "torn");
    }

    #[test]
    fn an_answer_may_have_been_the_end_and_what_was_stopped_has_ended() {
        assert_eq!(judged(&[SAID, COUNTED, ANSWERED]), Verdict::Unknown);
        let Verdict::Ended(end) = judged(&[SAID, WORDS, ANSWERED, COUNTED]) else { panic!("it ended") };
        assert_eq!((end.status, end.text.as_deref()), (Status::Completed, Some("Gold.")));
        assert_eq!(judged(&[SAID, WORDS, ANSWERED, CALLED, COUNTED]), Verdict::Cut { acted: true });
        let Verdict::Ended(end) = judged(&[SAID, ABORTED]) else { panic!("it ended") };
        assert_eq!(end.status, Status::Interrupted);
        assert_eq!(verdict(Path::new("/nowhere"), Timestamp(0)), Verdict::Unknown);
    }
}
