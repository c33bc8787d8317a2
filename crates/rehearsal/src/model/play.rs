//! From a request to the response the scenario has for it. Pure: the same request always gets the same response.

use std::time::Duration;

use super::{
    failure::status_and_body,
    follow_up::{refusals, waits},
    request::Request,
    response::{Beat, Message, Response},
    script::script,
    speech::{Call, Speech, speech},
};
use crate::scenario::{Action, Answer, CLOSING, Place, Scenario, Step, Usage, value_for};

/// The summary of a rule that has none.
const SUMMARY: &str = "Summary of the conversation so far.";

/// The answer to a request, and where in the scenario it comes from.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) reply: Reply,
    pub(super) rule: Option<usize>,
    pub(super) step: Option<usize>,
}

/// What goes over the wire.
#[derive(Debug)]
pub(super) enum Reply {
    /// A refusal at once.
    Status { status: u16, body: String },
    /// A stream of events.
    Stream(Vec<Beat>),
}

pub(super) fn play(scenario: &Scenario, request: &Request) -> Played {
    let place = scenario.place_by(&request.user_text, request.answered(), |step| calls_of(step, request));
    let reply = match &place {
        _ if request.wants_summary => summarise(place.as_ref(), request),
        _ if !waits(request).is_empty() => keep_waiting(request),
        None => say_only(request, &no_rule(scenario, request)),
        Some(place) => Player::new(place, request).play(),
    };
    let rule = place.as_ref().map(|place| place.rule_number);
    let step = place.and_then(|place| place.step).map(|index| index + 1);
    Played { reply, rule, step }
}

/// How many outputs a step brings here: its scripted calls are one, what cannot be played is none.
fn calls_of(step: &Step, request: &Request) -> usize {
    let mut direct = 0;
    let mut scripted = false;
    for speech in step.actions.iter().filter_map(|action| speech(action, request)) {
        match speech {
            Speech::Call(_) => direct += 1,
            Speech::Line(_) => scripted = true,
            Speech::Impossible(_) => {}
        }
    }
    direct + usize::from(scripted)
}

fn no_rule(scenario: &Scenario, request: &Request) -> String {
    let text: String = request.user_text.chars().take(80).collect();
    format!("rehearsal: no rule of the scenario \"{}\" is for this text: {text}", scenario.name)
}

fn say_only(request: &Request, text: &str) -> Reply {
    let mut response = Response::new(request.ids());
    response.say(text);
    Reply::Stream(response.finish(None, request.length))
}

/// The rule's own summary. Its usage is small: a full context would be compacted again.
fn summarise(place: Option<&Place<'_>>, request: &Request) -> Reply {
    let steps = place.into_iter().flat_map(|place| &place.rule.steps);
    let summary = steps.flat_map(|step| &step.actions).find_map(|action| match action {
        Action::Compact(compact) => Some(compact.summary.as_str()),
        _ => None,
    });
    say_only(request, summary.unwrap_or(SUMMARY))
}

fn keep_waiting(request: &Request) -> Reply {
    let mut response = Response::new(request.ids());
    for call in waits(request) {
        response.call(&call);
    }
    Reply::Stream(response.finish(None, request.length))
}

/// Plays the steps of one response.
struct Player<'a> {
    place: &'a Place<'a>,
    request: &'a Request,
    response: Response,
    usage: Option<Usage>,
}

impl<'a> Player<'a> {
    fn new(place: &'a Place<'a>, request: &'a Request) -> Self {
        Self { place, request, response: Response::new(request.ids()), usage: None }
    }

    fn play(mut self) -> Reply {
        if let Some((status, body)) = self.fails_at_once() {
            return Reply::Status { status, body };
        }
        for refused in refusals(self.request) {
            self.response.say(&refused);
        }
        let Some(first) = self.place.step else {
            self.response.say(CLOSING);
            return self.finish();
        };
        // A step whose calls are all impossible here would end the turn: the next one follows at once.
        for step in &self.place.rule.steps[first..] {
            self.step(step);
            if calls_of(step, self.request) > 0 {
                break;
            }
        }
        self.finish()
    }

    fn fails_at_once(&self) -> Option<(u16, String)> {
        let actions = &self.place.step()?.actions;
        match actions.iter().find(|action| !matches!(action, Action::Usage(_)))? {
            Action::Fail(fail) => status_and_body(fail),
            _ => None,
        }
    }

    fn step(&mut self, step: &Step) {
        let mut lines = Vec::new();
        for action in &step.actions {
            let action = &*self.place.filled(action);
            match speech(action, self.request) {
                Some(Speech::Call(call)) => self.response.call(&call),
                Some(Speech::Line(line)) => lines.push(line),
                Some(Speech::Impossible(why)) => self.cannot(action, &why),
                None => self.say_action(action),
            }
        }
        if !lines.is_empty() {
            self.response.call(&Call::custom("exec", &script(&lines)));
        }
    }

    fn say_action(&mut self, action: &Action) {
        match action {
            Action::Say(say) => {
                let pieces = say.pieces(&say.text);
                let pace = Duration::from_millis(say.pace_ms);
                self.response.message(&Message { pieces, pace, phase: say.phase.as_deref(), open: say.open });
            }
            Action::Think(think) => {
                self.response.reasoning(&think.pieces(), Duration::from_millis(think.pace_ms));
            }
            Action::Search(search) => self.response.search(&search.query),
            Action::Answer(answer) => self.answer(action, answer),
            Action::Usage(usage) => self.usage = Some(usage.clone()),
            Action::Compact(_) => self.usage = Some(Usage::full_context()),
            Action::Fail(fail) => self.response.fail(fail),
            Action::Hang(hang) => self.response.hang(hang.after_ms.map(Duration::from_millis)),
            _ => self.cannot(action, "only the simulated app-server plays it"),
        }
    }

    fn answer(&mut self, action: &Action, answer: &Answer) {
        let schema = self.request.schema.as_ref();
        match answer.json.clone().or_else(|| schema.map(value_for)) {
            Some(value) => self.response.say(&value.to_string()),
            None => self.cannot(action, "the turn has no output schema, and the scenario no `json`"),
        }
    }

    fn cannot(&mut self, action: &Action, why: &str) {
        self.response.say(&format!("rehearsal: `{}` cannot be played here: {why}", action.name()));
    }

    fn finish(self) -> Reply {
        Reply::Stream(self.response.finish(self.usage.as_ref(), self.request.length))
    }
}
