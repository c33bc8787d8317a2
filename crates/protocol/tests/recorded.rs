//! Every message that Codex was recorded saying has a view that reads all of it.

mod common;

use std::collections::BTreeSet;

use common::{Received, received, walk};
use selvedge_protocol::touch::Seen;

/// What the views could not make sense of in a message.
fn complaints(message: &Received) -> BTreeSet<String> {
    let mut complaints = BTreeSet::new();
    let known = walk(&message.text, message.answers.as_deref(), &mut |seen| match seen {
        Seen::Id { .. } => {}
        Seen::Unknown { view, raw } => drop(complaints.insert(format!("unknown {view}: {raw}"))),
        Seen::Unread { view, key, raw } => drop(complaints.insert(format!("unread {view}.{key}: {raw}"))),
        Seen::Extra { view, key, .. } => drop(complaints.insert(format!("extra {view}.{key}"))),
    });
    if !known {
        complaints.insert(format!("no view of {:?}: {}", message.answers, message.text));
    }
    complaints
}

fn assert_nothing_but(expected: fn(&str) -> bool, messages: &[Received]) {
    for message in messages {
        let unexpected: Vec<_> = complaints(message).into_iter().filter(|it| !expected(it)).collect();
        assert!(unexpected.is_empty(), "{}: {}", message.origin, unexpected.join("\n"));
    }
}

#[test]
fn every_message_of_0_166_has_a_view_that_reads_every_field() {
    // What was asked in a way that no client should, and a call that `calls.txt` does not list.
    let expected = |it: &str| {
        it.starts_with("no view of None: {\"id\"") || it.starts_with("no view of Some(\"thread/queue/add\")")
    };
    assert_nothing_but(expected, &received(|name| !name.starts_with("compat_") || name == "compat_0.166"));
}

#[test]
fn older_versions_are_read_as_well_but_for_what_is_gone_since() {
    let expected = |it: &str| {
        it == r#"unknown AskForApproval: "on-failure""#
            || it == "extra WorkspaceWriteSandboxPolicy.readOnlyAccess"
            || it.contains("codex/event/")
            || (it.starts_with("unknown Notification") && it.contains("\"conversationId\""))
            || it.starts_with("no view of Some(\"thread/rollback\")")
    };
    assert_nothing_but(expected, &received(|name| matches!(name, "compat_0.98" | "compat_0.120")));
}
