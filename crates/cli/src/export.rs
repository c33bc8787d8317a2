//! `selvedge export ID`: the whole session on stdout.

mod dialect;
mod markdown;
mod past;

use std::{
    io::{self, BufWriter, Write},
    process::ExitCode,
};

use clap::Args;
use selvedge_dialects::Dialect;

use crate::{
    failure::Failure,
    history,
    place::{self, Place, Reach, Session},
    show::json,
};
use markdown::Markdown;

/// Events written at once.
const PAGE: usize = 1000;

/// Options of `export`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Any ending of the session's id that only one has
    id: String,
    /// In which language: `events` (one JSON a line), `markdown`, or another program's: `companion`, `yaar`, `yaar-seed`,
    /// `caic` (its log), `caic-seed`
    #[arg(long, default_value = "events", env = "SELVEDGE_DIALECT")]
    dialect: String,
    #[command(flatten)]
    reach: Reach,
}

pub(crate) fn run(options: Options) -> Result<ExitCode, Failure> {
    let Options { id, dialect, reach } = options;
    let language = Language::named(&dialect)?;
    place::with_place(&reach, |place| async move {
        let session = place.find(&id).await?;
        match language {
            Language::Events => as_events(&session).await?,
            Language::Markdown => in_markdown(&place, &session).await?,
            Language::Dialect(dialect) => dialect::write(&session, dialect, io::stdout()).await?,
        }
        Ok(ExitCode::SUCCESS)
    })
}

/// What a session can be written in.
enum Language {
    Events,
    Markdown,
    Dialect(Dialect),
}

impl Language {
    fn named(name: &str) -> Result<Self, Failure> {
        match name {
            "events" => Ok(Self::Events),
            "markdown" => Ok(Self::Markdown),
            other => other.parse().map(Self::Dialect).map_err(|_| {
                let names: Vec<_> = Dialect::ALL.iter().map(|(name, _)| format!("`{name}`")).collect();
                let what = format!("there is no dialect `{other}` in this version");
                Failure::bad_input(what, &format!("there are `events`, `markdown`, {}", names.join(", ")))
            }),
        }
    }
}

async fn as_events(session: &Session) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout());
    let mut events = session.events(0).await?;
    loop {
        let page = events.there(PAGE).await?;
        if page.is_empty() {
            return Ok(out.flush()?);
        }
        json::write(&mut out, &page)?;
    }
}

async fn in_markdown(place: &Place, session: &Session) -> Result<(), Failure> {
    let summary = session.summary().await?;
    let mut page = Markdown::new(BufWriter::new(io::stdout()));
    page.begin(&summary)?;
    for taken in past::of(place, session).await? {
        page.takes_over(&taken.from.session_id, taken.session.is_some())?;
        taken.read(|event| Ok(page.event(event)?)).await?;
        page.forked()?;
    }
    history::read(session, |event| Ok(page.event(&event)?)).await?;
    Ok(page.end()?)
}
