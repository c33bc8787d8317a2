//! A session as a page that a person reads: who said what, what was done, how it ended.

use std::{
    collections::HashMap,
    fmt::Display,
    io::{self, Write},
};

use selvedge_runtime::Summary;
use selvedge_session::{
    Event, Item, MessageId, SessionId, What,
    data::{Decision, Finished, ItemData, PlanUpdated},
};
use serde_json::Value;

use crate::{
    history::said,
    ids,
    show::{
        amounts,
        deed::{Deed, State},
        plain::mark,
    },
};

pub(super) struct Markdown<W> {
    out: W,
    /// What was said in messages that have not been started yet.
    waiting: HashMap<MessageId, String>,
}

impl<W: Write> Markdown<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, waiting: HashMap::new() }
    }

    pub(super) fn begin(&mut self, session: &Summary) -> io::Result<()> {
        let short = ids::short(&session.id);
        writeln!(self.out, "# {}\n", session.name.clone().unwrap_or(format!("Session {short}")))?;
        writeln!(self.out, "- id: `{}`", session.id)?;
        writeln!(self.out, "- directory: `{}`", session.cwd)?;
        writeln!(self.out, "- backend: {}", session.backend.kind)?;
        if let Some(model) = &session.model {
            writeln!(self.out, "- model: {model}")?;
        }
        writeln!(self.out, "- begun: {}", session.created_at)
    }

    /// What follows happened in another session, whose history this one began with.
    pub(super) fn takes_over(&mut self, from: &SessionId, there: bool) -> io::Result<()> {
        let short = ids::short(from);
        if there {
            self.block(format_args!("*Taken over from session `{short}`:*"))
        } else {
            self.block(format_args!("*What was taken over from session `{short}` was removed with it.*"))
        }
    }

    /// What was taken over ends here. What waited there does not go on here.
    pub(super) fn forked(&mut self) -> io::Result<()> {
        self.waiting.clear();
        self.block("---\n\n*Forked here.*")
    }

    pub(super) fn end(mut self) -> io::Result<()> {
        self.out.flush()
    }

    pub(super) fn event(&mut self, event: &Event) -> io::Result<()> {
        match &event.what {
            What::MessageAccepted(it) => {
                self.waiting.insert(it.message_id, said(&it.input));
                Ok(())
            }
            What::MessageUpdated(it) => {
                if let Some(input) = &it.input {
                    self.waiting.insert(it.message_id, said(input));
                }
                Ok(())
            }
            What::MessageStarted(it) if it.attempt == 1 => {
                let text = self.waiting.remove(&it.message_id).unwrap_or_default();
                self.block(format_args!("## User\n\n{}\n\n## Agent", text.trim()))
            }
            What::ItemCompleted(it) => self.item(event.thread_id.is_some(), it),
            What::PlanUpdated(it) => self.plan(it),
            What::ApprovalResolved(it) if it.by != "codex" => {
                let word = match it.decision {
                    Decision::Accept => "accepted",
                    Decision::AcceptForSession => "accepted for the session",
                    Decision::Decline => "declined",
                    Decision::Cancel => "cancelled",
                    Decision::Expired => "expired",
                };
                let message = it.message.as_ref().map(|text| format!(": {text}")).unwrap_or_default();
                self.block(format_args!("*Asked, and {word} by {}{message}*", it.by))
            }
            What::SessionWarning(it) => self.block(format_args!("*Warning: {}*", it.message)),
            What::CodexExited(it) => self.block(format_args!("*Codex ended: {}*", it.reason)),
            What::MessageFinished(it) => self.finished(it),
            _ => Ok(()),
        }
    }

    fn item(&mut self, of_sub_agent: bool, it: &ItemData) -> io::Result<()> {
        let item = Item::read(&it.item);
        let value: Value = serde_json::from_str(it.item.text()).unwrap_or_default();
        if item.is_message() {
            let who = if of_sub_agent { "**A sub-agent:** " } else { "" };
            return self.block(format_args!("{who}{}", item.text.unwrap_or_default().trim()));
        }
        if item.kind == "reasoning" {
            let thoughts = value["summary"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let quoted: Vec<_> = thoughts.flat_map(str::lines).map(|line| format!("> {line}")).collect();
            return if quoted.is_empty() { Ok(()) } else { self.block(quoted.join("\n")) };
        }
        let Some(deed) = Deed::read(&it.item, it.closed.as_deref()) else { return Ok(()) };
        match item.kind.as_str() {
            "commandExecution" => self.command(&deed, &value),
            "fileChange" => self.changes(&deed, &value),
            _ => self.block(format_args!("- {}", in_words(&deed))),
        }
    }

    fn command(&mut self, deed: &Deed, item: &Value) -> io::Result<()> {
        let command = item["command"].as_str().unwrap_or_default();
        let body = format!("$ {command}\n{}", deed.output);
        self.fenced("console", &body)?;
        let notes = [state_word(deed.state)].into_iter().chain(deed.notes.iter().map(String::as_str));
        self.block(format_args!("*{}*", notes.collect::<Vec<_>>().join(", ")))
    }

    fn changes(&mut self, deed: &Deed, item: &Value) -> io::Result<()> {
        for change in item["changes"].as_array().into_iter().flatten() {
            let kind = change["kind"]["type"].as_str().unwrap_or("update");
            self.block(format_args!(
                "`{}` ({kind}, {}):",
                change["path"].as_str().unwrap_or_default(),
                state_word(deed.state)
            ))?;
            // Of a new or removed file Codex sends the content, else a diff.
            let sign = match kind {
                "add" => "+",
                "delete" => "-",
                _ => "",
            };
            let lines = change["diff"].as_str().unwrap_or_default().lines();
            let lines: Vec<_> = lines.map(|line| format!("{sign}{line}")).collect();
            self.fenced("diff", &lines.join("\n"))?;
        }
        Ok(())
    }

    fn plan(&mut self, it: &PlanUpdated) -> io::Result<()> {
        let steps: Vec<_> =
            it.steps.iter().map(|step| format!("- {} {}", mark(&step.status), step.step)).collect();
        self.block(steps.join("\n"))
    }

    fn finished(&mut self, it: &Finished) -> io::Result<()> {
        let status = serde_json::to_value(it.status).unwrap_or_default();
        let mut words = vec![status.as_str().unwrap_or_default().to_owned()];
        words.extend(it.error.as_ref().map(|why| format!("{} (`{}`)", why.message, why.code)));
        if it.usage.total > 0 {
            words.push(format!("{} tokens", amounts::count(it.usage.total)));
        }
        words.extend(it.cost_usd.map(amounts::money));
        self.block(format_args!("*{}*", words.join(", ")))
    }

    /// Between fences that are longer than any in the text.
    fn fenced(&mut self, language: &str, body: &str) -> io::Result<()> {
        let longest = body.split(|character| character != '`').map(str::len).max().unwrap_or_default();
        let fence = "`".repeat(longest.max(2) + 1);
        self.block(format_args!("{fence}{language}\n{}\n{fence}", body.trim_end()))
    }

    fn block(&mut self, text: impl Display) -> io::Result<()> {
        writeln!(self.out, "\n{text}")
    }
}

fn in_words(deed: &Deed) -> String {
    let notes: Vec<&str> = deed.notes.iter().map(String::as_str).collect();
    let what = deed.what.replace('\n', " ");
    format!("`{what}`: {}", [&[state_word(deed.state)], notes.as_slice()].concat().join(", "))
}

fn state_word(state: State) -> &'static str {
    match state {
        State::Running => "running",
        State::Done => "done",
        State::Failed => "failed",
        State::Declined => "declined",
        State::Cut => "cut",
    }
}
