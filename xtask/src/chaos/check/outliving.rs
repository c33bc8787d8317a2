//! Behind relays the end of a host is no end of an app-server: nobody hears of one because of it.

use super::{Facts, Found};

/// What a session is told whose app-server was its host's.
const WITH_ITS_HOST: &str = "the program that ran it ended";

pub(super) fn check(facts: &Facts<'_>, found: &mut Found) {
    if !facts.plan.relay {
        return;
    }
    for (session, story) in facts.stories.iter().enumerate() {
        for (seq, event) in story.of_type("codex.exited") {
            let reason = event["data"]["reason"].as_str().unwrap_or_default();
            if reason.contains(WITH_ITS_HOST) {
                found.at("an app-server behind a relay outlives its host", reason.to_owned(), (session, seq));
            }
        }
    }
}
