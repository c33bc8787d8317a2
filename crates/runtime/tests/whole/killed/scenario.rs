//! What is said to the sessions, and what the model does with it. Everything carries the token of its message.

use serde_json::{Value, json};

use super::dice::Dice;

/// Before the judge's. They look at the end of a text only: a message that interrupted another begins with what it cut.
pub(super) const RULES: &str = r#"
[[rule]]
regex = '(?P<token>k\d{4}) \[talk\]\s*$'
step = [ { do = [
  { think = { text = "**Thinking**\n\nabout ${token}.", deltas = 3 } },
  { say = { text = "${token} goes on. ", repeat = 12, deltas = 30, pace_ms = 8, phase = "final_answer" } },
  { usage = { input = 100, cached = 40, output = 20 } },
] } ]

[[rule]]
regex = '(?P<token>k\d{4}) \[ramble\]\s*$'
step = [ { do = [
  { say = { text = "${token} rambles. ", repeat = 40, deltas = 60, pace_ms = 25, phase = "final_answer" } },
  { usage = { input = 200, output = 60 } },
] } ]

[[rule]]
regex = '(?P<token>k\d{4}) \[write\]\s*$'
step = [
  { do = [ { run = { command = "echo ${token}a >> ran.txt", fill = true } }, { usage = { input = 10, output = 1 } } ] },
  { do = [ { say = { text = "${token} has written.", pace_ms = 5, phase = "final_answer" } }, { usage = { input = 20, output = 2 } } ] },
]

[[rule]]
regex = '(?P<token>k\d{4}) \[write twice\]\s*$'
step = [
  { do = [ { run = { command = "sleep 0.2; echo ${token}a >> ran.txt", fill = true } } ] },
  { do = [
    { say = { text = "${token} has written once.", pace_ms = 20, phase = "commentary" } },
    { run = { command = "echo ${token}b >> ran.txt; seq 5", fill = true } },
  ] },
  { do = [ { say = { text = "${token} has written twice.", phase = "final_answer" } } ] },
]

[[rule]]
regex = '(?P<token>k\d{4}) \[look up\]\s*$'
step = [
  { do = [ { tool = { name = "lookup", arguments = { id = "${token}" }, fill = true } } ] },
  { do = [ { run = { command = "echo ${token}a >> ran.txt", fill = true } } ] },
  { do = [ { say = { text = "${token} was looked up.", phase = "final_answer" } } ] },
]

[[rule]]
regex = '(?P<token>k\d{4}) \[delegate\]\s*$'
step = [
  { do = [ { usage = { input = 10, output = 1 } }, { spawn = { prompt = "[delegated] by somebody" } } ] },
  { do = [ { say = { text = "${token} was done by another.", phase = "final_answer" } }, { usage = { input = 30, output = 3 } } ] },
]

[[rule]]
contains = "[delegated]"
step = [ { do = [
  { say = { text = "It is done here. ", repeat = 5, deltas = 10, pace_ms = 10, phase = "final_answer" } },
  { usage = { input = 1000, output = 100 } },
] } ]
"#;

/// What the model does with a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Talk,
    Ramble,
    Write,
    WriteTwice,
    LookUp,
    Delegate,
}

impl Kind {
    /// Some kind. The stand-in has no sub-agents.
    pub(super) fn any(dice: &mut Dice, is_real: bool) -> Self {
        let delegates = if is_real { 12 } else { 0 };
        dice.pick(&[
            (Self::Talk, 26),
            (Self::Ramble, 14),
            (Self::Write, 22),
            (Self::WriteTwice, 12),
            (Self::LookUp, 14),
            (Self::Delegate, delegates),
        ])
    }

    pub(super) fn text(self, token: &str) -> String {
        let word = match self {
            Self::Talk => "talk",
            Self::Ramble => "ramble",
            Self::Write => "write",
            Self::WriteTwice => "write twice",
            Self::LookUp => "look up",
            Self::Delegate => "delegate",
        };
        format!("{token} [{word}]")
    }

    /// The lines its commands write.
    pub(super) fn traces(self, token: &str) -> Vec<String> {
        match self {
            Self::Talk | Self::Ramble | Self::Delegate => Vec::new(),
            Self::Write | Self::LookUp => vec![format!("{token}a")],
            Self::WriteTwice => vec![format!("{token}a"), format!("{token}b")],
        }
    }
}

/// How a session is set up: some ask before each command, some have an app-server of their own.
pub(super) fn settings(number: usize, work: &std::path::Path) -> Value {
    json!({
        "cwd": work, "sandbox": "danger-full-access",
        "approval_policy": if asks(number) { "untrusted" } else { "never" },
        "isolation": if number == 3 { "isolated" } else { "shared" },
        "tools": [{
            "name": "lookup", "description": "Looks something up.",
            "input_schema": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
        }],
    })
}

/// Whether a session asks before each command.
pub(super) fn asks(number: usize) -> bool {
    number % 2 == 1
}
