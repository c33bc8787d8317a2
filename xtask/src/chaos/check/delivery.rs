//! A message that is called completed was heard: Codex told of it in the turn that completed it.

use super::{Facts, Found};

/// Only of a turn that was followed to its end. Of one that ended while nobody could see it, Codex's history is the evidence, and
/// the items between the death and that end were told to nobody.
pub(super) fn check(facts: &Facts<'_>, found: &mut Found) {
    for message in &facts.plan.messages {
        let story = &facts.stories[message.session];
        let Some(told) = story.message(&message.token) else { continue };
        let Some((seq, _)) = told.finished.iter().find(|(_, status)| status == "completed") else { continue };
        if !story.was_followed(told) {
            found.heard.after_a_crash += 1;
            continue;
        }
        let answered = story.events[seq - 1]["data"]["text"].to_string().contains(&message.token);
        let said: Vec<&String> = told.turns.iter().filter_map(|turn| story.said.get(turn)).collect();
        if !answered && said.is_empty() {
            found.heard.not_comparable += 1;
            continue;
        }
        found.heard.applied += 1;
        if !answered && !said.iter().any(|said| said.contains(&message.token)) {
            let what = format!("{} is completed, but was never said in its turn", message.token);
            found.at("a completed message was heard", what, (message.session, *seq));
        }
    }
}
