//! What is printed while a recording is played: as `selvedge run` prints it.

use std::io::{self, Write as _, stdout};

use selvedge_runtime::Written;
use selvedge_session::{Event, SessionId, Status, What};

use crate::{ids, run::Surface};

pub(super) struct Show {
    surface: Surface,
    json: bool,
    last: Option<SessionId>,
}

impl Show {
    pub(super) fn new(json: bool) -> Self {
        Self { surface: Surface::choose(json), json, last: None }
    }

    pub(super) fn event(&mut self, session: SessionId, written: &Written, event: &Event) -> io::Result<()> {
        let another = self.last.is_some_and(|last| last != session);
        self.last = Some(session);
        if another && !self.json {
            self.surface.aside(&format!("— session {} —", ids::short(&session)))?;
        }
        self.surface.show(written, event)?;
        match &event.what {
            What::MessageFinished(finished) => self.ended(&finished.text, finished.status),
            _ => Ok(()),
        }
    }

    pub(super) fn aside(&mut self, text: &str) -> io::Result<()> {
        self.surface.aside(text)
    }

    fn ended(&mut self, text: &str, status: Status) -> io::Result<()> {
        self.surface.ended(text)?;
        if matches!(self.surface, Surface::Plain(_)) && !text.is_empty() {
            let mut out = stdout().lock();
            writeln!(out, "{}", text.trim_end_matches('\n'))?;
            out.flush()?;
        }
        if status != Status::Completed && !self.json {
            let word = serde_json::to_value(status).unwrap_or_default();
            self.surface.aside(&format!("the message ended as {}", word.as_str().unwrap_or_default()))?;
        }
        Ok(())
    }
}
