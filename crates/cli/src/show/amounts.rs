//! Durations, token counts and money, as short as a person reads them.

use std::time::Duration;

/// `0.3s`, `12s`, `3m 05s`, `2h 10m`.
pub(crate) fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..10 => format!("{:.1}s", time.as_secs_f64()),
        10..60 => format!("{seconds}s"),
        60..3600 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h {:02}m", seconds / 3600, seconds / 60 % 60),
    }
}

/// `0s`, `12s`, `3m 05s`: for what is drawn again and again.
pub(crate) fn elapsed(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..10 => format!("{seconds}s"),
        _ => duration(time),
    }
}

/// `950`, `4.2k`, `1.3M`.
pub(crate) fn count(number: u64) -> String {
    let tenths = |unit: u64| format!("{}.{}", number / unit, number % unit / (unit / 10));
    match number {
        0..1_000 => number.to_string(),
        1_000..1_000_000 => format!("{}k", tenths(1_000)),
        _ => format!("{}M", tenths(1_000_000)),
    }
}

/// `$0.0042`, `$1.30`: two digits that say something.
pub(crate) fn money(usd: f64) -> String {
    if usd > 0.0 && usd < 0.1 { format!("${usd:.4}") } else { format!("${usd:.2}") }
}

/// `12 KiB`, `3.4 MiB`.
pub(crate) fn bytes(number: u64) -> String {
    match number {
        0..1_024 => format!("{number} B"),
        1_024..1_048_576 => format!("{} KiB", number / 1_024),
        _ => format!("{}.{} MiB", number / 1_048_576, number % 1_048_576 * 10 / 1_048_576),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_short() {
        let spans = [(340, "0.3s"), (12_400, "12s"), (185_000, "3m 05s"), (7_800_000, "2h 10m")];
        for (milliseconds, shown) in spans {
            assert_eq!(duration(Duration::from_millis(milliseconds)), shown);
        }
        for (number, shown) in [(950, "950"), (4_250, "4.2k"), (1_310_000, "1.3M")] {
            assert_eq!(count(number), shown);
        }
        assert_eq!(
            (money(0.0042), money(1.3), money(0.0)),
            ("$0.0042".into(), "$1.30".into(), "$0.00".into())
        );
        assert_eq!(
            (bytes(12), bytes(12_345), bytes(3_565_159)),
            ("12 B".into(), "12 KiB".into(), "3.4 MiB".into())
        );
    }
}
