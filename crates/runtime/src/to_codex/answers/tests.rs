//! Each kind of request with each decision, against the words Codex takes.

use serde_json::json;

use super::*;

fn said(kind: ApprovalKind, decision: Decision, content: Value, request: Value) -> Value {
    let content = Json::from(content);
    answer(&ToAnswer { kind, decision, content: Some(&content), request: &Json::from(request) })
}

#[test]
fn commands_and_file_changes_are_decided_in_codex_words() {
    let words = [
        (Decision::Accept, "accept"),
        (Decision::AcceptForSession, "acceptForSession"),
        (Decision::Decline, "decline"),
        (Decision::Cancel, "cancel"),
        (Decision::Expired, "decline"),
    ];
    for kind in [ApprovalKind::Command, ApprovalKind::FileChange] {
        for (decision, word) in words {
            assert_eq!(
                said(kind, decision, json!(null), json!({"threadId": "t"})),
                json!({"decision": word})
            );
        }
    }
}

#[test]
fn a_command_is_accepted_with_a_rule_only_by_a_yes_that_names_one() {
    let command = |decision, amendment| {
        said(ApprovalKind::Command, decision, json!({"amendment": amendment}), json!({"threadId": "t"}))
    };
    assert_eq!(
        command(Decision::Accept, json!(["git", "pull"])),
        json!({"decision": {"acceptWithExecpolicyAmendment": {"execpolicy_amendment": ["git", "pull"]}}})
    );
    let host = json!({"host": "example.com", "action": "allow"});
    assert_eq!(
        command(Decision::Accept, host.clone()),
        json!({"decision": {"applyNetworkPolicyAmendment": {"network_policy_amendment": host}}})
    );
    assert_eq!(command(Decision::Decline, json!(["git"])), json!({"decision": "decline"}));
    assert_eq!(command(Decision::Accept, json!(["git", 1])), json!({"decision": "accept"}));
    assert_eq!(command(Decision::Accept, json!([])), json!({"decision": "accept"}));
}

#[test]
fn permissions_are_what_was_asked_for_or_nothing() {
    let request = json!({"threadId": "t", "permissions": {"network": {"enabled": true}, "fileSystem": null}});
    let permissions = |decision, request| said(ApprovalKind::Permissions, decision, json!(null), request);
    let asked = json!({"network": {"enabled": true}});
    assert_eq!(
        permissions(Decision::Accept, request.clone()),
        json!({"permissions": asked, "scope": "turn"})
    );
    assert_eq!(
        permissions(Decision::AcceptForSession, request.clone()),
        json!({"permissions": asked, "scope": "session"})
    );
    for decision in [Decision::Decline, Decision::Cancel, Decision::Expired] {
        assert_eq!(permissions(decision, request.clone()), json!({"permissions": {}, "scope": "turn"}));
    }
    let unknown = permissions(Decision::Accept, json!(null));
    assert_eq!(
        unknown,
        json!({"permissions": {}, "scope": "turn"}),
        "nothing is granted that nobody asked for"
    );
}

#[test]
fn questions_are_answered_by_text_or_texts_and_a_no_answers_none() {
    let asked =
        |decision, content| said(ApprovalKind::UserInput, decision, content, json!({"threadId": "t"}));
    let answered = json!({"answers": {"q": {"answers": ["Yes"]}}});
    for content in [answered.clone(), json!({"q": "Yes"}), json!({"answers": {"q": ["Yes"]}})] {
        assert_eq!(asked(Decision::Accept, content), answered);
    }
    assert_eq!(asked(Decision::Decline, answered), json!({"answers": {}}));
}

#[test]
fn forms_are_filled_in_and_mcp_calls_are_remembered_only_if_offered() {
    let form = |decision, content, meta| {
        let request = json!({"threadId": "t", "mode": "form", "_meta": meta});
        said(ApprovalKind::Elicitation, decision, content, request)
    };
    let offered = json!({"codex_approval_kind": "mcp_tool_call", "persist": ["session", "always"]});
    let filled = json!({"action": "accept", "content": {"name": "x"}});
    assert_eq!(form(Decision::Accept, json!({"name": "x"}), json!(null)), filled);
    assert_eq!(form(Decision::Accept, json!({"content": {"name": "x"}}), json!(null)), filled);
    assert_eq!(
        form(Decision::AcceptForSession, json!(null), offered.clone()),
        json!({"action": "accept", "content": {}, "_meta": {"persist": "session"}})
    );
    assert_eq!(
        form(Decision::AcceptForSession, json!(null), json!(null)),
        json!({"action": "accept", "content": {}})
    );
    assert_eq!(form(Decision::Decline, json!({"name": "x"}), offered), json!({"action": "decline"}));
    assert_eq!(form(Decision::Cancel, json!(null), json!(null)), json!({"action": "cancel"}));
}

#[test]
fn old_requests_are_answered_in_old_words() {
    let words = [
        (Decision::Accept, "approved"),
        (Decision::AcceptForSession, "approved_for_session"),
        (Decision::Decline, "denied"),
        (Decision::Cancel, "abort"),
    ];
    for kind in [ApprovalKind::Command, ApprovalKind::FileChange] {
        for (decision, word) in words {
            let request = json!({"conversationId": "t", "callId": "c"});
            assert_eq!(said(kind, decision, json!(null), request), json!({"decision": word}));
        }
    }
}
