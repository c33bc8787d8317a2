//! What tokens cost.

use serde::{Deserialize, Serialize};

use crate::usage::Usage;

/// What a model's tokens cost, in US dollars for a million.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Price {
    /// Input that was neither in the cache nor written to it.
    pub input: f64,
    /// Input from the cache.
    pub cached_input: f64,
    /// Input written to the cache.
    pub cache_write_input: f64,
    /// Output, reasoning included.
    pub output: f64,
}

/// An amount of money in 10⁻¹² dollars: whole numbers, so that sums are the same in every order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Cost(u64);

const PER_DOLLAR: f64 = 1e12;

impl Price {
    /// What this costs.
    pub(crate) fn of(&self, used: Usage) -> Cost {
        let cached = used.cached_input.min(used.input);
        let written = used.cache_write_input.min(used.input - cached);
        let plain = used.input - cached - written;
        let parts = [
            (plain, self.input),
            (cached, self.cached_input),
            (written, self.cache_write_input),
            (used.output, self.output),
        ];
        // Dollars for a million tokens are 10⁶ of our units for one.
        let units: f64 = parts.iter().map(|(tokens, price)| float(*tokens) * price * 1e6).sum();
        Cost(whole(units))
    }
}

impl Cost {
    pub(crate) fn from_usd(usd: f64) -> Self {
        Self(whole(usd * PER_DOLLAR))
    }

    pub(crate) fn usd(self) -> f64 {
        float(self.0) / PER_DOLLAR
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    pub(crate) fn since(self, earlier: Self) -> Self {
        Self(self.0.saturating_sub(earlier.0))
    }
}

#[expect(clippy::cast_precision_loss, reason = "exact below 2^53: nine thousand dollars, 10^15 tokens")]
fn float(count: u64) -> f64 {
    count as f64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, and money is not negative"
)]
fn whole(units: f64) -> u64 {
    units.round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_token_is_paid_once() {
        let price = Price { input: 2.0, cached_input: 0.5, cache_write_input: 3.0, output: 10.0 };
        let used = Usage {
            input: 1_000_000,
            cached_input: 400_000,
            cache_write_input: 100_000,
            output: 50_000,
            reasoning_output: 20_000,
            total: 1_050_000,
        };
        let cost = price.of(used);
        assert_eq!(cost, Cost::from_usd(1.0 + 0.2 + 0.3 + 0.5));
        assert_eq!(Cost::from_usd(cost.usd()), cost, "it is read as it was written");
    }
}
