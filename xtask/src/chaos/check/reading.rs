//! No gap, no repeat, and nothing that a reader saw has changed.

use super::{Facts, Found};

pub(super) fn check(facts: &Facts<'_>, found: &mut Found) {
    for (number, session) in facts.ledger.sessions.iter().enumerate() {
        if session.reread.len() < session.events.len() {
            let what = format!("{} were seen, {} are there", session.events.len(), session.reread.len());
            found.at("what was shown survives", what, (number, session.reread.len()));
        }
        for (place, (seen, now)) in session.events.iter().zip(&session.reread).enumerate() {
            if seen.text != *now {
                found.at(
                    "what was shown never changes",
                    format!("{} became {now}", seen.text),
                    (number, place + 1),
                );
            }
        }
        for (place, event) in facts.stories[number].events.iter().enumerate() {
            if event["seq"] != place + 1 {
                found.at(
                    "no gap, no repeat",
                    format!("{} stands at {}", event["seq"], place + 1),
                    (number, place + 1),
                );
            }
            if event["session_id"].as_str() != session.id.as_deref() {
                found.at("no event in a wrong session", event["session_id"].to_string(), (number, place + 1));
            }
        }
    }
}
