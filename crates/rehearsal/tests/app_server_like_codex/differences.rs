//! What differs on purpose, each with its reason. `docs/rehearsal.md` shows this table.

/// One difference: where it is, and why it is no error.
pub(crate) struct Difference {
    /// The message: its method, with the item's type; `*` at its end for all that begin so.
    pub(crate) message: &'static str,
    /// The field, `*` at its end for all that begin so; empty for the whole message.
    pub(crate) field: &'static str,
    pub(crate) reason: &'static str,
}

const fn field(message: &'static str, field: &'static str, reason: &'static str) -> Difference {
    Difference { message, field, reason }
}

const fn message(message: &'static str, reason: &'static str) -> Difference {
    Difference { message, field: "", reason }
}

const OWN_NAME: &str = "the simulation's model is called `rehearsal`, so that nobody takes it for a model";
const OWN_FILES: &str = "threads are kept in files of another format, at another place";
const OWN_SHELL: &str = "commands run through `/bin/sh -c`, Codex takes the person's login shell";
const OWN_CURSORS: &str = "cursors are opaque, and another kind";

pub(crate) const DIFFERENCES: &[Difference] = &[
    message(
        "item/commandExecution/outputDelta",
        "Codex leaves out the first output and all of short commands; the simulation tells everything",
    ),
    field("thread/started", "thread.model", OWN_NAME),
    field("thread/settings/updated", "threadSettings.model", OWN_NAME),
    field("thread/settings/updated", "threadSettings.collaborationMode.settings.model", OWN_NAME),
    field("answer to *", "result.model", OWN_NAME),
    field("answer to *", "result.thread.model", OWN_NAME),
    field("answer to *", "result.collaborationMode.settings.model", OWN_NAME),
    field("thread/started", "thread.path", OWN_FILES),
    field("answer to *", "result.thread.path", OWN_FILES),
    field("answer to *", "result.turnsBackwardsCursor", OWN_CURSORS),
    field("answer to *", "result.itemsBackwardsCursor", OWN_CURSORS),
    field("answer to *", "result.nextCursor", OWN_CURSORS),
    field("answer to *", "result.backwardsCursor", OWN_CURSORS),
    field("item/commandExecution/requestApproval", "proposedExecpolicyAmendment.*", OWN_SHELL),
    field("item/commandExecution/requestApproval", "availableDecisions.1.*", OWN_SHELL),
    field(
        "thread/tokenUsage/updated",
        "tokenUsage.*",
        "where the scenario reports no usage it is estimated, and there is no request to count; reported usage is compared by a test of its own",
    ),
];

impl Difference {
    /// Whether it is about this field of this message.
    pub(crate) fn is_about(&self, message: &str, field: &str) -> bool {
        fits(self.message, message) && fits(self.field, field)
    }
}

fn fits(pattern: &str, text: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => text.starts_with(start),
        None => pattern == text,
    }
}

/// Whether a message or a field may differ.
pub(crate) fn may_differ(message: &str, field: &str) -> bool {
    DIFFERENCES.iter().any(|difference| difference.is_about(message, field))
}

/// The table of `docs/rehearsal.md`.
fn table() -> String {
    let row = |difference: &Difference| {
        let field =
            if difference.field.is_empty() { "–".to_owned() } else { format!("`{}`", difference.field) };
        format!("| `{}` | {field} | {} |\n", difference.message, difference.reason)
    };
    let rows: String = DIFFERENCES.iter().map(row).collect();
    format!("| message | field | why |\n|---|---|---|\n{rows}")
}

#[test]
fn the_documentation_shows_this_table() {
    let page = include_str!("../../../../docs/rehearsal.md");
    assert!(page.contains(&table()), "docs/rehearsal.md should hold:\n{}", table());
}
