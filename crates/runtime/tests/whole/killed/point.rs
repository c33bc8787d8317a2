//! At which point of its life the program is killed.

use std::time::Duration;

use serde_json::Value;

use super::dice::Dice;

/// The point.
#[derive(Debug, Clone, Copy)]
pub(super) enum Point {
    /// Its readers got so many events.
    Events(u64),
    /// A message was written to its stdin; perhaps it has not even read it.
    Sent,
    /// It said that it has a message.
    Accepted,
    /// It said that it hands a message to Codex.
    Started,
    /// Codex waits for a person or a tool.
    Waiting,
    /// The answer was just given.
    Answered,
    /// So long after its start: mostly before it has caught up.
    Moment(Duration),
}

/// What has happened in a life.
#[derive(Debug, Default)]
pub(super) struct Happened {
    events: u64,
    is_started: bool,
    is_asked: bool,
    pub(super) is_sent: bool,
    pub(super) is_accepted: bool,
    pub(super) is_answered: bool,
}

impl Happened {
    /// A reader got this; `is_asked` if its session waits for somebody.
    pub(super) fn event(&mut self, event: &Value, is_asked: bool) {
        self.events += 1;
        self.is_started |= event["type"] == "message.started";
        self.is_asked |= is_asked;
    }
}

impl Point {
    pub(super) fn any(dice: &mut Dice) -> Self {
        let events = 1 + dice.below(150);
        let moment = Duration::from_millis(dice.below(400));
        dice.pick(&[
            (Self::Events(events), 40),
            (Self::Sent, 10),
            (Self::Accepted, 10),
            (Self::Started, 10),
            (Self::Waiting, 10),
            (Self::Answered, 10),
            (Self::Moment(moment), 10),
        ])
    }

    pub(super) fn is_reached(self, happened: &Happened, age: Duration) -> bool {
        match self {
            Self::Events(many) => happened.events >= many,
            Self::Sent => happened.is_sent,
            Self::Accepted => happened.is_accepted,
            Self::Started => happened.is_started,
            Self::Waiting => happened.is_asked,
            Self::Answered => happened.is_answered,
            Self::Moment(moment) => age >= moment,
        }
    }
}
