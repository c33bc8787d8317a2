//! Whether a rule is for a text, and what its regular expression found there.

use std::sync::OnceLock;

use regex::{Captures, Regex};

use super::Rule;

/// A regular expression that is compiled once. One that cannot be compiled matches nothing; `Scenario::parse` refuses
/// it, so that only a rule made by hand comes so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Matcher(OnceLock<Option<Regex>>);

impl Matcher {
    fn get(&self, pattern: &str) -> Option<&Regex> {
        self.0.get_or_init(|| Regex::new(pattern).ok()).as_ref()
    }
}

impl Rule {
    /// Whether this rule is for the text: both conditions hold where both are given.
    pub fn matches(&self, text: &str) -> bool {
        let contains = self.contains.as_ref().is_none_or(|part| text.contains(part.as_str()));
        let found = self
            .regex
            .as_ref()
            .is_none_or(|pattern| self.matcher.get(pattern).is_some_and(|regex| regex.is_match(text)));
        contains && found
    }

    /// The template with `$1` and `${name}` replaced by what the regular expression found in the text. Without a
    /// regular expression the template stands as it is, dollar signs included.
    pub fn fill(&self, template: &str, text: &str) -> String {
        match self.captures(text) {
            Some(found) => {
                let mut filled = String::with_capacity(template.len());
                found.expand(template, &mut filled);
                filled
            }
            None => template.to_owned(),
        }
    }

    fn captures<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        self.matcher.get(self.regex.as_deref()?)?.captures(text)
    }
}
