//! A page of metrics while it is written: names, helps and numbers that were counted elsewhere.

use std::{fmt, sync::atomic::AtomicU64};

use prometheus_client::{
    encoding::{EncodeMetric, MetricEncoder, text::encode},
    metrics::{MetricType, counter::Counter, family::Family, gauge::Gauge},
    registry::{Metric, Registry},
};
use selvedge_runtime::{Error, Times};
use selvedge_session::Code;

/// What is being written.
pub(super) struct Page(Registry);

type Labels = Vec<(&'static str, &'static str)>;

impl Page {
    pub(super) fn new() -> Self {
        Self(Registry::with_prefix("selvedge"))
    }

    /// As Prometheus reads it.
    pub(super) fn text(&self) -> Result<String, Error> {
        let mut text = String::new();
        encode(&mut text, &self.0).map_err(|error| Error::coded(Code::Internal, error.to_string()))?;
        Ok(text)
    }

    pub(super) fn gauge(&mut self, name: &str, help: &str, value: u64) {
        let gauge = Gauge::<i64>::default();
        gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
        self.add(name, help, gauge);
    }

    /// A gauge of parts of a whole.
    pub(super) fn amount(&mut self, name: &str, help: &str, value: f64) {
        let gauge = Gauge::<f64, AtomicU64>::default();
        gauge.set(value);
        self.add(name, help, gauge);
    }

    pub(super) fn counter(&mut self, name: &str, help: &str, value: u64) {
        let counter = Counter::<u64>::default();
        counter.inc_by(value);
        self.add(name, help, counter);
    }

    /// A sum of parts of a whole.
    pub(super) fn sum(&mut self, name: &str, help: &str, value: f64) {
        let counter = Counter::<f64, AtomicU64>::default();
        counter.inc_by(value);
        self.add(name, help, counter);
    }

    pub(super) fn counters(
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

    pub(super) fn gauges(
        &mut self,
        name: &str,
        help: &str,
        (label, values): (&'static str, impl IntoIterator<Item = (&'static str, u64)>),
    ) {
        let family = Family::<Labels, Gauge>::default();
        for (word, value) in values {
            let value = i64::try_from(value).unwrap_or(i64::MAX);
            family.get_or_create(&vec![(label, word)]).set(value);
        }
        self.add(name, help, family);
    }

    pub(super) fn histogram(&mut self, name: &str, help: &str, times: Times) {
        self.add(name, help, Histogram(times));
    }

    fn add(&mut self, name: &str, help: &str, metric: impl Metric) {
        self.0.register(name, help, metric);
    }
}

/// Times that were counted elsewhere; the library's own histogram only counts itself.
#[derive(Debug)]
struct Histogram(Times);

impl EncodeMetric for Histogram {
    fn encode(&self, mut encoder: MetricEncoder<'_>) -> Result<(), fmt::Error> {
        let Self(times) = self;
        let mut parts: Vec<(f64, u64)> =
            times.parts().map(|(bound, count)| (bound.as_secs_f64(), count)).collect();
        let within: u64 = parts.iter().map(|(_, count)| count).sum();
        parts.push((f64::INFINITY, times.count() - within));
        encoder.encode_histogram::<Labels>(times.sum().as_secs_f64(), times.count(), &parts, None)
    }

    fn metric_type(&self) -> MetricType {
        MetricType::Histogram
    }
}
