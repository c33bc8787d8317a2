//! Secrets, by their values: cut out of everything that is written down or passed on.

use std::{
    borrow::Cow,
    fmt,
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// What stands where a secret stood.
const REDACTED: &str = "[redacted]";
/// A shorter value would be found in innocent text.
const SHORTEST_SECRET: usize = 6;

/// Values that are never written. Cheap to clone; a secret added to one clone is known to all.
#[derive(Clone, Default)]
pub struct Redactions {
    values: Arc<Mutex<Vec<String>>>,
}

// Without the values: what is debugged ends in logs.
impl fmt::Debug for Redactions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Redactions(…)")
    }
}

impl PartialEq for Redactions {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.values, &other.values) || *self.lock() == *other.lock()
    }
}

impl Redactions {
    /// Adds a secret, in both forms in which it can stand in JSON: as it is, and escaped.
    pub fn add(&self, secret: &str) {
        if secret.len() < SHORTEST_SECRET {
            return;
        }
        let mut values = self.lock();
        let quoted = serde_json::Value::from(secret).to_string();
        let escaped = quoted[1..quoted.len() - 1].to_owned();
        for form in [secret.to_owned(), escaped] {
            if !values.contains(&form) {
                values.push(form);
            }
        }
        // Longest first, so that a secret inside another does not leave the other's ends standing.
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
    }

    /// The text without secrets.
    #[must_use]
    pub fn apply<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let values = self.lock();
        let mut text = Cow::Borrowed(text);
        for value in values.iter() {
            if text.contains(value.as_str()) {
                text = Cow::Owned(text.replace(value.as_str(), REDACTED));
            }
        }
        text
    }

    /// The same and some more, of which this one learns nothing.
    #[must_use]
    pub fn with(&self, secrets: &[String]) -> Self {
        let more = Self { values: Arc::new(Mutex::new(self.lock().clone())) };
        secrets.iter().for_each(|secret| more.add(secret));
        more
    }

    /// A diff without secrets, also without those of several lines, each of which has a mark there.
    #[must_use]
    pub fn apply_to_diff<'a>(&self, diff: &'a str) -> Cow<'a, str> {
        let lines =
            self.lock().iter().filter(|value| value.trim_end().contains('\n')).cloned().collect::<Vec<_>>();
        let mut diff = self.apply(diff);
        for value in &lines {
            for mark in ["+", "-", " "] {
                let marked = value.trim_end().replace('\n', &format!("\n{mark}"));
                if diff.contains(&marked) {
                    diff = Cow::Owned(diff.replace(&marked, REDACTED));
                }
            }
        }
        diff
    }

    /// How long the longest secret is; nothing, if there is none.
    #[must_use]
    pub fn longest(&self) -> Option<usize> {
        self.lock().first().map(String::len)
    }

    /// How many bytes at the end of a text may be the beginning of a secret.
    #[must_use]
    pub fn begun(&self, text: &str) -> usize {
        self.lock().iter().map(|value| begun(value, text)).max().unwrap_or(0)
    }

    /// The text without secrets, where it goes on after another: also those of which a part stands there, and without so many bytes
    /// at its end.
    #[must_use]
    pub fn apply_after(&self, before: &str, text: &str, hidden_end: usize) -> String {
        let joined = [before, text].concat();
        let mut cuts: Vec<Range<usize>> = Vec::new();
        for value in self.lock().iter() {
            cuts.extend(joined.match_indices(value.as_str()).map(|(at, found)| at..at + found.len()));
        }
        cuts.push(joined.len() - hidden_end.min(text.len())..joined.len());
        cuts.sort_by_key(|cut| cut.start);
        without(&joined, before.len(), &cuts)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<String>> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The longest end of a text that is a beginning of the value, and not all of it.
fn begun(value: &str, text: &str) -> usize {
    let Some(first) = value.chars().next() else { return 0 };
    let from = text.ceil_char_boundary(text.len().saturating_sub(value.len() - 1));
    let end = &text[from..];
    let begins = |at: usize| value.starts_with(&end[at..]);
    end.match_indices(first).find(|(at, _)| begins(*at)).map_or(0, |(at, _)| end.len() - at)
}

/// What stands from a place on, with the cuts replaced; they come in the order of their beginnings.
fn without(text: &str, from: usize, cuts: &[Range<usize>]) -> String {
    let (mut shown, mut at) = (String::with_capacity(text.len() - from), from);
    for cut in cuts.iter().filter(|cut| !cut.is_empty()) {
        if cut.end <= at {
            continue;
        }
        if cut.start >= at {
            shown.push_str(&text[at..cut.start]);
        }
        // What is cut twice, or began before, is named once.
        if cut.start >= at || at == from {
            shown.push_str(REDACTED);
        }
        at = cut.end;
    }
    shown.push_str(&text[at..]);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hiding(secrets: &[&str]) -> Redactions {
        let redactions = Redactions::default();
        secrets.iter().for_each(|secret| redactions.add(secret));
        redactions
    }

    #[test]
    fn what_may_be_a_beginning_is_told() {
        let redactions = hiding(&["sk-secret", "kettle"]);
        let cases = [
            ("", 0),
            ("nothing", 0),
            ("it is s", 1),
            ("it is sk", 2),
            ("it is sk-", 3),
            ("it is sk-secre", 8),
            ("it is sk-secret", 0),
            ("it is sk-secrets", 1),
            ("a kettl", 5),
            ("ä", 0),
        ];
        for (text, expected) in cases {
            assert_eq!(redactions.begun(text), expected, "{text}");
        }
        assert_eq!(redactions.longest(), Some(9));
        assert_eq!((hiding(&[]).longest(), hiding(&[]).begun("sk-")), (None, 0));
    }

    #[test]
    fn what_came_before_is_remembered_and_not_repeated() {
        let redactions = hiding(&["sk-secret", "secret-sauce"]);
        let cases = [
            ("", "sk-secret!", 0, "[redacted]!"),
            ("it is sk-", "secret!", 0, "[redacted]!"),
            ("it is sk-sec", "ret", 0, "[redacted]"),
            ("it is sk-", "secret-sauce!", 0, "[redacted]!"),
            ("it is ", "sk-se", 5, "[redacted]"),
            ("it is ", "so sk-se", 5, "so [redacted]"),
            ("sk-secret", " and no more", 0, " and no more"),
            ("", "sk-secretsk-secret", 0, "[redacted][redacted]"),
            ("", "plain", 0, "plain"),
            ("ä", "ö", 0, "ö"),
        ];
        for (before, text, hidden, expected) in cases {
            assert_eq!(redactions.apply_after(before, text, hidden), expected, "{before} + {text}");
        }
    }

    #[test]
    fn a_secret_of_several_lines_is_cut_out_of_a_diff() {
        let redactions = hiding(&["-----KEY\nabcdef\n-----END\n", "kettle"]);
        let diff = "+a=kettle\n+-----KEY\n+abcdef\n+-----END\n+b\n";
        assert_eq!(redactions.apply_to_diff(diff), "+a=[redacted]\n+[redacted]\n+b\n");
        assert_eq!(redactions.apply_to_diff("-x-----KEY\n-abcdef\n------END"), "-x[redacted]");
        assert_eq!(redactions.apply_to_diff("+abcdef\n"), "+abcdef\n", "a part of it is not it");
    }

    #[test]
    fn more_is_known_to_the_copy_alone() {
        let redactions = hiding(&["kettle"]);
        let more = redactions.with(&["kettle-of-fish".to_owned()]);
        assert_eq!(more.apply("a kettle-of-fish, a kettle"), "a [redacted], a [redacted]");
        assert_eq!(redactions.apply("a kettle-of-fish"), "a [redacted]-of-fish");
    }

    #[test]
    fn wherever_it_is_cut_nothing_of_it_is_seen() {
        let redactions = hiding(&["hunter2-very-secret"]);
        let text = "so hunter2-very-secret, and hunter2-very-secret again";
        for cut in 0..=text.len() {
            let (one, other) = text.split_at(cut);
            let begun = redactions.begun(one);
            let shown = redactions.apply_after("", one, begun) + &redactions.apply_after(one, other, 0);
            assert!(!shown.contains("unt") && !shown.contains("ecre"), "{cut}: {shown}");
        }
    }
}
