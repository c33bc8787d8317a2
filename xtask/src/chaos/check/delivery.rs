//! A message that is called completed was heard: Codex told of it in the turn that completed it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Facts, Found};

pub(super) fn check(facts: &Facts<'_>, found: &mut Found<'_>) {
    for message in &facts.plan.messages {
        let story = &facts.stories[message.session];
        let of_this = |input: &(usize, String)| input.1.contains(&message.token);
        let Some((id, told)) = story.messages.iter().find(|(_, told)| told.accepted.iter().any(of_this))
        else {
            continue;
        };
        let Some((seq, _)) = told.finished.iter().find(|(_, status)| status == "completed") else { continue };
        let heard = heard_in(&story.events, &message.token);
        let completing = story.of_type("turn.completed").filter(|(_, event)| {
            let ids = event["data"]["message_ids"].as_array();
            ids.is_some_and(|ids| ids.iter().any(|one| one == id))
        });
        let turns: Vec<&Value> = completing.map(|(_, event)| &event["turn_id"]).collect();
        if !turns.iter().any(|turn| turn.as_str().is_some_and(|turn| heard.contains(turn))) {
            let what = format!("{} is completed, but was never said in its turn", message.token);
            found.at("a completed message was heard", what, (message.session, *seq));
        }
    }
}

/// The turns in which Codex told of a user message with this token.
fn heard_in<'a>(events: &'a [Value], token: &str) -> BTreeSet<&'a str> {
    let user = |event: &&Value| {
        event["data"]["item"]["type"] == "userMessage"
            && event["data"]["item"]["content"].to_string().contains(token)
    };
    events.iter().filter(user).filter_map(|event| event["turn_id"].as_str()).collect()
}
