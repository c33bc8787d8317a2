//! `selvedge sessions list`.

use std::{
    io::{self, Write},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use selvedge_runtime::{Filter, Summary};
use selvedge_session::Timestamp;
use serde::Serialize;

use crate::{
    failure::Failure,
    ids,
    place::Place,
    show::{amounts, clean::one_line},
    table,
};

const HEADINGS: [&str; 8] = ["ID", "STATE", "CHANGED", "TOKENS", "COST", "BACKEND", "NAME", "DIRECTORY"];

pub(super) async fn list(place: &Place, archived: bool, json: bool) -> Result<(), Failure> {
    let mut sessions = Vec::new();
    let mut filter = Filter { archived, ..Filter::default() };
    loop {
        let page = place.sessions(&filter).await?;
        sessions.extend(page.items);
        filter.cursor = page.next_cursor;
        if filter.cursor.is_none() {
            break;
        }
    }
    if json {
        return lines(&sessions);
    }
    // The newest last: that is where the eye is.
    sessions.sort_by_key(|session| session.updated_at);
    let rows: Vec<_> = sessions.iter().map(row).collect();
    Ok(table::print(&HEADINGS, &rows, "no sessions yet; selvedge run makes one")?)
}

/// One JSON object a line.
pub(crate) fn lines(items: &[impl Serialize]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    for item in items {
        let line = serde_json::to_string(item).map_err(io::Error::other)?;
        writeln!(out, "{line}")?;
    }
    Ok(out.flush()?)
}

fn row(session: &Summary) -> Vec<String> {
    vec![
        ids::short(&session.id),
        state(session),
        age(session.updated_at),
        amounts::count(session.usage.total),
        session.cost_usd.map(amounts::money).unwrap_or_default(),
        session.backend.kind.clone(),
        one_line(session.name.as_deref().unwrap_or_default(), 30),
        session.cwd.clone(),
    ]
}

/// What it is doing, in a word.
pub(super) fn state(session: &Summary) -> String {
    if session.archived {
        return "archived".to_owned();
    }
    let state = serde_json::to_value(session.state).unwrap_or_default();
    state.as_str().unwrap_or_default().to_owned()
}

/// How long ago, in one unit.
pub(crate) fn age(at: Timestamp) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let then = Duration::from_millis(u64::try_from(at.0).unwrap_or_default());
    let seconds = now.saturating_sub(then).as_secs();
    match seconds {
        0..60 => format!("{seconds}s ago"),
        60..3_600 => format!("{}m ago", seconds / 60),
        3_600..86_400 => format!("{}h ago", seconds / 3_600),
        _ => format!("{}d ago", seconds / 86_400),
    }
}
