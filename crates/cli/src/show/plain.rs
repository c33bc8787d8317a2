//! For a pipe: the answer alone on stdout; everything else, complete and without colours, on stderr.

use std::io::{self, Write};

use selvedge_session::{Event, Item, Json, What, data::ItemData};
use serde_json::Value;

use super::{approval::question, clean::clean, deed::Deed, style::Style};

/// Nothing is cut in a pipe.
const NO_LIMIT: usize = usize::MAX / 2;

pub(crate) struct Plain<E> {
    aside: E,
    /// The newest message of the agent: it may be the answer.
    held: Option<String>,
    /// Files that are being changed: what is asked about them names them by their item.
    changing: Option<Value>,
}

impl<E: Write> Plain<E> {
    pub(crate) fn new(aside: E) -> Self {
        Self { aside, held: None, changing: None }
    }

    pub(crate) fn event(&mut self, event: &Event) -> io::Result<()> {
        match &event.what {
            What::ItemStarted(it) => self.started(&it.item),
            What::ItemCompleted(it) => self.completed(event.thread_id.is_some(), it),
            What::PlanUpdated(it) => {
                self.line("plan:")?;
                it.steps.iter().try_for_each(|step| {
                    writeln!(self.aside, "  {} {}", mark(&step.status), clean(&step.step))
                })
            }
            What::ApprovalRequested(it) => {
                let request = serde_json::from_str(it.request.text()).unwrap_or_default();
                let lines = question(it.kind, &request, self.changing.as_ref());
                self.line(&lines.join("\n"))
            }
            What::ApprovalResolved(it) => {
                let decision = serde_json::to_value(it.decision).unwrap_or_default();
                self.line(&format!("  {} (by {})", decision.as_str().unwrap_or_default(), it.by))
            }
            What::SessionWarning(it) => self.line(&warning(&it.message, it.hint.as_deref())),
            What::CodexExited(it) => self.line(&format!("codex ended: {}", clean(&it.reason))),
            What::CodexRestarted(it) => {
                self.line(&format!("codex was started again (attempt {})", it.attempt))
            }
            _ => Ok(()),
        }
    }

    /// The message has ended: what was held is the answer, unless it is something else.
    pub(crate) fn ended(&mut self, answer: &str) -> io::Result<()> {
        match self.held.take().filter(|held| held != answer) {
            Some(other) => self.line(&other),
            None => Ok(()),
        }
    }

    fn started(&mut self, item: &Json) -> io::Result<()> {
        let value: Value = serde_json::from_str(item.text()).unwrap_or_default();
        if value["type"] == "fileChange" {
            self.changing = Some(value);
        }
        Ok(())
    }

    fn completed(&mut self, of_sub_agent: bool, it: &ItemData) -> io::Result<()> {
        let item = Item::read(&it.item);
        if item.is_message() && !of_sub_agent {
            self.let_go()?;
            self.held = item.text;
            return Ok(());
        }
        if item.is_message() {
            return self.line(&format!("[agent] {}", item.text.unwrap_or_default()));
        }
        if item.kind == "reasoning" {
            return self.thought(&it.item);
        }
        let Some(deed) = Deed::read(&it.item, it.closed.as_deref()) else { return Ok(()) };
        self.line(&deed.line(Style::PLAIN, NO_LIMIT))?;
        deed.output.lines().try_for_each(|line| writeln!(self.aside, "  {line}"))
    }

    fn thought(&mut self, item: &Json) -> io::Result<()> {
        let value: Value = serde_json::from_str(item.text()).unwrap_or_default();
        let parts = value["summary"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let text = parts.collect::<Vec<_>>().join("\n");
        if text.is_empty() { Ok(()) } else { self.line(&format!("(thinking) {text}")) }
    }

    /// Something follows the message that was held, so it was not the answer.
    fn let_go(&mut self) -> io::Result<()> {
        match self.held.take() {
            Some(text) => writeln!(self.aside, "{}", clean(&text)),
            None => Ok(()),
        }
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        self.let_go()?;
        writeln!(self.aside, "{}", clean(line))?;
        self.aside.flush()
    }
}

/// How far a step of a plan is.
pub(crate) fn mark(status: &str) -> &'static str {
    match status {
        "completed" => "[x]",
        "inProgress" | "in_progress" => "[>]",
        _ => "[ ]",
    }
}

/// What a person should know, and what to do.
pub(crate) fn warning(message: &str, hint: Option<&str>) -> String {
    let hint = hint.map(|hint| format!("\nhint: {}", clean(hint))).unwrap_or_default();
    format!("warning: {}{hint}", clean(message))
}
