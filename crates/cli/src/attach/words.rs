//! What a line means that somebody types while attached.

use selvedge_session::data::Decision;

/// A line, understood.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Words {
    /// To the agent.
    Say(String),
    Interrupt,
    /// To the oldest open question.
    Answer(Decision, Option<String>),
    Quit,
    Nothing,
    /// A command nobody knows.
    Unknown(String),
}

/// What can be typed, for whoever does not know.
pub(super) const HELP: &str =
    "/interrupt, /approve [session], /decline [message], /quit; anything else is said to the agent";

impl Words {
    pub(super) fn read(line: &str) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = Some(rest.trim().to_owned()).filter(|rest| !rest.is_empty());
        match word {
            "" => Self::Nothing,
            "/interrupt" => Self::Interrupt,
            "/approve" if rest.as_deref() == Some("session") => {
                Self::Answer(Decision::AcceptForSession, None)
            }
            "/approve" if rest.is_none() => Self::Answer(Decision::Accept, None),
            "/decline" => Self::Answer(Decision::Decline, rest),
            "/quit" | "/exit" => Self::Quit,
            word if word.starts_with('/') => Self::Unknown(word.to_owned()),
            _ => Self::Say(line.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_said_unless_it_is_a_command() {
        let cases = [
            ("  fix it /now ", Words::Say("fix it /now".into())),
            ("/interrupt", Words::Interrupt),
            ("/approve", Words::Answer(Decision::Accept, None)),
            ("/approve session", Words::Answer(Decision::AcceptForSession, None)),
            ("/decline use make", Words::Answer(Decision::Decline, Some("use make".into()))),
            ("/quit", Words::Quit),
            ("", Words::Nothing),
            ("/aprove", Words::Unknown("/aprove".into())),
            // Not quite what can be approved: better asked again than guessed.
            ("/approve everything", Words::Unknown("/approve".into())),
        ];
        for (line, words) in cases {
            assert_eq!(Words::read(line), words, "{line}");
        }
    }
}
