//! No approval is applied to another request, and the first answer wins.

use std::collections::BTreeMap;

use super::{Facts, Found};

pub(super) fn check(facts: &Facts<'_>, found: &mut Found<'_>) {
    let mut accepted: BTreeMap<usize, usize> = BTreeMap::new();
    for (session, story) in facts.stories.iter().enumerate() {
        let requests: BTreeMap<&str, usize> = story
            .of_type("approval.requested")
            .filter_map(|(_, event)| {
                let message = facts.plan.message_in(&event["data"]["request"].to_string())?;
                Some((event["data"]["approval_id"].as_str()?, message))
            })
            .collect();
        for (seq, event) in story.of_type("approval.resolved") {
            let data = &event["data"];
            let id = data["approval_id"].as_str().unwrap_or_default();
            let decision = data["decision"].as_str().unwrap_or_default();
            let Some(message) = requests.get(id) else {
                found.at("an answer is to a request", format!("{id} was never asked here"), (session, seq));
                continue;
            };
            if decision.starts_with("accept") {
                *accepted.entry(*message).or_default() += 1;
            }
            first_answer_wins(facts, found, (id, decision), (session, seq));
        }
    }
    only_what_was_accepted_ran(facts, found, &accepted);
}

/// Yes comes only from us here; and an answer that was taken is the decision.
fn first_answer_wins(
    facts: &Facts<'_>,
    found: &mut Found<'_>,
    (id, decision): (&str, &str),
    place: (usize, usize),
) {
    let given = facts.ledger.answers.get(id).map(Vec::as_slice).unwrap_or_default();
    if decision.starts_with("accept") && !given.iter().any(|answer| answer.decision == "accept") {
        found.at("nothing is approved that nobody approved", format!("{id} is `{decision}`"), place);
    }
    if let Some(taken) = given.iter().find(|answer| answer.taken == Some(true))
        && taken.decision != decision
    {
        let what = format!("{id} was answered `{}` and became `{decision}`", taken.decision);
        found.at("the answer that was taken is the decision", what, place);
    }
}

fn only_what_was_accepted_ran(facts: &Facts<'_>, found: &mut Found<'_>, accepted: &BTreeMap<usize, usize>) {
    for (number, message) in facts.plan.messages.iter().enumerate().filter(|(_, message)| message.kind.asks())
    {
        let allowed = accepted.get(&number).copied().unwrap_or(0);
        for trace in message.kind.traces(&message.token) {
            let ran = facts.traces.iter().filter(|line| **line == trace).count();
            if ran > allowed {
                let what = format!("{trace} ran {ran} times and was approved {allowed} times");
                let place = (message.session, facts.stories[message.session].events.len());
                found.at("no approval is applied to another request", what, place);
            }
        }
    }
}
