//! The line that is typed, with history, below a session that goes on talking; or what comes through a pipe.

use std::{
    io::{self, IsTerminal as _, Write, stdin, stdout},
    path::PathBuf,
    thread,
};

use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
use rustyline::{Config, DefaultEditor, ExternalPrinter, error::ReadlineError};
use tokio::sync::mpsc;

use super::words::Words;
use crate::failure::Failure;

/// Lines that may wait to be heard.
const LINES: usize = 16;

/// What comes from the person.
#[derive(Debug)]
pub(super) enum Typed {
    Line(String),
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D, or the end of a pipe.
    End,
}

pub(super) struct Editor {
    pub(super) typed: mpsc::Receiver<Typed>,
    pub(super) above: Above,
    /// A person is there; in a pipe nobody is.
    pub(super) person: bool,
    /// Put back when the conversation is over.
    pub(super) before: Before,
}

/// How the terminal was before; put back even if the program leaves while a line is being typed.
pub(super) struct Before(Option<Termios>);

impl Before {
    fn remember() -> Self {
        Self(tcgetattr(stdin()).ok())
    }
}

impl Drop for Before {
    fn drop(&mut self) {
        if let Some(before) = &self.0 {
            // A terminal that is gone needs no restoring.
            let _gone = tcsetattr(stdin(), OptionalActions::Now, before);
        }
    }
}

/// Starts to read; the thread ends with the input, or with the program.
pub(super) fn start(remembered: PathBuf) -> Result<Editor, Failure> {
    let person = stdin().is_terminal() && stdout().is_terminal();
    let before = Before::remember();
    let (sender, typed) = mpsc::channel(LINES);
    let above = if person {
        let config = Config::builder().auto_add_history(true).build();
        let mut editor = DefaultEditor::with_config(config).map_err(|error| broken(&error))?;
        let printer = editor.create_external_printer().map_err(|error| broken(&error))?;
        read(move || edited(editor, &remembered, &sender))?;
        Above { out: Out::AboveTheLine(Box::new(printer)), line: Vec::new() }
    } else {
        read(move || piped(&sender))?;
        Above { out: Out::Straight, line: Vec::new() }
    };
    Ok(Editor { typed, above, person, before })
}

fn read(work: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let named = thread::Builder::new().name("attach-input".to_owned());
    named.spawn(work).map(drop).map_err(Failure::start)
}

fn edited(mut editor: DefaultEditor, remembered: &PathBuf, sender: &mpsc::Sender<Typed>) {
    // The first time there is none.
    let _none_yet = editor.load_history(remembered);
    loop {
        let typed = match editor.readline("> ") {
            Ok(line) => Typed::Line(line),
            Err(ReadlineError::Interrupted) => Typed::Interrupt,
            Err(_) => Typed::End,
        };
        // Whoever leaves gets the terminal back as it was: it must not be read again.
        let last = match &typed {
            Typed::Line(line) => Words::read(line) == Words::Quit,
            Typed::Interrupt => false,
            Typed::End => true,
        };
        if sender.blocking_send(typed).is_err() || last {
            return;
        }
        // Losing the memory of what was typed is no reason to stop.
        let _forgotten = editor.save_history(remembered);
    }
}

fn piped(sender: &mpsc::Sender<Typed>) {
    let lines = stdin().lines().map_while(Result::ok).map(Typed::Line);
    for typed in lines.chain([Typed::End]) {
        if sender.blocking_send(typed).is_err() {
            return;
        }
    }
}

fn broken(error: &ReadlineError) -> Failure {
    let what = format!("the terminal cannot be read: {error}");
    Failure::failed(what, "look at TERM, or use `selvedge run --resume`")
}

/// Whole lines above the one that is typed.
pub(super) struct Above {
    out: Out,
    line: Vec<u8>,
}

enum Out {
    AboveTheLine(Box<dyn ExternalPrinter + Send>),
    Straight,
}

impl Write for Above {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        if let Some(end) = self.line.iter().rposition(|byte| *byte == b'\n') {
            let lines: Vec<u8> = self.line.drain(..=end).collect();
            match &mut self.out {
                Out::AboveTheLine(printer) => {
                    printer.print(String::from_utf8_lossy(&lines).into_owned()).map_err(io::Error::other)?;
                }
                Out::Straight => stdout().write_all(&lines)?,
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
