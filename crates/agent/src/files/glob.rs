//! Patterns for paths, as the reference has them: `*` stands for anything, slashes too.

/// Whether a path fits a pattern: `*` is anything, `?` is one character, `[abc]`, `[a-z]` and `[!a]` are one of some; the rest is itself. The whole path has to fit.
pub(crate) fn fits(pattern: &str, path: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let path: Vec<char> = path.chars().collect();
    let (mut at, mut here) = (0, 0);
    // Where to go on if it does not fit: after the last star, which takes one character more.
    let mut star: Option<(usize, usize)> = None;
    while here < path.len() {
        if pattern.get(at) == Some(&'*') {
            star = Some((at + 1, here));
            at += 1;
        } else if let Some(width) = one(&pattern[at..], path[here]) {
            at += width;
            here += 1;
        } else if let Some((after, taken)) = star {
            star = Some((after, taken + 1));
            (at, here) = (after, taken + 1);
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|rest| *rest == '*')
}

/// Whether everything below a directory fits, so that nobody has to look.
pub(crate) fn fits_all_below(pattern: &str, directory: &str) -> bool {
    // What the last star stands for can always be more.
    pattern.ends_with('*') && fits(pattern, &format!("{directory}/"))
}

/// How much of the pattern one character fits; nothing, if it does not.
fn one(pattern: &[char], character: char) -> Option<usize> {
    match *pattern.first()? {
        '?' => Some(1),
        '[' => match class(pattern) {
            Some((members, width)) => is_member(members, character).then_some(width),
            // It never ends, so it is no class.
            None => (character == '[').then_some(1),
        },
        other => (other == character).then_some(1),
    }
}

/// What stands between brackets, and how long it is with them. A `]` at once is one of them.
fn class(pattern: &[char]) -> Option<(&[char], usize)> {
    let first = if pattern.get(1) == Some(&'!') { 3 } else { 2 };
    let end = pattern.iter().enumerate().skip(first).find(|(_, it)| **it == ']')?.0;
    Some((&pattern[1..end], end + 1))
}

fn is_member(members: &[char], character: char) -> bool {
    let (negated, mut members) = match members {
        ['!', rest @ ..] => (true, rest),
        all => (false, all),
    };
    let mut found = false;
    while let [first, rest @ ..] = members {
        members = match rest {
            ['-', last, rest @ ..] => {
                found |= (*first..=*last).contains(&character);
                rest
            }
            rest => {
                found |= *first == character;
                rest
            }
        };
    }
    found != negated
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn patterns_fit_what_the_reference_says() {
        for (pattern, path, expected) in [
            ("*.txt", "a.txt", true),
            ("*.txt", "sub/deep.txt", true),
            ("*.txt", "a.txt.bak", false),
            ("src/*", "src/a/b.rs", true),
            ("src/*", "src", false),
            ("*/src/*", "src/a", false),
            ("?.rs", "a.rs", true),
            ("?.rs", "ab.rs", false),
            ("[ab].rs", "b.rs", true),
            ("[!ab].rs", "b.rs", false),
            ("[!ab].rs", "c.rs", true),
            ("[a-c]1", "b1", true),
            ("[a-c]1", "d1", false),
            ("[]]", "]", true),
            ("[!]]", "]", false),
            ("[a", "[a", true),
            ("a[", "a[", true),
            ("*a*b*", "xaxxbx", true),
            ("*a*b", "xaxbx", false),
            ("", "", true),
            ("", "a", false),
            ("A", "a", false),
            ("**", "a/b", true),
        ] {
            assert_eq!(fits(pattern, path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn a_directory_that_is_left_out_as_a_whole_is_not_looked_at() {
        assert!(fits_all_below("target/*", "target") && fits_all_below("*", "a"));
        assert!(fits_all_below("*/node_modules/*", "a/node_modules"));
        assert!(!fits_all_below("*.rs", "src") && !fits_all_below("target/*", "targets"));
        assert!(!fits_all_below("target/*.o", "target") && !fits_all_below("target", "target"));
    }

    proptest! {
        #[test]
        fn what_fits_all_below_fits_each(pattern in "[ab/*?]{0,6}", directory in "[ab]{1,3}", below in "[ab/]{0,5}") {
            if fits_all_below(&pattern, &directory) {
                let path = format!("{directory}/{below}");
                prop_assert!(fits(&pattern, &path));
            }
        }

        #[test]
        fn any_pattern_comes_to_an_end(pattern in "[ab*?\\[\\]!-]{0,12}", path in "[ab]{0,20}") {
            let _either = fits(&pattern, &path);
        }
    }
}
