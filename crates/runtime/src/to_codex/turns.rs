//! Turns: begun, joined and stopped.

use std::path::PathBuf;

use selvedge_protocol::say::{
    LocalImageUserInput, TextUserInput, TurnInterruptParams, TurnStartParams, TurnSteerParams, UserInput,
};
use selvedge_session::{Cut, InputPart, MessageId, Options};

use super::cut::combined;

/// A turn to be begun.
#[derive(Debug, Clone, Copy)]
pub struct TurnStart<'a> {
    /// In which thread.
    pub thread_id: &'a str,
    /// Which message; Codex stores it with the turn, so that after a crash it can be found.
    pub message_id: MessageId,
    /// What it says.
    pub input: &'a [InputPart],
    /// How it is run.
    pub options: &'a Options,
    /// What it was cut from, if it interrupted another.
    pub after: Option<&'a Cut>,
}

/// `turn/start`. `images` gives the file of a picture by its hash.
pub fn turn_start(start: &TurnStart<'_>, images: &impl Fn(&str) -> PathBuf) -> TurnStartParams {
    let input = match start.after {
        Some(cut) => user_input(&combined(cut, start.input), images),
        None => user_input(start.input, images),
    };
    let schema = start.options.output_schema.as_ref();
    TurnStartParams {
        client_user_message_id: Some(start.message_id.to_string()),
        output_schema: schema.and_then(|schema| serde_json::from_str(schema.text()).ok()),
        model: start.options.model.clone(),
        effort: start.options.effort.clone(),
        ..TurnStartParams::new(start.thread_id, input)
    }
}

/// `turn/steer`: a message that joins the running turn, and no other.
pub fn turn_steer(
    thread_id: &str,
    turn_id: &str,
    message: (MessageId, &[InputPart]),
    images: &impl Fn(&str) -> PathBuf,
) -> TurnSteerParams {
    let (message_id, input) = message;
    TurnSteerParams {
        client_user_message_id: Some(message_id.to_string()),
        ..TurnSteerParams::new(thread_id, turn_id, user_input(input, images))
    }
}

/// `turn/interrupt`.
#[must_use]
pub fn turn_interrupt(thread_id: &str, turn_id: &str) -> TurnInterruptParams {
    TurnInterruptParams::new(thread_id, turn_id)
}

fn user_input(parts: &[InputPart], images: &impl Fn(&str) -> PathBuf) -> Vec<UserInput> {
    let said = parts.iter().map(|part| match part {
        InputPart::Text { text } => TextUserInput::new(text.as_str()).into(),
        InputPart::Image { sha256, .. } => {
            LocalImageUserInput::new(images(sha256).to_string_lossy().into_owned()).into()
        }
    });
    said.collect()
}

#[cfg(test)]
mod tests {
    use selvedge_session::Json;
    use serde_json::{json, to_value};
    use uuid::Uuid;

    use super::*;

    fn words(text: &str) -> InputPart {
        InputPart::Text { text: text.to_owned() }
    }

    fn picture(sha256: &str) -> InputPart {
        InputPart::Image { sha256: sha256.to_owned(), media_type: "image/png".to_owned() }
    }

    fn in_files(sha256: &str) -> PathBuf {
        PathBuf::from("/files").join(sha256)
    }

    const ID: MessageId = MessageId(Uuid::from_u128(7));

    #[test]
    fn a_turn_carries_our_id_its_pictures_as_files_and_what_its_message_wants() {
        let options = Options {
            output_schema: Some(Json::from(json!({"type": "object"}))),
            model: Some("gpt-5.5".to_owned()),
            effort: Some("high".to_owned()),
            ..Options::default()
        };
        let input = [picture("abc"), words("look")];
        let start =
            TurnStart { thread_id: "t", message_id: ID, input: &input, options: &options, after: None };
        let said = to_value(turn_start(&start, &in_files)).unwrap();
        let expected = json!({
            "threadId": "t",
            "input": [{"type": "localImage", "path": "/files/abc"}, {"type": "text", "text": "look"}],
            "clientUserMessageId": "00000000-0000-0000-0000-000000000007",
            "outputSchema": {"type": "object"},
            "model": "gpt-5.5",
            "effort": "high",
        });
        assert_eq!(said, expected);
    }

    #[test]
    fn a_message_that_interrupted_another_says_both_and_the_answer_so_far_in_one_text() {
        let cut = Cut { input: vec![words("count to ten"), picture("old")], partial: "One, two".to_owned() };
        let input = [words("stop at five"), picture("new")];
        let options = Options::default();
        let start =
            TurnStart { thread_id: "t", message_id: ID, input: &input, options: &options, after: Some(&cut) };
        let said = to_value(turn_start(&start, &in_files)).unwrap();
        let [old, new, text] = &said["input"].as_array().unwrap()[..] else { panic!("{said}") };
        assert_eq!((&old["path"], &new["path"]), (&json!("/files/old"), &json!("/files/new")));
        let text = text["text"].as_str().unwrap();
        let places = ["count to ten", "One, two", "stop at five"].map(|part| text.find(part).unwrap());
        assert!(places.is_sorted(), "{text}");
    }

    #[test]
    fn a_steer_names_the_turn_it_wants_to_join() {
        let said = to_value(turn_steer("t", "u", (ID, &[words("more")]), &in_files)).unwrap();
        assert_eq!(said["expectedTurnId"], "u");
        assert_eq!(said["clientUserMessageId"], ID.to_string());
        let said = to_value(turn_interrupt("t", "u")).unwrap();
        assert_eq!(said, json!({"threadId": "t", "turnId": "u"}));
    }
}
