//! The numbers in the deltas that a reader is shown: how many there are, and what each says.

use serde::Deserialize;

/// Digits at the beginning of each delta of the simulated app-server's floods.
const DIGITS: usize = 18;

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(rename = "type")]
    name: &'a str,
    #[serde(borrow)]
    data: &'a serde_json::value::RawValue,
}

#[derive(Deserialize)]
struct Delta<'a> {
    delta: &'a str,
}

/// Calls with the number of each delta that was joined into this event.
pub(crate) fn numbers(event: &[u8], each: impl FnMut(u64)) -> Result<(), serde_json::Error> {
    let event: Event<'_> = serde_json::from_slice(event)?;
    if event.name != "item.delta" {
        return Ok(());
    }
    let Delta { delta } = serde_json::from_str(event.data.get())?;
    numbers_in(delta, each);
    Ok(())
}

/// The same with the words of deltas.
pub(crate) fn numbers_in(mut text: &str, mut each: impl FnMut(u64)) {
    while let Some((digits, rest)) = text.split_at_checked(DIGITS) {
        match digits.parse() {
            Ok(number) => each(number),
            // Words of another message.
            Err(_) => return,
        }
        text = rest.trim_start_matches('.');
    }
}

/// Now, on the clock of those numbers.
pub(crate) fn now() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    u64::try_from(now.tv_sec * 1_000_000_000 + now.tv_nsec).unwrap_or(0)
}
