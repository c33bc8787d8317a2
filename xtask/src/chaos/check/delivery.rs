//! A message that is called completed was heard: Codex told of it in the turn that completed it.

use super::{Facts, Found};

pub(super) fn check(facts: &Facts<'_>, found: &mut Found<'_>) {
    for message in &facts.plan.messages {
        let story = &facts.stories[message.session];
        let Some(told) = story.message(&message.token) else { continue };
        let Some((seq, _)) = told.finished.iter().find(|(_, status)| status == "completed") else { continue };
        let answered = story.events[seq - 1]["data"]["text"].to_string().contains(&message.token);
        // Of a turn that ended while nobody could see it, Codex's history is the evidence, and not its items.
        let said: Vec<&String> = told.turns.iter().filter_map(|turn| story.said.get(turn)).collect();
        if !answered && !said.is_empty() && !said.iter().any(|said| said.contains(&message.token)) {
            let what = format!("{} is completed, but was never said in its turn", message.token);
            found.at("a completed message was heard", what, (message.session, *seq));
        }
    }
}
