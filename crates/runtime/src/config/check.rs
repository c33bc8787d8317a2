//! Numbers with which nothing would ever work, and words that Codex would take for something else: refused at the start, by their names.

use selvedge_session::Code;

use super::{Config, Limits, Restarts};
use crate::error::Error;

impl Config {
    /// Refuses what no runtime can work with.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let Limits { initialize, thread, turn_start, control, other } = self.limits;
        let at_least_one = [
            ("limits.initialize", initialize),
            ("limits.thread", thread),
            ("limits.turn_start", turn_start),
            ("limits.control", control),
            ("limits.other", other),
            ("threads_per_process", self.threads_per_process as u64),
            ("max_sessions", self.max_sessions),
            ("max_queued_messages", self.max_queued_messages as u64),
        ];
        if let Some((name, _)) = at_least_one.into_iter().find(|(_, number)| *number == 0) {
            return Err(wrong(format!("`{name}` is 0"), "give at least 1, or leave it out"));
        }
        let Restarts { first_delay_seconds, longest_delay_seconds, .. } = self.restarts;
        let waits = [
            ("restarts.first_delay_seconds", first_delay_seconds),
            ("restarts.longest_delay_seconds", longest_delay_seconds),
        ];
        let is_wait = |seconds: f64| (0.0..=MOST_SECONDS).contains(&seconds);
        if let Some((name, seconds)) = waits.into_iter().find(|(_, seconds)| !is_wait(*seconds)) {
            let hint = "give seconds from 0 on, at most a day, or leave it out";
            return Err(wrong(format!("`{name}` is {seconds}"), hint));
        }
        let is_pair = |said: &&String| said.split_once('=').is_some_and(|(key, _)| !key.trim().is_empty());
        if let Some(place) = self.codex_config.iter().position(|said| !is_pair(&said)) {
            // What was said may be a key, so it is not repeated.
            let what = format!("word {} of `codex_config` is not KEY=VALUE", place + 1);
            return Err(wrong(what, "for example --codex-config model_reasoning_effort=low"));
        }
        Ok(())
    }
}

/// A day.
const MOST_SECONDS: f64 = 86_400.0;

fn wrong(what: String, hint: &str) -> Error {
    Error::coded(Code::InvalidArgument, what).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(change: impl FnOnce(&mut Config)) -> Option<String> {
        let mut config = Config::new("/data");
        change(&mut config);
        config.check().err().map(|error| error.message)
    }

    #[test]
    fn the_defaults_are_taken() {
        assert_eq!(refused(|_| ()), None);
        assert_eq!(refused(|config| config.codex_config = vec!["a.b=\"c=d\"".into(), "e=".into()]), None);
    }

    #[test]
    fn a_number_with_which_nothing_works_is_named() {
        for (change, name) in [
            ((|config| config.limits.control = 0) as fn(&mut Config), "limits.control"),
            (|config| config.threads_per_process = 0, "threads_per_process"),
            (|config| config.max_queued_messages = 0, "max_queued_messages"),
            (|config| config.restarts.first_delay_seconds = -1.0, "restarts.first_delay_seconds"),
            (|config| config.restarts.longest_delay_seconds = f64::NAN, "restarts.longest_delay_seconds"),
        ] {
            assert!(refused(change).is_some_and(|message| message.contains(name)), "{name}");
        }
    }

    #[test]
    fn a_word_for_codex_is_a_key_and_a_value_and_is_not_repeated() {
        for said in ["sk-secret", "=sk-secret", ""] {
            let message = refused(|config| config.codex_config = vec!["a=b".into(), said.into()]).unwrap();
            assert!(message.contains("word 2") && !message.contains("sk-"), "{message}");
        }
    }
}
