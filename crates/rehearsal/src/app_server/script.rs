//! What the model would answer next: the scenario's place, with what cannot be played here said in words.

use crate::scenario::{Action, CLOSING, Place, Players, Say, Scenario, Step};

/// One response.
#[derive(Debug)]
pub(super) struct Response {
    /// In order; tool calls last.
    pub(super) actions: Vec<Action>,
    /// How many tool outputs it brings.
    pub(super) calls: usize,
}

/// The response to `text` after `outputs` tool outputs.
pub(super) fn respond(scenario: &Scenario, text: &str, outputs: usize) -> Response {
    let Some(place) = scenario.place_by(text, outputs, calls_of) else {
        let start: String = text.chars().take(80).collect();
        return said(format!(
            "rehearsal: no rule of the scenario \"{}\" is for this text: {start}",
            scenario.name
        ));
    };
    let Some(first) = place.step else { return said(CLOSING.to_owned()) };
    let mut response = Response { actions: Vec::new(), calls: 0 };
    // A step whose calls are all impossible here would end the turn: the next one follows at once.
    for step in &place.rule.steps[first..] {
        response.actions.extend(step.actions.iter().map(|action| playable(&place, action)));
        response.calls = calls_of(step);
        if response.calls > 0 {
            break;
        }
    }
    response
}

fn said(text: String) -> Response {
    Response { actions: vec![words(text)], calls: 0 }
}

/// A short message, in one delta.
fn words(text: String) -> Action {
    Action::Say(Say { text, deltas: Some(1), ..Say::default() })
}

fn calls_of(step: &Step) -> usize {
    step.actions.iter().filter(|action| action.is_call() && is_played_here(action)).count()
}

fn is_played_here(action: &Action) -> bool {
    action.ability().players != Players::Model
}

fn playable(place: &Place<'_>, action: &Action) -> Action {
    if is_played_here(action) {
        return place.filled(action).into_owned();
    }
    words(format!("rehearsal: `{}` cannot be played here: it needs a real Codex", action.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str, outputs: usize) -> (Vec<&'static str>, usize) {
        let scenario = Scenario::parse(
            r#"
            [[rule]]
            contains = "mixed"
            step = [
              { do = [{ run = { command = "a" } }, { run = { command = "b" } }] },
              { do = [{ spawn = { prompt = "c" } }] },
              { do = [{ say = { text = "end" } }] },
            ]
            "#,
        );
        let response = respond(&scenario.unwrap(), text, outputs);
        (response.actions.iter().map(Action::name).collect(), response.calls)
    }

    #[test]
    fn the_place_is_the_number_of_outputs_and_the_impossible_is_said() {
        assert_eq!(names("mixed", 0), (vec!["run", "run"], 2));
        assert_eq!(names("mixed", 2), (vec!["say", "say"], 0));
        assert_eq!(names("other", 0), (vec!["say"], 0));
    }
}
