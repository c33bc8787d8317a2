//! The player: says what Codex said, and waits where its client did something until that is done again. Pure: lines and
//! the time go in, lines and cues come out.

use std::{
    collections::{HashSet, VecDeque},
    time::Duration,
};

use serde_json::{Value, json};

use super::{
    cue::Cue,
    deed::{Deed, Done},
    pace::Pace,
    script::{Script, Step},
    stand::Stand,
};

/// What comes next.
#[derive(Debug, PartialEq)]
pub(super) enum Next {
    /// A line is to be said.
    Say(String),
    /// Whoever conducts is told this.
    Cue(Cue),
    /// Nothing before this time.
    At(Duration),
    /// Nothing before something is heard.
    Wait,
}

pub(super) struct Player {
    script: Script,
    pace: Pace,
    place: usize,
    /// When the step before was done, and when that had been.
    since: Duration,
    before: Option<Duration>,
    introduced: bool,
    /// Deeds that were done again, by their place.
    done: HashSet<usize>,
    /// Requests of Codex's that were answered.
    answered: HashSet<String>,
    /// Words that were given to go on.
    words: usize,
    /// The place that was last told to whoever conducts.
    told: Option<usize>,
    /// Threads whose turn is about to end: whoever ended it does not wait long for that.
    urgent: HashSet<String>,
    /// Ids of messages, in quotes: the recorded one, and what takes its place.
    renamed: Vec<(String, String)>,
    stand: Stand,
    /// Answers, which wait for nobody.
    answers: VecDeque<String>,
}

impl Player {
    pub(super) fn new(script: Script, pace: Pace) -> Self {
        Self {
            script,
            pace,
            place: 0,
            since: Duration::ZERO,
            before: None,
            introduced: false,
            done: HashSet::new(),
            answered: HashSet::new(),
            words: 0,
            told: None,
            urgent: HashSet::new(),
            renamed: Vec::new(),
            stand: Stand::default(),
            answers: VecDeque::new(),
        }
    }

    /// Somebody says go on.
    pub(super) fn word(&mut self) {
        self.words += 1;
    }

    /// The client said a line.
    pub(super) fn heard(&mut self, line: &str) {
        let message: Value = serde_json::from_str(line).unwrap_or_default();
        match (message["method"].as_str(), message.get("id")) {
            (Some(method), Some(id)) => {
                let mut reply = self.reply(method, &message["params"]);
                reply["id"] = id.clone();
                let reply = self.rename(&reply.to_string());
                self.answers.push_back(reply);
                // Whatever is said because of it comes after the answer.
                self.after(method, &message["params"]);
            }
            (None, Some(id)) => {
                self.answered.insert(id.to_string());
            }
            _ => {}
        }
    }

    /// What comes next, at this time.
    pub(super) fn next(&mut self, now: Duration) -> Next {
        if let Some(answer) = self.answers.pop_front() {
            return Next::Say(answer);
        }
        if !self.introduced {
            return Next::Wait;
        }
        while let Some(step) = self.script.steps.get(self.place) {
            let due = self.since + self.gap(step);
            if now < due {
                return Next::At(due);
            }
            match step {
                Step::Await(deed) if self.is_done(deed) => {
                    let (place, told) = (self.place, self.told == Some(self.place));
                    self.go_on(now);
                    if told {
                        return Next::Cue(Cue::Done(place));
                    }
                }
                Step::Await(_) => return self.cue(Cue::Deed(self.place)),
                Step::Say(_) if self.waits_for_a_word() => return self.cue(Cue::Word(self.place)),
                Step::Say(_) => return self.say(now),
            }
        }
        self.cue(Cue::Played)
    }

    fn say(&mut self, now: Duration) -> Next {
        let Some(Step::Say(say)) = self.script.steps.get(self.place) else { return Next::Wait };
        let text = self.rename(&say.text);
        self.stand.said(say);
        let failed = say.method() == "error" && say.message["params"]["willRetry"] == false;
        let thread = say.thread().to_owned();
        if say.method() == "turn/completed" {
            self.urgent.remove(&thread);
        } else if failed {
            self.urgent.insert(thread);
        }
        if let Some(id) = say.asks() {
            self.answered.remove(&id);
        }
        self.words = self.words.saturating_sub(1);
        self.go_on(now);
        Next::Say(text)
    }

    fn go_on(&mut self, now: Duration) {
        let at = self.script.steps.get(self.place).and_then(Step::at);
        self.before = at.or(self.before);
        self.since = now;
        self.place += 1;
    }

    fn gap(&self, step: &Step) -> Duration {
        let hurries = !self.urgent.is_empty();
        if hurries { Duration::ZERO } else { self.pace.gap(self.before, step.at()) }
    }

    fn is_done(&self, deed: &Deed) -> bool {
        match &deed.done {
            Done::Answered(answered) => self.answered.contains(&answered.id),
            _ => self.done.contains(&self.place),
        }
    }

    fn waits_for_a_word(&self) -> bool {
        self.pace == Pace::Step && self.words == 0 && self.urgent.is_empty()
    }

    /// Told once for each place.
    fn cue(&mut self, cue: Cue) -> Next {
        if self.told == Some(self.place) {
            return Next::Wait;
        }
        self.told = Some(self.place);
        Next::Cue(cue)
    }

    fn reply(&mut self, method: &str, params: &Value) -> Value {
        if let Some(refused) = self.script.answers.refusal(method, params) {
            return refused;
        }
        if method == "initialize" {
            self.introduced = true;
        }
        let is_a_question = params["threadId"].is_boolean() || params["sandbox"].is_boolean();
        if let Some(place) = self.meant(method, params).filter(|_| !is_a_question) {
            return json!({ "result": self.do_again(place, method, params) });
        }
        let parent = params["threadId"].as_str().and_then(|thread| self.script.parents.get(thread));
        if let Some(result) = self.stand.answer(method, params, parent) {
            return json!({ "result": result });
        }
        if method == "turn/interrupt" && self.is_over() {
            return json!({ "result": {} });
        }
        let recorded = self.script.answers.answer(method, params).filter(|_| !is_begun_by(method));
        recorded.unwrap_or_else(|| unknown(method))
    }

    /// The first deed not yet done that this request does again.
    fn meant(&self, method: &str, params: &Value) -> Option<usize> {
        let thread = params["threadId"].as_str();
        let fits = |(place, deed): &(usize, &Deed)| {
            !self.done.contains(place)
                && deed.methods().contains(&method)
                && (method == "thread/start" || Some(deed.thread.as_str()) == thread)
        };
        self.script.deeds().find(fits).map(|(place, _)| place)
    }

    fn do_again(&mut self, place: usize, method: &str, params: &Value) -> Value {
        self.done.insert(place);
        let Some(Step::Await(deed)) = self.script.steps.get(place) else { return Value::Null };
        let mut result = deed.result();
        if let (Some(then), Some(now)) = (deed.message_id(), params["clientUserMessageId"].as_str()) {
            self.renamed.push((format!("\"{then}\""), format!("\"{now}\"")));
        }
        if deed.opens() {
            self.stand.opened(&deed.thread, result.clone());
        }
        if deed.begins() {
            self.stand.begun(&deed.thread, &result["turn"]);
        }
        if deed.done == Done::Interrupted {
            self.urgent.insert(deed.thread.clone());
        }
        // It may be said in the other way than it was.
        match (method, result["turnId"].as_str(), result["turn"]["id"].as_str()) {
            ("turn/steer", None, Some(turn)) => result = json!({ "turnId": turn }),
            ("turn/start", Some(turn), None) => {
                result = json!({ "turn": { "id": turn, "status": "inProgress" } });
            }
            _ => {}
        }
        result
    }

    /// Nothing more will be said by itself: a turn that still runs can only be ended.
    fn after(&mut self, method: &str, params: &Value) {
        if method == "turn/interrupt" && self.is_over() {
            let ended = self.stand.interrupt(params["threadId"].as_str().unwrap_or_default());
            self.answers.extend(ended);
        }
    }

    fn is_over(&self) -> bool {
        self.place >= self.script.steps.len()
    }

    fn rename(&self, text: &str) -> String {
        let renamed = |text: String, (then, now): &(String, String)| text.replace(then, now);
        self.renamed.iter().fold(text.to_owned(), renamed)
    }
}

/// What is answered only if it was done, and not because something like it was.
fn is_begun_by(method: &str) -> bool {
    matches!(method, "thread/start" | "turn/start" | "turn/steer" | "turn/interrupt" | "review/start")
}

fn unknown(method: &str) -> Value {
    if method == "initialize" {
        let home = std::env::temp_dir().to_string_lossy().into_owned();
        return json!({ "result": { "userAgent": "rehearsal (a recording)", "codexHome": home } });
    }
    json!({ "error": { "code": -32600, "message": format!("the recording holds no answer to `{method}`") } })
}

#[cfg(test)]
mod tests;
