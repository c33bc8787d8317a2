//! Which differences concern us: what the program reads or says, and what Codex would ask in vain.

use serde::Serialize;

use super::difference::{Difference, Form, Subject};
use super::surface::{Kind, Surface};
use super::usage::{Places, Usage, words_of};

/// How near a difference is to us.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Nearness {
    /// The program reads or says it.
    Ours,
    /// The generated types cover it, the program does not use it.
    Covered,
    /// Neither.
    Far,
}

/// A difference, and what it is to us.
#[derive(Debug)]
pub(super) struct Weighed {
    pub(super) difference: Difference,
    pub(super) nearness: Nearness,
    /// Why it is ours.
    pub(super) why: &'static str,
    /// Where it is used.
    pub(super) places: Places,
}

/// Both Codexes, and what the program does with each.
pub(super) struct Scales<'s> {
    pub(super) before: &'s Surface,
    pub(super) was: Usage<'s>,
    pub(super) is: Usage<'s>,
}

/// Why something is ours, and where.
type Ours = Option<(&'static str, Places)>;

impl Scales<'_> {
    /// What a difference is to us.
    pub(super) fn weigh(&self, difference: Difference) -> Weighed {
        let ours = match &difference.subject {
            Subject::Method(kind, name) => self.method(&difference, *kind, name),
            Subject::Form(name) => self.form(name),
            Subject::Field(owner, name) => self.field(&difference, owner, name),
            Subject::Value(owner, name) => self.value(&difference, owner, name),
        };
        let (nearness, (why, places)) = match ours {
            Some(ours) => (Nearness::Ours, ours),
            None if self.is_covered(&difference.subject) => (Nearness::Covered, ("", Places::new())),
            None => (Nearness::Far, ("", Places::new())),
        };
        Weighed { difference, nearness, why, places }
    }

    /// What is new can be left alone, but for a request: Codex waits for its answer.
    fn method(&self, difference: &Difference, kind: Kind, name: &str) -> Ours {
        if difference.was.is_none() {
            let places = self.is.method(kind, name);
            let why = if places.is_empty() { "Codex asks it, and would be refused" } else { "Codex asks it" };
            return (kind == Kind::Ask).then_some((why, places));
        }
        let why = match kind {
            Kind::Request => "we ask it",
            Kind::Notification => "we listen to it",
            Kind::Ask => "we answer it",
        };
        used(why, self.was.method(kind, name))
    }

    fn field(&self, difference: &Difference, owner: &str, name: &str) -> Ours {
        let places = self.was.field(owner, name);
        let only_said = self.was.is_only_said(owner);
        let why = match (only_said, self.was.said.contains(owner) && self.was.made.contains(owner)) {
            (true, _) => "we say it",
            (_, true) => "we read or say it",
            _ => "we read it",
        };
        match (&difference.was, &difference.is) {
            (None, Some(now)) => self.is_missing(owner, name, now),
            (Some(was), Some(now)) if was.text == now.text && now.required => {
                // More certain than before: only whoever has to say it can be surprised.
                self.is_missing(owner, name, now)
            }
            (Some(was), Some(now)) if was.text == now.text && only_said => None,
            _ => used(why, places),
        }
    }

    /// Whether Codex wants a field that what we make does not have.
    fn is_missing(&self, owner: &str, name: &str, now: &Form) -> Ours {
        let made = self.is.said.contains(owner) && self.is.made.contains(owner);
        let wanted = now.required && made && self.was.field(owner, name).is_empty();
        wanted.then(|| ("required, and we do not say it", self.is.type_named(owner)))
    }

    /// A new value concerns whoever tells the old ones apart; one that went, whoever knew it.
    fn value(&self, difference: &Difference, owner: &str, name: &str) -> Ours {
        if difference.was.is_some() {
            return used("we know it", self.was.value(owner, name));
        }
        if !self.is.seen.contains(owner) {
            return None;
        }
        let mut places: Places = words_of(&self.before.types, owner)
            .into_iter()
            .flat_map(|known| self.was.value(owner, known))
            .collect();
        places.sort();
        places.dedup();
        used("we tell its values apart", places)
    }

    fn form(&self, name: &str) -> Ours {
        let mut places = self.was.type_named(name);
        places.extend(
            words_of(&self.before.types, name).into_iter().flat_map(|known| self.was.value(name, known)),
        );
        places.sort();
        places.dedup();
        used("we use it", places)
    }

    fn is_covered(&self, subject: &Subject) -> bool {
        let generated = |name: &String| self.was.generated.contains(name) || self.is.generated.contains(name);
        match subject {
            Subject::Method(kind, name) => {
                let method = self.before.methods.iter().find(|it| it.kind == *kind && it.name == *name);
                method.is_some_and(|method| method.generated)
            }
            Subject::Form(owner) | Subject::Field(owner, _) | Subject::Value(owner, _) => generated(owner),
        }
    }
}

fn used(why: &'static str, places: Places) -> Ours {
    (!places.is_empty()).then_some((why, places))
}
