//! What an entry of the log says, by its fields.

use std::fmt;

use opentelemetry::Value;
use tracing::field::{Field, Visit};

/// Fields and their values.
#[derive(Debug, Default)]
pub(super) struct Said(Vec<(&'static str, Value)>);

impl Said {
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.get(name).map(|value| value.as_str().into_owned())
    }

    pub(super) fn number(&self, name: &str) -> Option<u64> {
        match self.get(name)? {
            Value::I64(number) => u64::try_from(*number).ok(),
            _ => None,
        }
    }

    fn put(&mut self, field: &Field, value: impl Into<Value>) {
        self.0.push((field.name(), value.into()));
    }
}

impl Visit for Said {
    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, i64::try_from(value).unwrap_or(i64::MAX));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.put(field, format!("{value:?}"));
    }
}
