//! Prices as a person writes them down: what is said of input holds for all of it, unless more is said.

use std::collections::BTreeMap;

use selvedge_session::Price;
use serde::{Deserialize, Deserializer, de::Error as _};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    input: f64,
    cached_input: Option<f64>,
    cache_write_input: Option<f64>,
    output: f64,
}

/// Prices by model.
pub(super) fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, Price>, D::Error> {
    let listed = BTreeMap::<String, Listed>::deserialize(deserializer)?;
    let price = |(model, listed): (String, Listed)| match listed.price() {
        Some(price) => Ok((model, price)),
        None => Err(D::Error::custom(format!("`{model}` has a price that is no amount of dollars"))),
    };
    listed.into_iter().map(price).collect()
}

impl Listed {
    /// Whoever names no price of the cache pays as much for it: a limit in money must not be missed by what was not said.
    fn price(&self) -> Option<Price> {
        let price = Price {
            input: self.input,
            cached_input: self.cached_input.unwrap_or(self.input),
            cache_write_input: self.cache_write_input.unwrap_or(self.input),
            output: self.output,
        };
        let parts = [price.input, price.cached_input, price.cache_write_input, price.output];
        parts.iter().all(|dollars| dollars.is_finite() && *dollars >= 0.0).then_some(price)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_not_said_of_the_cache_costs_as_much_as_other_input() {
        let read = read(
            json!({"a": {"input": 2.0, "output": 8.0}, "b": {"input": 2.0, "cached_input": 0.5, "output": 8}}),
        );
        let prices = read.unwrap();
        let price = Price { input: 2.0, cached_input: 2.0, cache_write_input: 2.0, output: 8.0 };
        assert_eq!(prices["a"], price);
        assert_eq!(prices["b"], Price { cached_input: 0.5, ..price });
    }

    #[test]
    fn what_is_no_price_is_refused_by_its_model() {
        let error = read(json!({"a": {"input": -1.0, "output": 1.0}})).unwrap_err().to_string();
        assert!(error.contains("`a`"), "{error}");
        let error =
            read(json!({"a": {"input": 1.0, "output": 1.0, "cashed_input": 1.0}})).unwrap_err().to_string();
        assert!(error.contains("cashed_input"), "{error}");
    }
}
