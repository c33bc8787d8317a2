//! Faults of the whole process, as one word list: `crash-after=20,ignore-eof`.

use std::{str::FromStr, time::Duration};

use crate::faults::{BadFault, Word, words};

/// How the simulated app-server misbehaves; nothing, by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults {
    /// `crash-after=N`: the process ends, without a word, after this many lines.
    pub crash_after: Option<u64>,
    /// `garbage-every=N`: a line that is not JSON after every so many lines.
    pub garbage_every: Option<u64>,
    /// `half-line-after=N`: after this many lines half a line, then silence.
    pub half_line_after: Option<u64>,
    /// `ignore-interrupt`: `turn/interrupt` is neither answered nor obeyed.
    pub ignore_interrupt: bool,
    /// `ignore-eof`: the process stays when stdin ends.
    pub ignore_eof: bool,
    /// `ignore-sigterm`: the process stays when asked to end.
    pub ignore_sigterm: bool,
    /// `no-turn-completed`: turns end without `turn/completed`.
    pub no_turn_completed: bool,
    /// `slow-initialize=MS`: `initialize` is answered this late.
    pub slow_initialize: Option<Duration>,
    /// `slow-turn-start=MS`: so long between the answer to `turn/start` and `turn/started`.
    pub slow_turn_start: Option<Duration>,
    /// `silent`: nothing is ever answered.
    pub silent: bool,
    /// `stderr-flood=BYTES`: so much is written to stderr before anything else.
    pub stderr_flood: Option<u64>,
    /// `overload-first=N`: the first requests after `initialize` are answered with -32001.
    pub overload_first: u64,
}

/// What the word list may hold.
const KNOWN: &str = "crash-after=N, garbage-every=N, half-line-after=N, ignore-interrupt, ignore-eof, ignore-sigterm, \
    no-turn-completed, slow-initialize=MS, slow-turn-start=MS, silent, stderr-flood=BYTES, overload-first=N";

impl FromStr for Faults {
    type Err = BadFault;

    fn from_str(spec: &str) -> Result<Self, BadFault> {
        let mut faults = Self::default();
        for word in words(spec) {
            faults.add(word).ok_or_else(|| word.unknown(KNOWN))?;
        }
        Ok(faults)
    }
}

impl Faults {
    fn add(&mut self, word: Word<'_>) -> Option<()> {
        match word.value {
            None => self.switch_on(word.name),
            Some(number) => self.set(word.name, number.parse().ok()?),
        }
    }

    fn switch_on(&mut self, name: &str) -> Option<()> {
        let switch = match name {
            "ignore-interrupt" => &mut self.ignore_interrupt,
            "ignore-eof" => &mut self.ignore_eof,
            "ignore-sigterm" => &mut self.ignore_sigterm,
            "no-turn-completed" => &mut self.no_turn_completed,
            "silent" => &mut self.silent,
            _ => return None,
        };
        *switch = true;
        Some(())
    }

    fn set(&mut self, name: &str, number: u64) -> Option<()> {
        match name {
            "crash-after" => self.crash_after = Some(number),
            // Every zeroth line would be every line's every line.
            "garbage-every" if number > 0 => self.garbage_every = Some(number),
            "half-line-after" => self.half_line_after = Some(number),
            "slow-initialize" => self.slow_initialize = Some(Duration::from_millis(number)),
            "slow-turn-start" => self.slow_turn_start = Some(Duration::from_millis(number)),
            "stderr-flood" => self.stderr_flood = Some(number),
            "overload-first" => self.overload_first = number,
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_list_is_read() {
        let faults: Faults = "crash-after=3, ignore-eof,slow-initialize=20".parse().unwrap();
        let wanted = Faults {
            crash_after: Some(3),
            ignore_eof: true,
            slow_initialize: Some(Duration::from_millis(20)),
            ..Faults::default()
        };
        assert_eq!(faults, wanted);
        assert_eq!("".parse(), Ok(Faults::default()));
    }

    #[test]
    fn an_unknown_word_is_named() {
        for word in ["crash", "crash-after", "crash-after=x", "garbage-every=0", "silent=1"] {
            let error = word.parse::<Faults>().unwrap_err();
            assert_eq!(error.word, word);
        }
    }
}
