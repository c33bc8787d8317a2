//! What has to be true when everything is over, whenever the program was killed.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{
    driver::{Ended, Sent},
    scenario::asks,
    seen::Seen,
    told::Told,
};

pub(super) fn all(ended: &Ended) {
    let stories: Vec<Vec<Value>> = ended.sessions.iter().map(story).collect();
    for (session, story) in ended.sessions.iter().zip(&stories) {
        what_was_seen_is_there(session);
        nobody_noticed_anything(story);
    }
    each_message_ends_once(ended, &stories);
    nothing_ran_twice(ended, &stories);
    everything_said_is_kept(ended, &stories);
}

fn story(session: &Seen) -> Vec<Value> {
    session.again.iter().map(|text| serde_json::from_str(text).unwrap()).collect()
}

fn what_was_seen_is_there(session: &Seen) {
    for (place, (seen, now)) in session.events.iter().zip(&session.again).enumerate() {
        assert_eq!(seen, now, "event {} of {:?} has changed", place + 1, session.id);
    }
    assert!(session.again.len() >= session.events.len(), "what was seen is there");
}

fn nobody_noticed_anything(story: &[Value]) {
    for (place, event) in story.iter().enumerate() {
        assert_eq!(event["seq"], place as u64 + 1);
        let kind = event["type"].as_str().unwrap();
        assert!(
            !["codex.exited", "codex.restarted", "session.warning", "codex.unknown"].contains(&kind),
            "{event}"
        );
    }
}

/// Of each message, what ended it.
fn ends(story: &[Value]) -> BTreeMap<&str, Vec<&Value>> {
    let mut ends: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for event in story.iter().filter(|event| event["type"] == "message.finished") {
        ends.entry(event["data"]["message_id"].as_str().unwrap()).or_default().push(&event["data"]);
    }
    ends
}

fn each_message_ends_once(ended: &Ended, stories: &[Vec<Value>]) {
    for (number, story) in stories.iter().enumerate() {
        let ends = ends(story);
        let accepted = story.iter().filter(|event| event["type"] == "message.accepted");
        let accepted: BTreeSet<&str> =
            accepted.map(|event| event["data"]["message_id"].as_str().unwrap()).collect();
        let sent = ended.messages.iter().filter(|sent| sent.session == number);
        let sent: BTreeSet<&str> = sent.map(|sent| sent.id.as_deref().unwrap()).collect();
        assert_eq!(accepted, sent, "each message was accepted once");
        assert_eq!(ends.keys().copied().collect::<BTreeSet<_>>(), accepted, "each has ended");
        for (message, ends) in ends {
            assert_eq!(ends.len(), 1, "{message}: {ends:?}");
            let status = ends[0]["status"].as_str().unwrap();
            assert!(["completed", "interrupted"].contains(&status), "nothing was lost: {}", ends[0]);
        }
    }
}

fn nothing_ran_twice(ended: &Ended, stories: &[Vec<Value>]) {
    let mut ran: BTreeMap<&str, usize> = BTreeMap::new();
    for trace in &ended.ran {
        *ran.entry(trace).or_default() += 1;
    }
    for sent in &ended.messages {
        for trace in sent.kind.traces(&sent.token) {
            let times = ran.remove(trace.as_str()).unwrap_or_default();
            let least = usize::from(has_to_have_run(sent, &stories[sent.session]));
            assert!((least..=1).contains(&times), "{trace} ran {times} times, and at least {least} was due");
        }
    }
    assert_eq!(ran, BTreeMap::new(), "every trace is some message's");
}

/// A completed one has run, if nobody was asked and nobody joined its turn: then the model does what it is told.
fn has_to_have_run(sent: &Sent, story: &[Value]) -> bool {
    let id = sent.id.as_deref().unwrap();
    let joined = |event: &Value| event["data"]["steered_into"] == id;
    let ends = ends(story);
    let end = ends[id][0];
    let alone = end["steered_into"].is_null() && !story.iter().any(joined);
    end["status"] == "completed" && alone && !asks(sent.session)
}

/// What the app-servers said about a session's threads is what its events tell.
fn everything_said_is_kept(ended: &Ended, stories: &[Vec<Value>]) {
    let lines = ended.output.lines();
    let mut of_nobody = lines.iter().filter_map(Told::thread_of).collect::<BTreeSet<_>>();
    let mut told = 0;
    for (session, story) in ended.sessions.iter().zip(stories) {
        let own = session.summary["thread_id"].as_str().unwrap();
        let mut threads: BTreeSet<&str> =
            story.iter().filter_map(|event| event["thread_id"].as_str()).collect();
        threads.insert(own);
        let said = Told::by_codex(&lines, &threads);
        let kept = Told::by_events(story, own);
        said.assert_is(&kept);
        assert_eq!(session.summary["usage"]["total"], said.used(), "what was used was counted once: {own}");
        told += said.turns();
        of_nobody.retain(|thread| !threads.contains(thread));
    }
    assert_eq!(of_nobody, BTreeSet::new(), "every thread with a turn is some session's");
    println!("{} app-servers, {told} turns, {} messages", ended.output.logs(), ended.messages.len());
}
