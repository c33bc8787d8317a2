//! Reading the patch format: a line says what comes next.

/// What a patch does with one file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part {
    Add { path: String, text: String },
    Delete { path: String },
    Update { path: String, move_to: Option<String>, hunks: Vec<Hunk> },
}

/// Old lines and what stands in their place; `heading` is a line to look for first.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Hunk {
    pub(super) heading: Option<String>,
    pub(super) old: Vec<String>,
    pub(super) new: Vec<String>,
}

/// The parts of a patch; the error is the line that was not understood.
pub(super) fn parts(patch: &str) -> Result<Vec<Part>, String> {
    let mut lines = patch.trim().lines();
    if lines.next() != Some("*** Begin Patch") {
        return Err("the beginning".to_owned());
    }
    let mut parts = Vec::new();
    for line in lines {
        if line == "*** End Patch" {
            return Ok(parts);
        }
        if let Some(path) = line.strip_prefix("*** Add File: ") {
            parts.push(Part::Add { path: path.to_owned(), text: String::new() });
        } else if let Some(path) = line.strip_prefix("*** Delete File: ") {
            parts.push(Part::Delete { path: path.to_owned() });
        } else if let Some(path) = line.strip_prefix("*** Update File: ") {
            parts.push(Part::Update { path: path.to_owned(), move_to: None, hunks: Vec::new() });
        } else {
            let part = parts.last_mut().and_then(|part| take(part, line));
            part.ok_or_else(|| line.to_owned())?;
        }
    }
    Err("the end".to_owned())
}

/// One line inside a part.
fn take(part: &mut Part, line: &str) -> Option<()> {
    match part {
        Part::Delete { .. } => None,
        Part::Add { text, .. } => {
            text.push_str(line.strip_prefix('+')?);
            text.push('\n');
            Some(())
        }
        Part::Update { move_to, hunks, .. } => {
            if let Some(to) = line.strip_prefix("*** Move to: ") {
                *move_to = Some(to.to_owned());
                return Some(());
            }
            if line == "*** End of File" {
                return Some(());
            }
            if let Some(heading) = line.strip_prefix("@@") {
                let heading = Some(heading.trim().to_owned()).filter(|heading| !heading.is_empty());
                hunks.push(Hunk { heading, ..Hunk::default() });
                return Some(());
            }
            take_change(hunks, line)
        }
    }
}

fn take_change(hunks: &mut Vec<Hunk>, line: &str) -> Option<()> {
    if hunks.is_empty() {
        hunks.push(Hunk::default());
    }
    let hunk = hunks.last_mut()?;
    let (sign, rest) = line.split_at_checked(1).unwrap_or((" ", ""));
    match sign {
        "+" => hunk.new.push(rest.to_owned()),
        "-" => hunk.old.push(rest.to_owned()),
        " " => {
            hunk.old.push(rest.to_owned());
            hunk.new.push(rest.to_owned());
        }
        _ => return None,
    }
    Some(())
}
