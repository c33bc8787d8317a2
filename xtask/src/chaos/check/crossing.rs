//! No event in a wrong session: every text carries the token of the session it belongs to.

use super::{Facts, Found};

pub(super) fn check(facts: &Facts<'_>, found: &mut Found) {
    for (session, story) in facts.stories.iter().enumerate() {
        let own = family(facts, session);
        for (place, event) in story.events.iter().enumerate() {
            let text = event["data"].to_string();
            if let Some(foreign) = tokens(&text).find(|token| !own.contains(token)) {
                let what = format!("an event of {} holds {foreign}", facts.plan.sessions[session].token);
                found.at("no event in a wrong session", what, (session, place + 1));
            }
        }
    }
}

/// Its own token, and those of the sessions whose history it has.
fn family<'a>(facts: &Facts<'a>, session: usize) -> Vec<&'a str> {
    let of = |session: &usize| facts.plan.sessions[*session].parent;
    let line = std::iter::successors(Some(session), of);
    line.map(|session| facts.plan.sessions[session].token.as_str()).collect()
}

/// The sessions' part of every token in a text: `s003` of `s003m00042`.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('s').filter_map(|(place, _)| {
        let token = text.get(place..place + 10)?;
        let digits = |range: std::ops::Range<usize>| token[range].bytes().all(|byte| byte.is_ascii_digit());
        let fits = token.is_ascii() && digits(1..4) && token.as_bytes()[4] == b'm' && digits(5..10);
        fits.then(|| &token[..4])
    })
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn tokens_are_found_wherever_they_stand() {
        let text = "echo s003m00042a >> ran.txt; sums003m0004x s12 and s014m00001";
        assert_eq!(tokens(text).collect::<Vec<_>>(), ["s003", "s014"]);
    }
}
