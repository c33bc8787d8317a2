//! caic's log of a task: its own first and last lines, and between them Codex's. Early logs have words that no Codex
//! ever spoke (`thread_id`, `agent_message`); they are told in Codex's words as far as there are such.

mod early;

use serde_json::Value;

use super::{Form, Recording, lines, sides, sides::Sides, value};
use crate::entry::Direction;
use early::Early;

pub(super) fn read(text: &str) -> Recording {
    let mut recording = Recording::new(Form::Caic);
    let (mut sides, mut early) = (Sides::default(), Early::default());
    let last = lines(text).last().map_or(0, |(number, _)| number);
    for (number, line) in lines(text) {
        match value(line) {
            Some(message) if message["type"] == "caic_meta" => {
                let prompt = message["prompt"].as_str().map(str::to_owned);
                recording.prompt = recording.prompt.take().or(prompt);
            }
            // How the task ended is said by Codex's own lines too.
            Some(message) if message["type"] == "caic_result" => {}
            Some(message) if sides::is_put_in(&message) => {
                recording.left_out.push((number, sides::put_in(&message)));
            }
            Some(message) => said(&mut recording, number, message, (&mut sides, &mut early)),
            None => recording.unreadable(number, number == last),
        }
    }
    recording
}

fn said(recording: &mut Recording, number: usize, message: Value, read: (&mut Sides, &mut Early)) {
    let (sides, early) = read;
    let direction = sides.of(&message);
    match early.in_codex_words(message, direction == Direction::Received) {
        Ok(messages) => recording.entries.extend(messages.iter().map(|message| super::Entry {
            at: None,
            direction,
            text: message.to_string(),
        })),
        Err(why) => recording.left_out.push((number, why)),
    }
}
