//! A session's events, read: what the checks ask of them.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::chaos::ledger::SessionLedger;

/// All events of a session, as they were read again at the end.
#[derive(Debug, Default)]
pub(super) struct Story {
    /// The first has seq 1.
    pub(super) events: Vec<Value>,
    /// By message.
    pub(super) messages: BTreeMap<String, MessageStory>,
    /// What was said to Codex in each turn, as Codex told of it.
    pub(super) said: BTreeMap<String, String>,
    /// Where each turn began.
    turn_starts: BTreeMap<String, usize>,
    /// Where app-servers ended.
    exits: Vec<usize>,
    /// Messages by the token in what they say.
    by_token: BTreeMap<String, String>,
}

/// What its session's events say about a message.
#[derive(Debug, Default)]
pub(super) struct MessageStory {
    /// Where it was accepted, and what it says; more than one would be wrong.
    pub(super) accepted: Vec<(usize, String)>,
    /// Where it ended, and how; more than one would be wrong.
    pub(super) finished: Vec<(usize, String)>,
    /// How often it was handed to Codex.
    pub(super) attempts: usize,
    /// Where that was, the last time.
    started: Option<usize>,
    /// The turns that are said to have ended with it.
    pub(super) turns: Vec<String>,
    /// It joined another one's turn.
    pub(super) joined: bool,
    /// Others joined its turn.
    pub(super) was_joined: bool,
}

impl Story {
    pub(super) fn of(session: &SessionLedger) -> Self {
        let live = session.events.iter().map(|event| event.text.as_str());
        let again = session.reread.iter().map(String::as_str);
        // If it could not be read again, that is a violation of its own; the rest is still checked.
        let texts: Vec<&str> =
            if session.reread.len() >= session.events.len() { again.collect() } else { live.collect() };
        let events = texts.iter().map(|text| serde_json::from_str(text).unwrap_or_default()).collect();
        let mut story = Self { events, ..Self::default() };
        for place in 0..story.events.len() {
            story.note_message(place);
            story.note_turn(place);
            if story.events[place]["type"] == "codex.exited" {
                story.exits.push(place + 1);
            }
        }
        story
    }

    /// The message with this token, if it was accepted.
    pub(super) fn message(&self, token: &str) -> Option<&MessageStory> {
        self.messages.get(self.by_token.get(token)?)
    }

    /// No app-server ended between the message's last start and its end, so everything in between could be seen. Of one that
    /// ended with no turn of its own nothing could: it was found in what Codex had kept.
    pub(super) fn was_followed(&self, message: &MessageStory) -> bool {
        let Some((end, _)) = message.finished.last() else { return false };
        if message.turns.is_empty() {
            return false;
        }
        let turn = message.turns.last().and_then(|turn| self.turn_starts.get(turn)).copied();
        // Who joins a turn starts in the midst of it, or is found in it after a death; the turn is what is followed.
        let begin = if message.joined { turn.or(message.started) } else { message.started.or(turn) };
        let begin = begin.unwrap_or(*end);
        !self.exits.iter().any(|exit| (begin..*end).contains(exit))
    }

    fn note_turn(&mut self, place: usize) {
        let event = &self.events[place];
        let Some(turn) = event["turn_id"].as_str() else { return };
        let data = &event["data"];
        if event["type"] == "turn.completed" {
            for id in data["message_ids"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                self.messages.entry(id.to_owned()).or_default().turns.push(turn.to_owned());
            }
        } else if event["type"] == "turn.started" {
            self.turn_starts.insert(turn.to_owned(), place + 1);
        } else if data["item"]["type"] == "userMessage" {
            self.said.entry(turn.to_owned()).or_default().push_str(&data["item"]["content"].to_string());
        }
    }

    fn note_message(&mut self, place: usize) {
        let event = &self.events[place];
        let data = &event["data"];
        let Some(id) = data["message_id"].as_str() else { return };
        if event["type"] == "message.accepted"
            && let Some(text) = data["input"][0]["text"].as_str()
        {
            let token = text.split(' ').next().unwrap_or_default();
            self.by_token.insert(token.to_owned(), id.to_owned());
        }
        let into = data["steered_into"].as_str().map(str::to_owned);
        let message = self.messages.entry(id.to_owned()).or_default();
        match event["type"].as_str().unwrap_or_default() {
            "message.accepted" => message.accepted.push((place + 1, data["input"].to_string())),
            "message.finished" => {
                message.finished.push((place + 1, data["status"].as_str().unwrap_or_default().to_owned()));
            }
            "message.started" => {
                // A steer that was lost with its turn was never said to have begun, but it counts.
                let attempt = data["attempt"].as_u64().and_then(|attempt| usize::try_from(attempt).ok());
                message.attempts = attempt.unwrap_or_default().max(message.attempts + 1);
                message.started = Some(place + 1);
            }
            _ => {}
        }
        message.joined |= into.is_some();
        if let Some(into) = into {
            self.messages.entry(into).or_default().was_joined = true;
        }
    }

    /// Events of a type, with their numbers.
    pub(super) fn of_type<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (usize, &'a Value)> {
        let numbered = self.events.iter().enumerate().map(|(place, event)| (place + 1, event));
        numbered.filter(move |(_, event)| event["type"] == name)
    }
}
