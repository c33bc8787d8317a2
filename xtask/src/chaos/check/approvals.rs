//! No approval is applied to another request, and the first answer wins.

use std::collections::BTreeMap;

use super::{Facts, Found};
use crate::chaos::plan::MessagePlan;

pub(super) fn check(facts: &Facts<'_>, found: &mut Found) {
    let mut accepted: BTreeMap<String, usize> = BTreeMap::new();
    for (session, story) in facts.stories.iter().enumerate() {
        let asked = story.of_type("approval.requested").map(|(_, event)| &event["data"]);
        let requests: BTreeMap<&str, String> = asked
            .filter_map(|data| Some((data["approval_id"].as_str()?, data["request"].to_string())))
            .collect();
        for (seq, event) in story.of_type("approval.resolved") {
            let data = &event["data"];
            let id = data["approval_id"].as_str().unwrap_or_default();
            let decision = data["decision"].as_str().unwrap_or_default();
            let Some(request) = requests.get(id) else {
                found.at("an answer is to a request", format!("{id} was never asked here"), (session, seq));
                continue;
            };
            if decision.starts_with("accept") {
                for trace in traces_in(facts, request) {
                    *accepted.entry(trace).or_default() += 1;
                }
            }
            first_answer_wins(facts, found, (id, decision), (session, seq));
        }
    }
    only_what_was_accepted_ran(facts, found, &accepted);
}

/// The traces that the command in this request would leave.
fn traces_in(facts: &Facts<'_>, request: &str) -> Vec<String> {
    let message = facts.plan.message_in(request).map(|number| &facts.plan.messages[number]);
    let traces = message.map(|message| message.kind.traces(&message.token)).unwrap_or_default();
    traces.into_iter().filter(|trace| request.contains(trace.as_str())).collect()
}

/// Yes comes only from us here; and an answer that was taken is the decision.
fn first_answer_wins(
    facts: &Facts<'_>,
    found: &mut Found,
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

fn only_what_was_accepted_ran(facts: &Facts<'_>, found: &mut Found, accepted: &BTreeMap<String, usize>) {
    let mut ran: BTreeMap<&str, usize> = BTreeMap::new();
    for trace in facts.traces {
        *ran.entry(trace).or_default() += 1;
    }
    let asked = |message: &&MessagePlan| facts.plan.sessions[message.session].asks;
    for message in facts.plan.messages.iter().filter(asked) {
        for trace in message.kind.traces(&message.token) {
            let allowed = accepted.get(&trace).copied().unwrap_or(0);
            let times = ran.get(trace.as_str()).copied().unwrap_or(0);
            if times > allowed {
                let what = format!("{trace} ran {times} times and was approved {allowed} times");
                let place = (message.session, facts.stories[message.session].events.len());
                found.at("no approval is applied to another request", what, place);
            }
        }
    }
}
