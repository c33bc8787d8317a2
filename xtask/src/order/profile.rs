//! What callgrind counted: how often each function of a program was called.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use crate::failure::Failure;

/// The functions of one program, and how often each was called.
#[derive(Debug, Default)]
pub(super) struct Profile {
    calls: HashMap<String, u64>,
}

impl Profile {
    /// Reads everything that was counted into a directory, of processes whose command line begins like this; nothing yet, if nothing
    /// is there.
    pub(super) fn read(directory: &Path, command: &str) -> Result<Option<Self>, Failure> {
        let mut profile = Self::default();
        for entry in fs::read_dir(directory).map_err(Failure::file("read", directory))? {
            let path = entry.map_err(Failure::file("read", directory))?.path();
            if path.is_file() {
                let text = fs::read(&path).map_err(Failure::file("read", &path))?;
                let text = String::from_utf8_lossy(&text);
                if text.lines().any(|line| is_command(line, command)) {
                    profile.add(&text);
                }
            }
        }
        Ok(Some(profile).filter(|profile| !profile.calls.is_empty()))
    }

    /// The names of those that were called at least so often. Who was run without a call, as the first is, counts as called once.
    pub(super) fn called(&self, least: u64) -> BTreeSet<String> {
        let often = self.calls.iter().filter(|(_, calls)| **calls >= least);
        often.map(|(name, _)| name.clone()).collect()
    }

    /// A name is written once, beside its number; later lines have the number alone.
    fn add(&mut self, text: &str) {
        let mut names: HashMap<&str, &str> = HashMap::new();
        let mut called = "";
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("fn=") {
                let name = named(&mut names, name);
                self.calls.entry(name.to_owned()).or_insert(1);
            } else if let Some(name) = line.strip_prefix("cfn=") {
                called = named(&mut names, name);
            } else if let Some(calls) = line.strip_prefix("calls=") {
                let calls = calls.split(' ').next().and_then(|calls| calls.parse().ok()).unwrap_or(0);
                *self.calls.entry(called.to_owned()).or_default() += calls;
            }
        }
    }
}

fn is_command(line: &str, command: &str) -> bool {
    line.strip_prefix("cmd:").is_some_and(|told| told.trim_start().starts_with(command))
}

/// `(7) name` or `(7)`; a function that calls itself has another name, `name'2`.
fn named<'a>(names: &mut HashMap<&'a str, &'a str>, said: &'a str) -> &'a str {
    let (number, name) = said.split_once(' ').map_or((said, None), |(number, name)| (number, Some(name)));
    if let Some(name) = name {
        names.insert(number, name.split_once('\'').map_or(name, |(name, _)| name));
    }
    names.get(number).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::Profile;

    #[test]
    fn calls_are_added_under_the_name_that_a_number_has() {
        let mut profile = Profile::default();
        profile.add(
            "cmd: selvedge serve\nfn=(1) main\n1 5\ncfn=(2) word\ncalls=900 0\n1 10\nfn=(2)\n2 7\ncfn=(3) word'2\n\
             calls=100 0\n2 1\ncfn=(4) once\ncalls=1 0\n3 1\n",
        );
        let names = |least| profile.called(least).into_iter().collect::<Vec<_>>();
        assert_eq!(names(1000), ["word"]);
        assert_eq!(names(0), ["main", "once", "word"]);
    }
}
