//! A terminal with text that grows and, below it, one line that is drawn again and again.
//!
//! The line is drawn only where nothing else stands, and is gone before anything else is written, so the two never mix.

use std::io::{self, Write};

use super::{
    clean::one_line,
    style::{Look, Style},
};

const CLEAR_LINE: &str = "\r\x1b[2K";

pub(crate) struct Screen<W> {
    out: W,
    style: Style,
    width: usize,
    /// A terminal that can clear a line.
    moves: bool,
    /// Text stands on the cursor's line.
    open: bool,
    /// The progress line stands there.
    progress: bool,
}

impl<W: Write> Screen<W> {
    pub(crate) fn new(out: W, style: Style, moves: bool) -> Self {
        Self { out, style, width: 80, moves, open: false, progress: false }
    }

    pub(crate) fn style(&self) -> Style {
        self.style
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn set_width(&mut self, width: usize) {
        self.width = width.max(20);
    }

    /// Text that goes on where the last one ended.
    pub(crate) fn text(&mut self, look: Option<Look>, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.clear()?;
        let shown = look.map_or(text.into(), |look| self.style.paint(look, text));
        self.out.write_all(shown.as_bytes())?;
        self.open = !text.ends_with('\n');
        self.out.flush()
    }

    /// A line of its own.
    pub(crate) fn line(&mut self, line: &str) -> io::Result<()> {
        self.end_line()?;
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }

    /// What comes next begins a line.
    pub(crate) fn end_line(&mut self) -> io::Result<()> {
        self.clear()?;
        if self.open {
            self.open = false;
            writeln!(self.out)?;
        }
        Ok(())
    }

    /// Somebody else has ended the line.
    pub(crate) fn at_line_start(&mut self) {
        self.open = false;
    }

    /// Draws the progress line, if there is a place for it.
    pub(crate) fn progress(&mut self, text: &str) -> io::Result<()> {
        if self.open || !self.moves {
            return Ok(());
        }
        let shown = one_line(text, self.width - 1);
        write!(self.out, "{CLEAR_LINE}{}", self.style.paint(Look::Dim, &shown))?;
        self.progress = true;
        self.out.flush()
    }

    /// Takes the progress line away.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        if self.progress {
            self.progress = false;
            self.out.write_all(CLEAR_LINE.as_bytes())?;
            self.out.flush()?;
        }
        Ok(())
    }

    #[cfg(test)]
    pub(crate) fn written(&self) -> &W {
        &self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_progress_line_never_mixes_with_text() {
        let mut screen = Screen::new(Vec::new(), Style::PLAIN, true);
        screen.progress("1s").unwrap();
        screen.text(None, "half a ").unwrap();
        screen.progress("2s").unwrap();
        screen.text(None, "line").unwrap();
        screen.line("next").unwrap();
        screen.progress("3s").unwrap();
        screen.clear().unwrap();
        let written = String::from_utf8(screen.written().clone()).unwrap();
        assert_eq!(written, "\r\x1b[2K1s\r\x1b[2Khalf a line\nnext\n\r\x1b[2K3s\r\x1b[2K");
    }
}
