//! The report: for people, and for programs.

mod text;

use serde::Serialize;

use super::difference::{Difference, Subject};
use super::judge::Verdict;
use super::surface::Kind;
use super::weigh::{Nearness, Weighed};

/// What was found.
#[derive(Debug)]
pub(super) struct Report {
    /// The version that is taken for ours.
    pub(super) was: String,
    /// The version that was looked at.
    pub(super) is: String,
    pub(super) differences: Vec<Weighed>,
    /// Definitions of the newer schema that the generator could not read.
    pub(super) unreadable: Vec<String>,
    pub(super) judge: Verdict,
}

impl Report {
    /// How many differences concern us.
    pub(super) fn concerning(&self) -> usize {
        self.unreadable.len() + self.count(Nearness::Ours)
    }

    fn count(&self, nearness: Nearness) -> usize {
        self.differences.iter().filter(|it| it.nearness == nearness).count()
    }

    /// For people.
    pub(super) fn text(&self) -> String {
        text::write(self)
    }

    /// For programs.
    pub(super) fn json(&self) -> Result<String, serde_json::Error> {
        let differences = self.differences.iter().map(Row::of).collect();
        serde_json::to_string_pretty(&Json {
            from: &self.was,
            to: &self.is,
            concerning: self.concerning(),
            differences,
            unreadable: &self.unreadable,
            judge: &self.judge,
        })
    }
}

#[derive(Serialize)]
struct Json<'r> {
    from: &'r str,
    to: &'r str,
    concerning: usize,
    unreadable: &'r [String],
    judge: &'r Verdict,
    differences: Vec<Row<'r>>,
}

/// One difference.
#[derive(Serialize)]
struct Row<'r> {
    nearness: Nearness,
    change: &'static str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<&'r str>,
    name: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    was: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    is: Option<String>,
    #[serde(skip_serializing_if = "str::is_empty")]
    why: &'static str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    places: &'r [String],
}

impl<'r> Row<'r> {
    fn of(weighed: &'r Weighed) -> Self {
        let Weighed { difference, nearness, why, places } = weighed;
        let (kind, of, name) = match &difference.subject {
            Subject::Method(Kind::Request, name) => ("request", None, name),
            Subject::Method(Kind::Notification, name) => ("notification", None, name),
            Subject::Method(Kind::Ask, name) => ("server_request", None, name),
            Subject::Form(name) => ("type", None, name),
            Subject::Field(owner, name) => ("field", Some(owner.as_str()), name),
            Subject::Value(owner, name) => ("value", Some(owner.as_str()), name),
        };
        let [was, is] = forms(difference);
        Self { nearness: *nearness, change: change(difference), kind, of, name, was, is, why, places }
    }
}

fn change(difference: &Difference) -> &'static str {
    match difference.sign() {
        '+' => "added",
        '-' => "removed",
        _ => "changed",
    }
}

/// How it was and is, in words; a field's with whether it is required.
fn forms(difference: &Difference) -> [Option<String>; 2] {
    let is_field = matches!(difference.subject, Subject::Field(..));
    [&difference.was, &difference.is].map(|form| {
        let form = form.as_ref().filter(|form| !form.text.is_empty())?;
        let need = match form.required {
            true => "required ",
            false if is_field => "optional ",
            false => "",
        };
        Some(format!("{need}{}", form.text))
    })
}
