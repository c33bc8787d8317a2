//! The line that is typed, with history, below a session that goes on talking.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use rustyline::{Config, DefaultEditor, ExternalPrinter, error::ReadlineError};
use tokio::sync::mpsc;

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
}

/// Starts to read; the thread ends with the input, or with the program.
pub(super) fn start(remembered: PathBuf) -> Result<Editor, Failure> {
    let mut editor = DefaultEditor::with_config(Config::builder().auto_add_history(true).build())
        .map_err(|error| broken(&error))?;
    // The first time there is none.
    let _none_yet = editor.load_history(&remembered);
    let printer = editor.create_external_printer().map_err(|error| broken(&error))?;
    let (sender, typed) = mpsc::channel(LINES);
    let read = move || {
        while let Some(typed) = next(&mut editor) {
            let last = matches!(typed, Typed::End);
            if sender.blocking_send(typed).is_err() || last {
                break;
            }
            // Losing the memory of what was typed is no reason to stop.
            let _forgotten = editor.save_history(&remembered);
        }
    };
    std::thread::Builder::new().name("attach-input".to_owned()).spawn(read).map_err(Failure::start)?;
    Ok(Editor { typed, above: Above { printer: Box::new(printer), line: Vec::new() } })
}

fn next(editor: &mut DefaultEditor) -> Option<Typed> {
    match editor.readline("> ") {
        Ok(line) => Some(Typed::Line(line)),
        Err(ReadlineError::Interrupted) => Some(Typed::Interrupt),
        Err(_) => Some(Typed::End),
    }
}

fn broken(error: &ReadlineError) -> Failure {
    Failure::failed(
        format!("the terminal cannot be read: {error}"),
        "look at TERM, or use `selvedge run --resume`",
    )
}

/// Whole lines above the one that is typed.
pub(super) struct Above {
    printer: Box<dyn ExternalPrinter + Send>,
    line: Vec<u8>,
}

impl Write for Above {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        if let Some(end) = self.line.iter().rposition(|byte| *byte == b'\n') {
            let lines: Vec<u8> = self.line.drain(..=end).collect();
            let text = String::from_utf8_lossy(&lines).into_owned();
            self.printer.print(text).map_err(io::Error::other)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
