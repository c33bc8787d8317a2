//! What a terminal must not be told: control characters that could hide or fake what a person decides on.

use std::borrow::Cow;

/// The text with everything but line ends and tabs visible.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_hidden(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// The same without the colours and line ends of programs that think they have a terminal.
pub(crate) fn clean_output(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\x1b[") {
        plain.push_str(before);
        // A sequence ends with its first letter or `@` to `~`.
        rest = after
            .find(|character: char| ('@'..='~').contains(&character))
            .map_or("", |end| &after[end + 1..]);
    }
    plain.push_str(rest);
    clean(&plain.replace("\r\n", "\n")).into_owned()
}

/// Control characters, and the ones that turn the direction of writing.
fn is_hidden(character: char) -> bool {
    let turns =
        matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}');
    turns || (character.is_control() && character != '\n' && character != '\t')
}

/// One line of at most so many characters.
pub(crate) fn one_line(text: &str, width: usize) -> String {
    let mut lines = text.trim().lines();
    let first = lines.next().unwrap_or_default();
    let more = lines.next().is_some();
    let fits = first.chars().count() + usize::from(more) * 2 <= width;
    if fits && !more {
        return clean(first).into_owned();
    }
    let kept: String = first.chars().take(if fits { usize::MAX } else { width.saturating_sub(1) }).collect();
    format!("{}{}", clean(kept.trim_end()), if fits { " …" } else { "…" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reaches_a_terminal_that_could_hide_a_command() {
        assert_eq!(clean("rm -rf /\x1b[2K\rls"), "rm -rf /\\u{1b}[2K\\u{d}ls");
        assert_eq!(clean("a\u{202e}b"), "a\\u{202e}b");
        assert_eq!(clean("ü\n\tok"), "ü\n\tok");
        assert_eq!(clean_output("\x1b[31mred\x1b[0m\r\nnext\x07"), "red\nnext\\u{7}");
    }

    #[test]
    fn a_line_is_cut_where_it_does_not_fit() {
        let cases =
            [("short", 10, "short"), ("one\ntwo", 10, "one …"), ("0123456789", 5, "0123…"), ("", 5, "")];
        for (text, width, shown) in cases {
            assert_eq!(one_line(text, width), shown);
        }
    }
}
