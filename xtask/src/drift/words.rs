//! The names and texts that a source file is made of, comments and tests left out.

use std::collections::BTreeSet;
use std::iter::Peekable;
use std::mem;
use std::str::Chars;

/// What a file's code says.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// Identifiers.
    pub(super) names: BTreeSet<String>,
    /// Those behind a dot: what is asked of something.
    pub(super) asked: BTreeSet<String>,
    /// Those behind another one, with it: `Notification::TurnStarted`. Of a list of them (`calls::{…}`) only that it is one.
    pub(super) paths: BTreeSet<String>,
    /// String literals, as they stand there.
    pub(super) texts: BTreeSet<String>,
}

/// How a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Rust,
    /// With its dialect for markup, in which an apostrophe is mostly one, and a text ends with its line at the latest.
    TypeScript,
}

impl Words {
    /// Reads a file.
    pub(super) fn of(source: &str, language: Language) -> Self {
        // A module of tests is the last thing in its file.
        let code = match language {
            Language::Rust => source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default(),
            Language::TypeScript => source,
        };
        let rest = code.chars().peekable();
        let mut scanner = Scanner { rest, language, before: Before::Other, words: Self::default() };
        while let Some(next) = scanner.rest.next() {
            scanner.take(next);
        }
        scanner.words
    }
}

struct Scanner<'s> {
    rest: Peekable<Chars<'s>>,
    language: Language,
    before: Before,
    words: Words,
}

/// What stood before, blanks left aside.
#[derive(Debug, PartialEq, Eq)]
enum Before {
    Dot,
    Name(String),
    /// A name and as many colons.
    Path(String, u8),
    Other,
}

impl Scanner<'_> {
    fn take(&mut self, next: char) {
        match next {
            '/' if self.rest.peek() == Some(&'/') => self.skip_line(),
            '/' if self.rest.peek() == Some(&'*') => self.skip_block(),
            '"' => self.text(),
            '\'' if self.language == Language::Rust => self.character_or_lifetime(),
            name if name.is_alphabetic() || name == '_' => return self.name(name),
            blank if blank.is_whitespace() => return,
            ':' => return self.colon(),
            '.' => return self.before = Before::Dot,
            '{' | '*' => self.end_path(next.encode_utf8(&mut [0; 4])),
            _ => {}
        }
        self.before = Before::Other;
    }

    fn colon(&mut self) {
        self.before = match mem::replace(&mut self.before, Before::Other) {
            Before::Name(name) => Before::Path(name, 1),
            Before::Path(name, colons) => Before::Path(name, colons + 1),
            _ => Before::Other,
        };
    }

    fn end_path(&mut self, end: &str) {
        if let Before::Path(name, 2) = &self.before {
            self.words.paths.insert(format!("{name}::{end}"));
        }
    }

    fn skip_line(&mut self) {
        while self.rest.next_if(|c| *c != '\n').is_some() {}
    }

    fn skip_block(&mut self) {
        let mut before = ' ';
        for c in self.rest.by_ref().skip(1) {
            if (before, c) == ('*', '/') {
                return;
            }
            before = c;
        }
    }

    fn text(&mut self) {
        let mut text = String::new();
        while let Some(c) = self.rest.next() {
            match c {
                '"' => break,
                '\n' if self.language == Language::TypeScript => break,
                '\\' => text.extend(self.rest.next()),
                c => text.push(c),
            }
        }
        self.words.texts.insert(text);
    }

    /// `'x'`, `'\n'` or `'a`: only the first two end with an apostrophe.
    fn character_or_lifetime(&mut self) {
        let Some(first) = self.rest.next() else { return };
        if first == '\\' {
            self.rest.next();
            while self.rest.next_if(|c| *c != '\'').is_some() {}
        }
        if self.rest.next_if_eq(&'\'').is_none() && (first.is_alphabetic() || first == '_') {
            while self.rest.next_if(|c| c.is_alphanumeric() || *c == '_').is_some() {}
        }
    }

    fn name(&mut self, first: char) {
        let mut name = String::from(first);
        while let Some(c) = self.rest.next_if(|c| c.is_alphanumeric() || *c == '_') {
            name.push(c);
        }
        let raw = self.language == Language::Rust && matches!(name.as_str(), "r" | "br");
        if raw && matches!(self.rest.peek(), Some('"' | '#')) {
            return self.raw_text();
        }
        if self.before == Before::Dot {
            self.words.asked.insert(name.clone());
        }
        self.end_path(&name);
        self.words.names.insert(name.clone());
        self.before = Before::Name(name);
    }

    /// `r#"…"#`: ends with as many marks as it began with.
    fn raw_text(&mut self) {
        let mut marks = String::from('"');
        while self.rest.next_if_eq(&'#').is_some() {
            marks.push('#');
        }
        if self.rest.next_if_eq(&'"').is_none() {
            // `r#type` is a name.
            return;
        }
        let mut text = String::new();
        for c in self.rest.by_ref() {
            text.push(c);
            if text.ends_with(&marks) {
                break;
            }
        }
        self.words.texts.insert(text.trim_end_matches(marks.as_str()).to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(words: &BTreeSet<String>, expected: &[&str]) -> bool {
        expected.iter().all(|word| words.contains(*word))
    }

    #[test]
    fn rust_is_read_without_its_comments_and_tests() {
        let source = concat!(
            "//! \"first\"\n/* \"second\" */ fn f<'a>(c: char) { if c == '\"' || c == '\\'' { it\n    .thread_id(b\"a/b\") } }\n",
            "const X: &str = r#\"say \"no\" more\"#; use calls::{A, B}; see::Mood::Good; let s: &'static str = \"q\\\"q\";\n",
            "#[cfg(test)]\nmod tests { const HIDDEN: &str = \"hidden\"; }"
        );
        let words = Words::of(source, Language::Rust);
        assert!(has(&words.texts, &["a/b", "say \"no\" more", "q\"q"]), "{words:?}");
        assert_eq!(words.texts.len(), 3, "{words:?}");
        assert!(has(&words.paths, &["calls::{", "see::Mood", "Mood::Good"]), "{words:?}");
        assert!(has(&words.asked, &["thread_id"]) && words.asked.len() == 1, "{words:?}");
        assert!(!words.names.contains("HIDDEN") && !words.names.contains("a"), "{words:?}");
    }

    #[test]
    fn typescript_is_read_however_many_apostrophes_it_has() {
        let source = "const t = <p>It's {item[\"exitCode\"]}</p>; // item[\"no\"]\nconst u = `5\" ${text(\"command\")}`;\nx[\"after\"]";
        let words = Words::of(source, Language::TypeScript);
        assert!(has(&words.texts, &["exitCode", "after"]), "{words:?}");
        assert!(!words.texts.contains("no"), "{words:?}");
    }
}
