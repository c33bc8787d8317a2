//! Differences of two texts, as one hunk from the first changed line to the last, with three lines around it.

const AROUND: usize = 3;

/// The unified difference, without file names.
pub(super) fn unified(before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same_start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    if same_start == old.len() && old.len() == new.len() {
        return String::new();
    }
    let rest = old.len().min(new.len()) - same_start;
    let same_end =
        old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| old == new).count();
    let (start, around_end) = (same_start.saturating_sub(AROUND), same_end.min(AROUND));
    let (old_end, new_end) = (old.len() - same_end, new.len() - same_end);
    let old_range = range(start, old_end + around_end - start);
    let new_range = range(start, new_end + around_end - start);
    let mut lines = vec![format!("@@ -{old_range} +{new_range} @@\n")];
    let mut put = |sign: char, part: &[&str]| lines.extend(part.iter().map(|line| format!("{sign}{line}\n")));
    put(' ', &old[start..same_start]);
    put('-', &old[same_start..old_end]);
    put('+', &new[same_start..new_end]);
    put(' ', &old[old_end..old_end + around_end]);
    lines.concat()
}

/// A range in git's words: one line needs no count, and no lines stand before the first.
fn range(start: usize, count: usize) -> String {
    match count {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        _ => format!("{},{count}", start + 1),
    }
}

/// One file's difference with git's heading.
pub(super) fn of_file(name: &str, before: Option<&str>, after: Option<&str>) -> String {
    if before == after {
        return String::new();
    }
    let mode = match (before, after) {
        (None, _) => "new file mode 100644\n",
        (_, None) => "deleted file mode 100644\n",
        _ => "",
    };
    let from = before.map_or_else(|| "/dev/null".to_owned(), |_| format!("a/{name}"));
    let to = after.map_or_else(|| "/dev/null".to_owned(), |_| format!("b/{name}"));
    let body = unified(before.unwrap_or_default(), after.unwrap_or_default());
    format!("diff --git a/{name} b/{name}\n{mode}--- {from}\n+++ {to}\n{body}")
}
