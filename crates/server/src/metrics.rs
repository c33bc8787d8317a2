//! What a gateway counts, and what Prometheus reads of it and of the runtime.

mod memory;
mod standing;

use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::StatusCode;
use prometheus_client::{
    encoding::text::encode,
    metrics::{counter::Counter, family::Family, gauge::Gauge},
    registry::{Metric, Registry},
};
use selvedge_runtime::{Error, Tally};
use selvedge_session::Code;

use crate::gateway::Gateway;
use standing::Standing;

/// Answers by the first digit of their status.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    answers: [AtomicU64; 6],
}

impl Metrics {
    /// One more answer.
    pub(crate) fn answered(&self, status: StatusCode) {
        let class = usize::from(status.as_u16() / 100);
        if let Some(counter) = self.answers.get(class) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Everything, as Prometheus reads it.
pub(crate) async fn text(gateway: &Gateway) -> Result<String, Error> {
    let mut page = Page(Registry::with_prefix("selvedge"));
    let standing = Standing::look(gateway.runtime()).await?;
    standing.write(&mut page);
    tallied(&mut page, &gateway.runtime().tally());
    answers(&mut page, gateway.metrics());
    if let Some(bytes) = memory::resident() {
        page.gauge("resident_memory_bytes", "Memory of the gateway's own process", bytes);
    }
    let mut text = String::new();
    encode(&mut text, &page.0).map_err(|error| Error::coded(Code::Internal, error.to_string()))?;
    Ok(text)
}

fn tallied(page: &mut Page, tally: &Tally) {
    let ends = tally.messages;
    let ends = [
        ("completed", ends.completed),
        ("failed", ends.failed),
        ("interrupted", ends.interrupted),
        ("lost", ends.lost),
    ];
    page.counters("messages_finished", "Messages by their end", ("status", ends));
    let usage = tally.usage;
    let tokens = [
        ("input", usage.input),
        ("cached_input", usage.cached_input),
        ("output", usage.output),
        ("reasoning_output", usage.reasoning_output),
    ];
    page.counters("tokens", "Tokens of finished messages", ("kind", tokens));
    page.counter("turns", "Turns that ended", tally.turns);
    page.counter("events", "Events that became durable", tally.events);
    page.counter("commits", "Appends to the journal", tally.commits);
    page.counter("app_server_exits", "App-servers that ended under a session", tally.exits);
    page.counter("app_server_restarts", "App-servers that took the place of such a one", tally.restarts);
    page.sum("cost_usd", "US dollars of finished messages, where the price is known", tally.cost_usd);
    let seconds = tally.commit_time.as_secs_f64();
    page.sum("commit_seconds", "Time that appends to the journal took", seconds);
}

fn answers(page: &mut Page, metrics: &Metrics) {
    const CLASSES: [&str; 6] = ["", "1xx", "2xx", "3xx", "4xx", "5xx"];
    let counted = metrics.answers.iter().map(|counter| counter.load(Ordering::Relaxed));
    let answers = CLASSES.into_iter().zip(counted).skip(1);
    page.counters("http_answers", "Answers by the class of their status", ("class", answers));
}

/// What is being written.
struct Page(Registry);

type Labels = Vec<(&'static str, &'static str)>;

impl Page {
    fn gauge(&mut self, name: &str, help: &str, value: u64) {
        let gauge = Gauge::<i64>::default();
        gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
        self.add(name, help, gauge);
    }

    fn counter(&mut self, name: &str, help: &str, value: u64) {
        let counter = Counter::<u64>::default();
        counter.inc_by(value);
        self.add(name, help, counter);
    }

    /// A sum of parts of a whole.
    fn sum(&mut self, name: &str, help: &str, value: f64) {
        let counter = Counter::<f64, AtomicU64>::default();
        counter.inc_by(value);
        self.add(name, help, counter);
    }

    fn counters(
        &mut self,
        name: &str,
        help: &str,
        (label, values): (&'static str, impl IntoIterator<Item = (&'static str, u64)>),
    ) {
        let family = Family::<Labels, Counter>::default();
        for (word, value) in values {
            family.get_or_create(&vec![(label, word)]).inc_by(value);
        }
        self.add(name, help, family);
    }

    fn gauges(&mut self, name: &str, help: &str, values: impl IntoIterator<Item = (&'static str, i64)>) {
        let family = Family::<Labels, Gauge>::default();
        for (word, value) in values {
            family.get_or_create(&vec![("state", word)]).set(value);
        }
        self.add(name, help, family);
    }

    fn add(&mut self, name: &str, help: &str, metric: impl Metric) {
        self.0.register(name, help, metric);
    }
}
