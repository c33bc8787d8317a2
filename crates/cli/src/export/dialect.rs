//! A session in another program's language: a message a line; of caic, its log.

use std::io::{self, BufWriter, Write};

use selvedge_dialects::{Dialect, Speaker, caic};
use selvedge_session::{Event, What};
use serde::Serialize;

use crate::{failure::Failure, history, place::Session};

/// Writes the whole session.
pub(super) async fn write(session: &Session, dialect: Dialect, out: impl Write) -> Result<(), Failure> {
    let mut out = BufWriter::new(out);
    if dialect == Dialect::Caic {
        return log(session, out).await;
    }
    let mut speaker = Speaker::of(dialect);
    history::read(session, |event| {
        for spoken in speaker.hear(&event) {
            writeln!(out, "{}", spoken.numbered())?;
        }
        Ok(())
    })
    .await?;
    Ok(out.flush()?)
}

/// A header, the lines that caic would have read, and a trailer.
async fn log(session: &Session, mut out: impl Write) -> Result<(), Failure> {
    line(&mut out, &header(session).await?)?;
    let mut writer = caic::Writer::default();
    history::read(session, |event| {
        if let Some(line) = writer.hear(&event) {
            writeln!(out, "{line}")?;
        }
        Ok(())
    })
    .await?;
    line(&mut out, &writer.trailer())?;
    Ok(out.flush()?)
}

fn line(out: &mut impl Write, said: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, said)?;
    writeln!(out)
}

/// It says what was said first, which stands further down.
async fn header(session: &Session) -> Result<caic::Meta, Failure> {
    let mut writer = caic::Writer::default();
    let mut events = session.events(0).await?;
    loop {
        let page = events.there(100).await?;
        for written in &page {
            let event: Event = written.read()?;
            writer.hear(&event);
            if matches!(event.what, What::MessageAccepted(_)) {
                return Ok(writer.header());
            }
        }
        if page.is_empty() {
            return Ok(writer.header());
        }
    }
}
