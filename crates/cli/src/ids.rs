//! Ids as people see and type them: their last eight characters, or any ending that only one has.

use std::fmt::Display;

use selvedge_session::Code;

use crate::failure::Failure;

const SHOWN: usize = 8;

/// The ending that is shown.
pub(crate) fn short(id: &impl Display) -> String {
    let id = id.to_string();
    id[id.len().saturating_sub(SHOWN)..].to_owned()
}

/// The one thing whose id ends like this.
pub(crate) fn ending_with<'a, T, D: Display>(
    things: &'a [T],
    id: impl Fn(&T) -> D,
    ending: &str,
) -> Result<&'a T, Failure> {
    let ending = ending.to_lowercase();
    let mut matching = things.iter().filter(|thing| id(thing).to_string().ends_with(&ending));
    match (matching.next(), matching.next()) {
        (Some(one), None) => Ok(one),
        (Some(_), Some(_)) => Err(Code::AmbiguousId.into()),
        (None, _) => Err(Failure::bad_input(
            format!("nothing that waits has an id that ends with {ending:?}"),
            "it may have been answered, or have ended; the list shows what is there",
        )),
    }
}
