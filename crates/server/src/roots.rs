//! Where one may look: the allowed roots, or else the user's home and the places where sessions work.

use std::path::PathBuf;

use crate::{gateway::Gateway, problem::Problem};

/// The roots of a gateway, as they were named: those that were given, or else the user's home and where sessions work
/// that is not in it.
pub(crate) async fn named(gateway: &Gateway) -> Result<Vec<PathBuf>, Problem> {
    let given = &gateway.runtime().config().allow_roots;
    if !given.is_empty() {
        return Ok(given.clone());
    }
    let home = std::env::home_dir();
    let places = gateway.runtime().cwds().await?.into_iter().map(PathBuf::from);
    let outside = places.filter(|place| home.as_ref().is_none_or(|home| !place.starts_with(home)));
    let outside: Vec<_> = outside.collect();
    Ok(home.into_iter().chain(outside).collect())
}
