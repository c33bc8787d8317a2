//! Text with places for values: `$name`, `${name}`, and `$$` for a dollar.

use std::collections::BTreeMap;

/// A template, read once when its prompt is built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text {
    raw: String,
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Words(String),
    Value(String),
}

/// A dollar that begins no placeholder, with what follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StrayDollar(pub(crate) String);

impl Text {
    pub(crate) fn read(raw: &str) -> Result<Self, StrayDollar> {
        let text = dedent(raw);
        let mut rest = text.trim();
        let mut pieces = Vec::new();
        while let Some((words, after)) = rest.split_once('$') {
            pieces.push(Piece::Words(words.to_owned()));
            let (piece, remaining) = placeholder(after).ok_or_else(|| StrayDollar(near(after)))?;
            pieces.push(piece);
            rest = remaining;
        }
        pieces.push(Piece::Words(rest.to_owned()));
        Ok(Self { raw: raw.to_owned(), pieces })
    }

    /// In the place of one that cannot be read.
    pub(crate) fn empty() -> Self {
        Self { raw: String::new(), pieces: Vec::new() }
    }

    /// As it was written.
    pub(crate) fn raw(&self) -> &str {
        &self.raw
    }

    pub(crate) fn placeholders(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Value(name) => Some(name.as_str()),
            Piece::Words(_) => None,
        })
    }

    /// Puts the values in. They are not read as templates. The name of a value that is not there is the error.
    pub(crate) fn fill(&self, values: &BTreeMap<String, String>) -> Result<String, String> {
        let mut filled = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Words(words) => filled.push_str(words),
                Piece::Value(name) => filled.push_str(values.get(name).ok_or_else(|| name.clone())?),
            }
        }
        Ok(filled.trim().to_owned())
    }
}

/// What stands after a dollar, and the rest.
fn placeholder(after: &str) -> Option<(Piece, &str)> {
    if let Some(rest) = after.strip_prefix('$') {
        return Some((Piece::Words("$".to_owned()), rest));
    }
    if let Some(braced) = after.strip_prefix('{') {
        let (name, rest) = braced.split_once('}')?;
        return (name_length(name) == name.len() && !name.is_empty())
            .then(|| (Piece::Value(name.to_owned()), rest));
    }
    let length = name_length(after);
    (length > 0).then(|| (Piece::Value(after[..length].to_owned()), &after[length..]))
}

/// How much of the text is a name, from its beginning.
fn name_length(text: &str) -> usize {
    let fits = |(index, it): &(usize, char)| {
        it.is_ascii_alphabetic() || *it == '_' || (*index > 0 && it.is_ascii_digit())
    };
    text.char_indices().take_while(fits).count()
}

fn near(after: &str) -> String {
    let shown: String = after.chars().take(12).take_while(|it| *it != '\n').collect();
    format!("${shown}")
}

/// Takes away what all lines with words begin with. Lines without words become empty.
fn dedent(text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let filled = text.split('\n').filter(|line| !line.trim_matches([' ', '\t', '\r']).is_empty());
    let common = filled.map(|line| &line[..indent(line)]).reduce(common_start).unwrap_or_default();
    let lines = text
        .split('\n')
        .map(|line| line.strip_prefix(common).unwrap_or_else(|| line.trim_start_matches([' ', '\t'])));
    let lines = lines.map(|line| if line.trim_matches([' ', '\t']).is_empty() { "" } else { line });
    lines.collect::<Vec<_>>().join("\n")
}

fn common_start<'a>(one: &'a str, other: &'a str) -> &'a str {
    let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    &one[..same]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(template: &str) -> Result<String, String> {
        let values = [("who", "Ada"), ("n", "3"), ("price", "$n ${who}")];
        let values = values.map(|(name, value)| (name.to_owned(), value.to_owned()));
        Text::read(template).map_err(|stray| stray.0)?.fill(&BTreeMap::from(values))
    }

    #[test]
    fn text_section_performs_strict_substitution() {
        let cases = [
            ("Hello ${who}, n=$n, cost $$5.", "Hello Ada, n=3, cost $5."),
            ("$who$n${who}s", "Ada3Adas"),
            ("$$who", "$who"),
            ("", ""),
            // A value is no template.
            ("costs $price", "costs $n ${who}"),
        ];
        for (template, expected) in cases {
            assert_eq!(filled(template).as_deref(), Ok(expected), "{template}");
        }
        assert_eq!(filled("$whom"), Err("whom".to_owned()));
    }

    #[test]
    fn a_dollar_that_begins_no_placeholder_is_found() {
        for (template, expected) in [
            ("cost 5$", "$"),
            ("$5 each", "$5 each"),
            ("${who", "${who"),
            ("${a b}", "${a b}"),
            ("${}", "${}"),
        ] {
            assert_eq!(filled(template), Err(expected.to_owned()), "{template}");
        }
    }

    #[test]
    fn a_body_is_dedented_and_stripped() {
        assert_eq!(filled("\n    Hello\n\n      keep indent\n    ").as_deref(), Ok("Hello\n\n  keep indent"));
        assert_eq!(filled("Some details.\n  - indented").as_deref(), Ok("Some details.\n  - indented"));
        assert_eq!(filled("\n\ta\n\t  b\n  \n\tc").as_deref(), Ok("a\n  b\n\nc"));
    }
}
