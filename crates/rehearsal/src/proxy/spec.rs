//! The faults of a proxy, as one word list: `seed=7,delay@item/*=5%:200,kill-child=#90`.

use std::{path::PathBuf, str::FromStr};

use super::{future::USUAL_PERCENT, rule::Rule};
use crate::faults::{BadFault, Word, words};

/// What the word list may hold.
const KNOWN: &str = "seed=N, spare=N, starts=FILE, pipe, future or future=PERCENT, and [to.]FAULT[@METHOD]=WHEN where FAULT is drop, duplicate, \
    corrupt, cut, garbage, delay (WHEN:MS), stall (WHEN:MS), kill or kill-child (WHEN or WHEN:half), METHOD may hold `*` \
    and is `answer:METHOD` for answers, and WHEN is `2.5%` of the frames or `#7`, the seventh";

/// What `pipe` stands for: what a pipe or a dying process does to anybody. No whole frame is lost, doubled or changed.
const PIPE: &str =
    "to.delay=1%:40,delay=1%:40,stall=0.2%:1200,kill-child=0.2%:half,kill-child=0.1%,kill=0.1%:half";

/// How the proxy misbehaves; not at all, by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProxyFaults {
    /// `seed=N`: the same seed decides the same for the same number of frames.
    pub seed: u64,
    /// `spare=N`: nothing happens to the first so many frames of each direction.
    pub spare: u64,
    /// `starts=FILE`: each start is counted in this file, and its number changes the seed: a program that is started
    /// again does not die at the same place for ever.
    pub starts: Option<PathBuf>,
    /// `future`, `future=PERCENT`: what is said looks like a later Codex's, so often.
    pub future: Option<u8>,
    /// Tried in order for each frame; the first that strikes happens.
    pub rules: Vec<Rule>,
}

impl FromStr for ProxyFaults {
    type Err = BadFault;

    fn from_str(spec: &str) -> Result<Self, BadFault> {
        let mut faults = Self::default();
        for word in words(spec) {
            faults.add(word).ok_or_else(|| word.unknown(KNOWN))?;
        }
        Ok(faults)
    }
}

impl ProxyFaults {
    fn add(&mut self, word: Word<'_>) -> Option<()> {
        match (word.name, word.value) {
            ("seed", Some(number)) => self.seed = number.parse().ok()?,
            ("spare", Some(number)) => self.spare = number.parse().ok()?,
            ("starts", Some(file)) if !file.is_empty() => self.starts = Some(file.into()),
            ("future", None) => self.future = Some(USUAL_PERCENT),
            ("future", Some(percent)) => self.future = Some(percent.trim_end_matches('%').parse().ok()?),
            ("pipe", None) => self.rules.extend(words(PIPE).filter_map(Rule::read)),
            _ => self.rules.push(Rule::read(word)?),
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::kind::{Direction, Fault, When, Whom};
    use super::*;

    #[test]
    fn a_word_list_is_read() {
        let spec =
            "seed=7, drop@turn/*=#2,to.delay=2.5%:30 , kill-child=0.1%:half,spare=4,starts=/x/y,future=3%";
        let faults: ProxyFaults = spec.parse().unwrap();
        let from = Direction::FromCodex;
        let rules = vec![
            Rule { direction: from, pattern: Some("turn/*".into()), fault: Fault::Drop, when: When::Nth(2) },
            Rule {
                direction: Direction::ToCodex,
                pattern: None,
                fault: Fault::Delay(Duration::from_millis(30)),
                when: When::Chance(25_000),
            },
            Rule {
                direction: from,
                pattern: None,
                fault: Fault::KillAfterHalf(Whom::Child),
                when: When::Chance(1_000),
            },
        ];
        assert_eq!(
            faults,
            ProxyFaults { seed: 7, spare: 4, starts: Some("/x/y".into()), future: Some(3), rules }
        );
    }

    #[test]
    fn an_unknown_word_is_named() {
        for word in
            ["drop", "drop=1", "drop=#0", "drop=101%", "delay=1%", "drop=1%:5", "kill=1%:all", "explode=1%"]
        {
            assert_eq!(word.parse::<ProxyFaults>().unwrap_err().word, word);
        }
    }

    #[test]
    fn what_a_pipe_does_loses_doubles_and_changes_nothing() {
        let faults: ProxyFaults = "pipe".parse().unwrap();
        assert_eq!(faults.rules.len(), PIPE.split(',').count());
        let harmless = |rule: &Rule| {
            !matches!(
                rule.fault,
                Fault::Drop | Fault::Duplicate | Fault::Corrupt | Fault::Cut | Fault::Garbage
            )
        };
        assert!(faults.rules.iter().all(harmless));
        let to = faults.rules.iter().filter(|rule| rule.direction == Direction::ToCodex);
        assert!(
            to.into_iter().all(|rule| matches!(rule.fault, Fault::Delay(_))),
            "only whole lines reach a child"
        );
    }
}
