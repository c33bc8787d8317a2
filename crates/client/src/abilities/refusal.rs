//! What a refusal says beside no.

/// The names that would have been right: ``unknown variant `x`, expected one of `a`, `b` ``, or ``expected `a` or `b` ``.
pub(super) fn expected(message: &str) -> Option<Vec<String>> {
    let (_, rest) = message.split_once("unknown variant `")?;
    let (_, rest) = rest.split_once("`, expected ")?;
    let names = rest.split('`').skip(1).step_by(2).map(str::to_owned);
    Some(names.collect()).filter(|names: &Vec<String>| !names.is_empty())
}

/// Whether it is about what every question has wrong at its end: then everything before was passed over, or right.
pub(super) fn is_about_the_end(message: &str) -> bool {
    message.contains("invalid type: boolean")
}
