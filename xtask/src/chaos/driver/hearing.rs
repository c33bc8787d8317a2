//! Hearing what the host says, and reacting as the plan says.

use std::io;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::asking::Asked;
use super::{Deed, Driver, Heard, Killed, Later, Said};
use crate::chaos::ledger::{Recovery, SeenEvent};
use crate::chaos::plan::Answer;

/// A session that has to be told to go on is told so after a while, as a person would.
const HESITATION: Duration = Duration::from_millis(500);
/// What was refused because the time was wrong is tried again.
const AGAIN: Duration = Duration::from_secs(1);
/// An exit that comes so long after a kill has another cause.
const CAUSE: Duration = Duration::from_secs(10);

/// What shows that a session works again, and not only that somebody cleared up after a death.
const SIGNS_OF_LIFE: &[&str] = &[
    "codex.restarted",
    "message.started",
    "message.finished",
    "turn.started",
    "turn.completed",
    "item.started",
    "item.delta",
    "approval.requested",
    "tool.requested",
];

impl Driver<'_> {
    pub(super) fn hear(&mut self, heard: Heard) -> io::Result<()> {
        let of_this_host = heard.generation == self.generation;
        match heard.said {
            Said::Event { reader, event } => self.event(reader, event),
            Said::Reply { id, outcome } => self.reply(id, outcome),
            Said::Nonsense(line) => self.ledger.violated("the host speaks its language", line, None),
            Said::End if of_this_host => {
                let what = "the host ended by itself; its stderr is in host.log";
                self.ledger.violated("the host lives", what, None);
                self.start_again()?;
            }
            Said::End => {}
        }
        Ok(())
    }

    fn reply(&mut self, id: u64, outcome: Result<String, String>) {
        let Some(asked) = self.asked.remove(&id) else { return };
        self.ledger.ready.extend(self.starting.take().map(|since| since.elapsed()));
        match (asked, outcome) {
            (Asked::Create(session), Ok(reply)) => self.made(session, &reply),
            (Asked::Create(session), Err(why)) => {
                self.ledger.refused("create", &why);
                self.in_a_while(AGAIN, Later::Deed(Deed::Create(session)));
            }
            (Asked::Send(message), Ok(reply)) => {
                let reply = text_of(&reply, "message").ok_or(reply);
                self.by_id.extend(reply.iter().map(|id| (id.clone(), message)));
                self.ledger.messages[message].replies.push(reply);
                self.settle(message);
            }
            (Asked::Send(message), Err(why)) => {
                self.ledger.refused("send", &why);
                self.ledger.messages[message].replies.push(Err(why));
                self.settle(message);
            }
            (Asked::Answer { approval, place, .. }, outcome) => {
                if let Some(given) = self.ledger.answers.get_mut(&approval).and_then(|all| all.get_mut(place))
                {
                    given.taken = Some(outcome.is_ok());
                }
                if let Err(why) = outcome {
                    self.ledger.refused("answer", &why);
                }
            }
            (Asked::Read(session), Ok(page)) => self.page(session, &page),
            (Asked::Read(session) | Asked::Follow(session), Err(why)) => {
                self.ledger.violated("what was shown can be read again", why, Some(session));
            }
            (Asked::Other(what), Err(why)) => self.ledger.refused(what, &why),
            (Asked::Follow(_) | Asked::Other(_), Ok(_)) => {}
        }
    }

    fn made(&mut self, session: usize, reply: &str) {
        let id = text_of(reply, "session");
        let known = &self.ledger.sessions[session].id;
        if known.is_some() {
            if *known != id {
                self.ledger.violated("one key, one answer", "a session was made twice", Some(session));
            }
            return;
        }
        self.ledger.sessions[session].id = id;
        self.follow(session);
        for deed in std::mem::take(&mut self.when_made[session]) {
            self.in_a_while(Duration::ZERO, Later::Deed(deed));
        }
    }

    fn event(&mut self, reader: u64, text: String) {
        let Some(session) = self.readers.iter().position(|known| *known == Some(reader)) else { return };
        let Ok(event) = serde_json::from_str::<Value>(&text) else {
            return self.ledger.violated("an event is JSON", text, Some(session));
        };
        let expected = self.ledger.sessions[session].events.len() as u64 + 1;
        if event["seq"] != expected {
            let what = format!("a reader expected {expected} and got {}", event["seq"]);
            self.ledger.violated("no gap, no repeat", what, Some(session));
            return self.follow(session);
        }
        let at = self.started.elapsed();
        self.ledger.sessions[session].events.push(SeenEvent { text, at });
        self.note_recovery(session, &event);
        self.react(session, &event);
    }

    /// How long it took from a kill to the next sign of life of a session that was hit.
    fn note_recovery(&mut self, session: usize, event: &Value) {
        let now = Instant::now();
        match event["type"].as_str().unwrap_or_default() {
            // Of a session that had nothing to do, the next event is whatever somebody asks of it later.
            "codex.exited"
                if self.hit[session].is_none() && !self.ledger.sessions[session].open.is_empty() =>
            {
                // A proxy says on its stderr what it is about to do.
                let by_proxy =
                    event["data"]["stderr_tail"].as_str().is_some_and(|tail| tail.contains(": Kill"));
                let killed = self.last_server_kill.filter(|killed| !by_proxy && now - *killed < CAUSE);
                self.hit[session] = Some((Killed::Server, killed.unwrap_or(now)));
            }
            kind if SIGNS_OF_LIFE.contains(&kind) => {
                if let Some((of, since)) = self.hit[session].take() {
                    self.ledger.recoveries.push(Recovery { of, took: now - since });
                }
            }
            _ => {}
        }
    }

    fn react(&mut self, session: usize, event: &Value) {
        let data = &event["data"];
        let id_of = |name: &str| data[name].as_str().unwrap_or_default().to_owned();
        match event["type"].as_str().unwrap_or_default() {
            "approval.requested" => self.asked_for_approval(session, data),
            "tool.requested" => {
                let wait = self.reaction_to(&data["arguments"]).map_or(Duration::ZERO, |(wait, _)| wait);
                self.in_a_while(wait, Later::AnswerTool { session, call: id_of("tool_call_id") });
            }
            "session.state" if matches!(data["state"].as_str(), Some("failed" | "stopped")) => {
                self.in_a_while(HESITATION, Later::Start(session));
            }
            "message.accepted" => {
                self.ledger.sessions[session].open.insert(id_of("message_id"));
            }
            "message.finished" => {
                self.ledger.sessions[session].open.remove(&id_of("message_id"));
                self.ledger.finished.insert(id_of("message_id"));
                self.last_end = Instant::now();
                self.settle_by_id(&id_of("message_id"));
                if data["status"] == "lost" {
                    self.in_a_while(HESITATION, Later::Start(session));
                }
            }
            _ => {}
        }
    }

    fn asked_for_approval(&mut self, session: usize, data: &Value) {
        let approval = data["approval_id"].as_str().unwrap_or_default().to_owned();
        let Some((wait, answer)) = self.reaction_to(&data["request"]) else {
            return self.ledger.violated(
                "a request is for a message of ours",
                data.to_string(),
                Some(session),
            );
        };
        let decision = match answer {
            Answer::Accept => "accept",
            Answer::Decline => "decline",
            Answer::Cancel => "cancel",
            Answer::Nothing => return,
        };
        self.in_a_while(wait, Later::Answer { session, approval, decision });
    }

    /// What the plan says about the message whose token stands in this.
    fn reaction_to(&self, said: &Value) -> Option<(Duration, Answer)> {
        let reaction = self.plan.messages[self.plan.message_in(&said.to_string())?].reaction;
        Some((reaction.after, reaction.answer))
    }
}

/// A text in a reply.
fn text_of(reply: &str, name: &str) -> Option<String> {
    serde_json::from_str::<Value>(reply).ok()?[name].as_str().map(str::to_owned)
}
