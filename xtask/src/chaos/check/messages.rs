//! Every accepted message survives and has exactly one end; one key is one message.

use std::collections::BTreeSet;

use super::{Facts, Found};

pub(super) fn check(facts: &Facts<'_>, found: &mut Found) {
    ends(facts, found);
    for message in 0..facts.plan.messages.len() {
        keys(facts, message, found);
    }
}

fn ends(facts: &Facts<'_>, found: &mut Found) {
    for (session, story) in facts.stories.iter().enumerate() {
        for (id, message) in &story.messages {
            let last = |of: &[(usize, String)]| of.last().map_or(story.events.len(), |(seq, _)| *seq);
            if message.accepted.len() != 1 {
                let what = format!("message {id} was accepted {} times", message.accepted.len());
                found.at("a message is accepted once", what, (session, last(&message.finished)));
            }
            if message.finished.len() != 1 {
                let what =
                    format!("message {id} has {} ends: {:?}", message.finished.len(), message.finished);
                let place = if message.finished.is_empty() { &message.accepted } else { &message.finished };
                found.at("each accepted message has exactly one end", what, (session, last(place)));
            }
        }
    }
}

fn keys(facts: &Facts<'_>, message: usize, found: &mut Found) {
    let planned = &facts.plan.messages[message];
    let replies = &facts.ledger.messages[message].replies;
    let session = planned.session;
    let story = &facts.stories[session];
    let accepted: Vec<&String> = story
        .messages
        .iter()
        .filter(|(_, story)| story.accepted.iter().any(|(_, input)| input.contains(&planned.token)))
        .map(|(id, _)| id)
        .collect();
    let replied: BTreeSet<&String> = replies.iter().flatten().collect();
    let here = (session, story.events.len());
    if replied.len() > 1 || accepted.len() > 1 {
        let what = format!("{} became messages {replied:?}, accepted as {accepted:?}", planned.token);
        found.at("one key is one message", what, here);
    }
    if let Some(lost) = replied.iter().find(|id| !accepted.contains(*id)) {
        found.at("every accepted send survives", format!("{} was accepted as {lost}", planned.token), here);
    }
    let first_good = replies.iter().position(Result::is_ok);
    if let Some(first) = first_good
        && let Some(Err(why)) = replies[first..].iter().find(|reply| reply.is_err())
    {
        found.at("one key, one answer", format!("{} was accepted, then refused: {why}", planned.token), here);
    }
    if first_good.is_none() && !replies.is_empty() && !accepted.is_empty() {
        found.at("a refused message is not run", format!("{} was refused: {replies:?}", planned.token), here);
    }
}
