//! What was used, by day, model or session: from lines of the index that are made as usage is reported.
//!
//! A session's usage is a total that grows. While day and model stay the same, one line holds the total so far; what was
//! used in that stretch is the difference to the line before. So the stretches of a session always add up to what the
//! session says of itself, and the sums over all of them to the sum of the sessions, removed ones among them.

mod left;

use std::collections::{BTreeMap, HashMap};

use selvedge_journal::{Found, Store as _};
use selvedge_session::{Event, SessionId, Usage, data::UsageUpdated};
use serde::{Deserialize, Serialize};

use crate::{error::Error, house::House, ledger::table, runtime::Runtime, view::Summary};

pub(crate) use left::{is_log, keep};

/// Entries read at once.
const PAGE: usize = 1_000;
/// What costs are counted in: whole parts of a dollar, so that sums are the same in every order.
const PER_DOLLAR: f64 = 1e12;
/// The name of a model that nobody named.
const UNNAMED: &str = "unknown";
/// The name of all sessions that are gone.
const REMOVED: &str = "removed";

/// By what usage is summed up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum UsageGroup {
    /// By day, in UTC.
    #[default]
    Day,
    /// By model.
    Model,
    /// By session.
    Session,
}

/// What was used in all, and of what it is the sum.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct UsageReport {
    /// By what it is summed up.
    pub group: UsageGroup,
    /// In the order of their keys.
    pub items: Vec<UsageItem>,
    /// All of them together: the sum of what the sessions say that they used, and of what removed ones had used.
    pub total: Used,
}

/// What was used on a day, by a model or in a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct UsageItem {
    /// The day as `2026-01-31`, the model, or the session's id; `removed` for all sessions that are gone.
    pub key: String,
    /// What was used.
    #[serde(flatten)]
    pub used: Used,
}

/// Turns, their tokens, and what they cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Used {
    /// Turns that used something, sub-agents' not counted. A turn counts to the day on which it was first heard of; those of
    /// journals from before turns were counted are missing.
    pub turns: u64,
    /// Tokens.
    pub usage: Usage,
    /// What they cost, as far as prices were known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
}

/// What a session had used in all at the end of a stretch of one day and model.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Stretch {
    day: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    usage: Usage,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cost_usd: Option<f64>,
    /// Turns that began in it. Not a total: nothing else says how many a session had.
    #[serde(default)]
    turns: u64,
}

/// The stretch that a session is in.
#[derive(Debug)]
pub(crate) struct Under {
    key: String,
    day: String,
    model: Option<String>,
    turns: u64,
    /// The one that was counted last.
    turn: Option<String>,
}

impl Under {
    /// The stretch a report belongs to: the one before, if day and model are the same.
    pub(crate) fn of(
        mut before: Option<Self>,
        id: SessionId,
        event: &Event,
        (day, model): (&str, Option<&str>),
    ) -> Self {
        let turn = before.as_mut().and_then(|before| before.turn.take());
        let same = before.filter(|before| before.day == day && before.model.as_deref() == model);
        let stretch = same.unwrap_or_else(|| Self {
            // The stretches of a session are found together, in their order.
            key: format!("{id}/{:020}", event.seq),
            day: day.to_owned(),
            model: model.map(str::to_owned),
            turns: 0,
            turn: None,
        });
        // What a sub-agent used is reported for its own turns, which are parts of ours.
        let own = event.turn_id.as_ref().filter(|_| event.thread_id.is_none());
        let new = own.filter(|own| turn.as_ref() != Some(*own)).cloned();
        Self { turns: stretch.turns + u64::from(new.is_some()), turn: new.or(turn), ..stretch }
    }

    /// Its line of the index.
    pub(crate) fn line(&self, it: &UsageUpdated) -> (&str, Option<serde_json::Value>) {
        let (day, model) = (self.day.clone(), self.model.clone());
        let stretch = Stretch { day, model, usage: it.session, cost_usd: it.cost_usd, turns: self.turns };
        (&self.key, serde_json::to_value(stretch).ok())
    }
}

impl Stretch {
    fn sum(&self) -> Sum {
        Sum { turns: self.turns, ..Sum::of(self.usage, self.cost_usd) }
    }
}

impl Runtime {
    /// What all sessions used, those that were removed among them.
    pub async fn usage(&self, group: UsageGroup) -> Result<UsageReport, Error> {
        // First the stretches: what is used meanwhile is then in the sessions, and nowhere too much.
        let Stretches { mut own, mut left } = stretches(&self.house).await?;
        let mut sums = Sums { group, by_key: BTreeMap::new() };
        let mut cursor: Option<String> = None;
        loop {
            let page = self.house.store.list(table::SESSIONS, cursor.as_deref(), PAGE).await?;
            let Some(last) = page.last() else { break };
            cursor = Some(last.key.clone());
            for found in &page {
                let Ok(summary) = serde_json::from_slice::<Summary>(&found.value) else { continue };
                let id = found.session.as_str();
                sums.add_session(&summary, &own.remove(id).unwrap_or_default());
                left.remove(id);
            }
        }
        // One that went while we looked has left its own.
        own.retain(|id, _| !left.contains_key(id));
        for gone in left.values().chain(own.values()) {
            sums.add_stretches(REMOVED, gone);
        }
        Ok(sums.report())
    }
}

/// Stretches by session: of those that are there, and of those that were removed.
#[derive(Default)]
struct Stretches {
    own: HashMap<String, Vec<Stretch>>,
    left: HashMap<String, Vec<Stretch>>,
}

async fn stretches(house: &House) -> Result<Stretches, Error> {
    let mut stretches = Stretches::default();
    for found in lines(house, "").await? {
        let Ok(stretch) = serde_json::from_slice(&found.value) else { continue };
        let id = found.key.split('/').next().unwrap_or_default();
        let side = if is_log(&found.session) { &mut stretches.left } else { &mut stretches.own };
        side.entry(id.to_owned()).or_default().push(stretch);
    }
    Ok(stretches)
}

/// The lines whose keys begin so, in their order.
async fn lines(house: &House, prefix: &str) -> Result<Vec<Found>, Error> {
    let mut lines = Vec::new();
    let mut after = Some(prefix.to_owned()).filter(|prefix| !prefix.is_empty());
    loop {
        let page = house.store.list(table::USAGE, after.as_deref(), PAGE).await?;
        let Some(last) = page.last().filter(|last| last.key.starts_with(prefix)) else {
            lines.extend(page.into_iter().take_while(|found| found.key.starts_with(prefix)));
            return Ok(lines);
        };
        after = Some(last.key.clone());
        lines.extend(page);
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    usage: Usage,
    cost: Option<i64>,
    turns: u64,
}

impl Sum {
    fn add(&mut self, other: Self) {
        self.usage = self.usage.plus(other.usage);
        self.turns += other.turns;
        self.cost = match (self.cost, other.cost) {
            (None, None) => None,
            (one, two) => Some(one.unwrap_or(0).saturating_add(two.unwrap_or(0))),
        };
    }

    fn since(self, earlier: Self) -> Self {
        let cost = self.cost.map(|cost| cost.saturating_sub(earlier.cost.unwrap_or(0)));
        Self { usage: self.usage.since(earlier.usage), cost, turns: self.turns }
    }

    fn of(usage: Usage, cost_usd: Option<f64>) -> Self {
        Self { usage, cost: cost_usd.map(units), turns: 0 }
    }

    fn used(self) -> Used {
        Used { turns: self.turns, usage: self.usage, cost_usd: self.cost.map(dollars) }
    }
}

/// What a session used that is in no stretch: that was used last.
fn unstretched(summary: &Summary, stretched: Sum) -> Option<Sum> {
    let rest = Sum::of(summary.usage, summary.cost_usd).since(stretched);
    (rest.usage != Usage::default()).then_some(rest)
}

/// What was used, by what it is summed up by.
struct Sums {
    group: UsageGroup,
    by_key: BTreeMap<String, Sum>,
}

impl Sums {
    fn add_session(&mut self, summary: &Summary, stretches: &[Stretch]) {
        let session = summary.id.to_string();
        let stretched = self.add_stretches(&session, stretches);
        if let Some(rest) = unstretched(summary, stretched) {
            self.add(&session, (&day_of(summary.updated_at), summary.model.as_deref()), rest);
        }
    }

    /// Adds what was used in each; what it came to at the end of the last.
    fn add_stretches(&mut self, session: &str, stretches: &[Stretch]) -> Sum {
        let mut before = Sum::default();
        for stretch in stretches {
            let now = stretch.sum();
            self.add(session, (&stretch.day, stretch.model.as_deref()), now.since(before));
            before = now;
        }
        before
    }

    fn add(&mut self, session: &str, (day, model): (&str, Option<&str>), used: Sum) {
        let key = match self.group {
            UsageGroup::Day => day,
            UsageGroup::Model => model.unwrap_or(UNNAMED),
            UsageGroup::Session => session,
        };
        self.by_key.entry(key.to_owned()).or_default().add(used);
    }

    fn report(self) -> UsageReport {
        let mut total = Sum::default();
        self.by_key.values().for_each(|sum| total.add(*sum));
        let items = self.by_key.into_iter().map(|(key, sum)| UsageItem { key, used: sum.used() }).collect();
        UsageReport { group: self.group, items, total: total.used() }
    }
}

/// The day of a moment, in UTC.
pub(crate) fn day_of(at: selvedge_session::Timestamp) -> String {
    at.to_string().chars().take("2026-01-31".len()).collect()
}

#[expect(clippy::cast_possible_truncation, reason = "the cast saturates, at nine million dollars")]
fn units(dollars: f64) -> i64 {
    (dollars * PER_DOLLAR).round() as i64
}

#[expect(clippy::cast_precision_loss, reason = "exact below 2^53: nine thousand dollars")]
fn dollars(units: i64) -> f64 {
    units as f64 / PER_DOLLAR
}

#[cfg(test)]
mod tests;
