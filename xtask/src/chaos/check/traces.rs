//! No command runs twice: the traces that commands left, beside what their messages came to.

use std::collections::{BTreeMap, BTreeSet};

use super::story::MessageStory;
use super::{Facts, Found};
use crate::chaos::plan::MessagePlan;

pub(super) fn check(facts: &Facts<'_>, found: &mut Found) {
    let mut ran: BTreeMap<&str, usize> = BTreeMap::new();
    for trace in facts.traces {
        *ran.entry(trace).or_default() += 1;
    }
    let declined = declined(facts);
    let mut known = BTreeSet::new();
    for (number, message) in facts.plan.messages.iter().enumerate() {
        let story = facts.stories[message.session].message(&message.token);
        let traces = message.kind.traces(&message.token);
        let (least, most) = match story {
            Some(story) if !traces.is_empty() => {
                let least = at_least(facts, found, (message, story), declined.contains(&number));
                (least, at_most(message, story))
            }
            _ => (0, 0),
        };
        for trace in traces {
            let times = ran.get(trace.as_str()).copied().unwrap_or(0);
            if times < least || times > most {
                let what = format!(
                    "{trace} ran {times} times, allowed are {least} to {most} ({:?}, retry {}, {story:?})",
                    message.kind, message.retry
                );
                let end = story.and_then(|story| story.finished.last()).map_or(1, |(seq, _)| *seq);
                let promise =
                    if times > most { "no command runs twice" } else { "a completed message has run" };
                found.at(promise, what, (message.session, end));
            }
            known.insert(trace);
        }
    }
    for trace in ran.keys().filter(|trace| !known.contains(**trace)) {
        found.somewhere("a trace is whole and of a message", (*trace).to_owned());
    }
}

/// Once is the promise; whoever says `retry: always` takes twice for it.
fn at_most(message: &MessagePlan, story: &MessageStory) -> usize {
    if message.retry == "always" { story.attempts.max(1) } else { 1 }
}

/// How often a command of a message has to have run.
fn at_least(
    facts: &Facts<'_>,
    found: &mut Found,
    (message, story): (&MessagePlan, &MessageStory),
    declined: bool,
) -> usize {
    if story.finished.last().is_none_or(|(_, status)| status != "completed") {
        return 0;
    }
    // A message that joins a turn takes over what the model does.
    let alone = !story.joined && !story.was_joined;
    if !alone || declined {
        found.ran.not_comparable += 1;
        return 0;
    }
    // A command may have been killed with what the dead host or app-server left, and Codex's turn have gone on to its end.
    if !facts.stories[message.session].was_followed(story) {
        found.ran.after_a_crash += 1;
        return 0;
    }
    found.ran.applied += 1;
    1
}

/// Messages of which a request was not accepted in the end: their command may not have run.
fn declined(facts: &Facts<'_>) -> BTreeSet<usize> {
    let mut declined = BTreeSet::new();
    for story in facts.stories {
        let refused: BTreeSet<&str> = story
            .of_type("approval.resolved")
            .filter(|(_, event)| {
                !event["data"]["decision"].as_str().unwrap_or_default().starts_with("accept")
            })
            .filter_map(|(_, event)| event["data"]["approval_id"].as_str())
            .collect();
        for (_, event) in story.of_type("approval.requested") {
            if event["data"]["approval_id"].as_str().is_some_and(|id| refused.contains(id)) {
                declined.extend(facts.plan.message_in(&event["data"]["request"].to_string()));
            }
        }
    }
    declined
}
