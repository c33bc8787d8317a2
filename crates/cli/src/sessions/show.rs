//! `selvedge sessions show ID`.

use std::io::{self, Write};

use selvedge_runtime::Summary;
use serde_json::{Value, json};

use super::list::{age, state};
use crate::{
    failure::Failure,
    history::{self, Sent},
    ids,
    place::Place,
    show::{
        amounts,
        clean::{clean, one_line},
    },
};

const WIDTH: usize = 90;

pub(super) async fn show(place: &Place, id: &str, as_json: bool) -> Result<(), Failure> {
    let session = place.find(id).await?;
    let summary = session.summary().await?;
    let messages = history::messages(&session).await?;
    let mut out = io::stdout().lock();
    if as_json {
        let mut value = serde_json::to_value(&summary).map_err(io::Error::other)?;
        value["messages"] = messages.iter().map(message_json).collect();
        writeln!(out, "{value}")?;
        return Ok(());
    }
    for (name, value) in fields(&summary) {
        writeln!(out, "{name:<10} {}", clean(&value))?;
    }
    for sent in &messages {
        writeln!(out)?;
        writeln!(out, "{} · {} · {}", ids::short(&sent.id), age(sent.at), outcome(sent))?;
        writeln!(out, "  > {}", one_line(&sent.text, WIDTH))?;
        if let Some(end) = sent.end.as_ref().filter(|end| !end.text.is_empty()) {
            writeln!(out, "  {}", one_line(&end.text, WIDTH))?;
        }
    }
    Ok(out.flush()?)
}

fn fields(session: &Summary) -> Vec<(&'static str, String)> {
    let backend = [Some(session.backend.kind.clone()), session.backend.version.clone()];
    let mut fields = vec![
        ("id", session.id.to_string()),
        ("state", state(session)),
        ("directory", session.cwd.clone()),
        ("backend", backend.into_iter().flatten().collect::<Vec<_>>().join(" ")),
        ("tokens", amounts::count(session.usage.total)),
    ];
    let optional = [
        ("name", session.name.clone()),
        ("model", session.model.clone()),
        ("thread", session.thread_id.clone()),
        ("cost", session.cost_usd.map(amounts::money)),
        ("context", session.context_used_percent.map(|percent| format!("{percent}% used"))),
        ("queue", (session.queued > 0).then(|| format!("{} waiting", session.queued))),
    ];
    fields.extend(optional.into_iter().filter_map(|(name, value)| Some((name, value?))));
    fields
}

fn outcome(sent: &Sent) -> String {
    let Some(end) = &sent.end else { return "not ended".to_owned() };
    let state = serde_json::to_value(end.state).unwrap_or_default();
    let state = state.as_str().unwrap_or_default();
    match &end.error {
        Some(why) => format!("{state}: {} ({})", clean(&why.message), why.code),
        None => state.to_owned(),
    }
}

fn message_json(sent: &Sent) -> Value {
    let mut value = match &sent.end {
        Some(end) => serde_json::to_value(end).unwrap_or_default(),
        None => json!({"message_id": sent.id}),
    };
    value["input_text"] = Value::from(sent.text.as_str());
    value["at"] = serde_json::to_value(sent.at).unwrap_or_default();
    value
}
