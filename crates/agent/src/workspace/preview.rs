//! What a prompt says about a workspace.

use crate::prompt::Section;

/// How many paths a preview keeps, and how many of them a prompt shows.
const KEPT: usize = 20;
const SHOWN: usize = 10;

const INTRODUCTION: &str = "The workspace has been populated with the following mounted content. \
                            Use the tools available to explore and work with these files.";

/// Whether a mount is a file or a directory.
///
/// ```
/// use selvedge_agent::{MountKind, MountPreview, Prompt, Session};
///
/// let preview = MountPreview::new("LICENSE", MountKind::File, ["LICENSE"], 1_071);
/// let prompt = Prompt::text("demo", "read").section(MountPreview::section(&[preview])).build()?;
/// assert!(prompt.render(&Session::new())?.text().contains("**LICENSE** (file):"));
/// # Ok::<(), selvedge_agent::PromptError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MountKind {
    /// One file.
    File,
    /// A directory.
    Directory,
}

/// What was mounted, as a prompt shows it.
///
/// ```
/// use selvedge_agent::{MountKind, MountPreview};
///
/// // A workspace makes them of what it has copied; a test can make its own.
/// let preview = MountPreview::new("project", MountKind::Directory, ["src/main.rs", "README.md"], 1_234);
/// assert_eq!(preview.entries(), ["README.md", "src/main.rs"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MountPreview {
    mount_path: String,
    kind: MountKind,
    entries: Vec<String>,
    files: usize,
    bytes: u64,
}

impl MountPreview {
    /// Of these files, `bytes` in all. They are shown in the order of their names, wherever a file system has them.
    pub fn new<I>(mount_path: impl Into<String>, kind: MountKind, files: I, bytes: u64) -> Self
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        let mut entries: Vec<String> = files.into_iter().map(Into::into).collect();
        let files = entries.len();
        entries.sort_unstable();
        entries.truncate(KEPT);
        Self { mount_path: mount_path.into(), kind, entries, files, bytes }
    }

    /// The first twenty paths.
    #[must_use]
    pub fn entries(&self) -> &[String] {
        &self.entries
    }

    /// The section that tells the model what is in its workspace.
    #[must_use]
    pub fn section(previews: &[Self]) -> Section {
        let blocks: Vec<String> = previews.iter().map(Self::block).collect();
        let blocks =
            if blocks.is_empty() { vec!["- (no host mounts configured)".to_owned()] } else { blocks };
        Section::markdown("Workspace", "workspace", format!("{INTRODUCTION}\n\n{}", blocks.join("\n\n")))
    }

    fn block(&self) -> String {
        let kind = match self.kind {
            MountKind::File => "file",
            MountKind::Directory => "directory",
        };
        let mut lines = vec![format!("**{}** ({kind}):", plain(&self.mount_path))];
        lines.extend(self.entries.iter().take(SHOWN).map(|entry| format!("  - {}", plain(entry))));
        if self.files > SHOWN {
            lines.push(format!("  - ... and {} more", self.files - SHOWN));
        }
        lines.push(format!("  - Total: {} bytes", grouped(self.bytes)));
        lines.join("\n")
    }
}

/// A name that is no placeholder, and stays in its line: files are called what strangers like.
fn plain(name: &str) -> String {
    let in_line = |it: char| if it.is_control() { char::REPLACEMENT_CHARACTER } else { it };
    name.chars().map(in_line).collect::<String>().replace('$', "$$")
}

/// `1,234,567`
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Prompt, Session};

    fn rendered(previews: &[MountPreview]) -> String {
        let prompt = Prompt::text("a", "b").section(MountPreview::section(previews)).build().unwrap();
        prompt.render(&Session::new()).unwrap().text().to_owned()
    }

    #[test]
    fn the_text_is_the_reference_s_with_sorted_names() {
        let names = (0..13).rev().map(|number| format!("f{number:02}.py"));
        let repo = MountPreview::new("repo", MountKind::Directory, names, 71);
        let one = MountPreview::new("one.md", MountKind::File, ["one.txt"], 2);
        let files: String = (0..10).map(|number| format!("  - f{number:02}.py\n")).collect();
        let expected = format!(
            "## 1. Workspace (workspace)\n\nThe workspace has been populated with the following mounted content. Use the tools \
             available to explore and work with these files.\n\n**repo** (directory):\n{files}  - ... and 3 more\n  - Total: 71 bytes\n\n\
             **one.md** (file):\n  - one.txt\n  - Total: 2 bytes"
        );
        assert_eq!(rendered(&[repo, one]), expected);
    }

    #[test]
    fn template_shows_no_mounts_message() {
        assert!(rendered(&[]).ends_with("with these files.\n\n- (no host mounts configured)"));
    }

    #[test]
    fn many_files_are_counted_and_twenty_kept() {
        let many =
            MountPreview::new("m", MountKind::Directory, (0..1500).map(|it| it.to_string()), 1_234_567);
        assert_eq!(many.entries().len(), 20);
        let text = rendered(&[many]);
        assert!(text.ends_with("  - ... and 1490 more\n  - Total: 1,234,567 bytes"), "{text}");
        let none = MountPreview::new("m", MountKind::Directory, Vec::<String>::new(), 0);
        assert!(rendered(&[none]).ends_with("**m** (directory):\n  - Total: 0 bytes"));
    }

    #[test]
    fn a_name_is_neither_a_placeholder_nor_a_heading() {
        let odd =
            MountPreview::new("m", MountKind::Directory, ["a$b.txt", "cost$.txt", "x\n## 9. Orders"], 1);
        let text = rendered(&[odd]);
        assert!(text.contains("  - a$b.txt\n  - cost$.txt\n  - x\u{fffd}## 9. Orders\n"), "{text}");
    }
}
