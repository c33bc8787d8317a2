//! Where a run is shown: to a person, in a pipe, or to a program.

use std::{
    io::{self, IsTerminal as _, Stderr, Stdout, stderr, stdout},
    sync::Arc,
    time::Duration,
};

use selvedge_runtime::Written;
use selvedge_session::Event;

use crate::{
    show::{
        json,
        plain::Plain,
        screen::Screen,
        style::{Style, is_dumb},
        terminal::Terminal,
    },
    tty::Tty,
};

pub(crate) enum Surface {
    Terminal(Box<Terminal<Stdout>>, Arc<Tty>),
    Plain(Plain<Stderr>),
    Json(Stdout),
}

impl Surface {
    /// A person is there if both outputs are terminals, and there is one to ask at.
    pub(crate) fn choose(json: bool) -> Self {
        if json {
            return Self::Json(stdout());
        }
        let person = stdout().is_terminal() && stderr().is_terminal();
        match person.then(Tty::open) {
            Some(Ok(tty)) => Self::terminal(tty),
            _ => Self::Plain(Plain::new(stderr())),
        }
    }

    pub(crate) fn terminal(tty: Tty) -> Self {
        let screen = Screen::new(stdout(), Style::of_terminal(), !is_dumb());
        Self::Terminal(Box::new(Terminal::new(screen)), Arc::new(tty))
    }

    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self, Self::Terminal(..))
    }

    pub(crate) fn show(&mut self, written: &Written, event: &Event) -> io::Result<()> {
        match self {
            Self::Terminal(terminal, _) => terminal.event(event),
            Self::Plain(plain) => plain.event(event),
            Self::Json(out) => json::write(out, std::slice::from_ref(written)),
        }
    }

    pub(crate) fn ended(&mut self, answer: &str) -> io::Result<()> {
        match self {
            Self::Terminal(terminal, _) => terminal.ended(),
            Self::Plain(plain) => plain.ended(answer),
            Self::Json(_) => Ok(()),
        }
    }

    pub(crate) fn progress(&mut self, elapsed: Duration) -> io::Result<()> {
        let Self::Terminal(terminal, tty) = self else { return Ok(()) };
        if let width @ 1.. = tty.width() {
            terminal.screen.set_width(width);
        }
        terminal.progress(elapsed)
    }

    /// Says something beside the events.
    pub(crate) fn aside(&mut self, text: &str) -> io::Result<()> {
        match self {
            Self::Terminal(terminal, _) => terminal.screen.line(text),
            Self::Plain(_) | Self::Json(_) => {
                eprintln!("{text}");
                Ok(())
            }
        }
    }
}
