//! Moments, as milliseconds. The machine has no clock: each comes with its input.

use std::{fmt, ops::Add, time::Duration};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// A moment: milliseconds since 1970, UTC; written as RFC 3339.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(
    feature = "schema",
    derive(utoipa::ToSchema),
    schema(value_type = String, format = DateTime, description = "A moment in UTC, to the millisecond.")
)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// How long after `earlier` this is; nothing if it is before.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

impl Add<Duration> for Timestamp {
    type Output = Self;

    fn add(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moment = jiff::Timestamp::from_millisecond(self.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        write!(f, "{moment:.3}")
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let moment: jiff::Timestamp = text.parse().map_err(D::Error::custom)?;
        Ok(Self(moment.as_millisecond()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_with_milliseconds_and_read_back() {
        let moment = Timestamp(1_794_723_543_070);
        let text = serde_json::to_string(&moment).unwrap();
        assert_eq!(text, r#""2026-11-15T06:19:03.070Z""#);
        assert_eq!(serde_json::from_str::<Timestamp>(&text).unwrap(), moment);
    }
}
