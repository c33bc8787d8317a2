//! What Codex waits for: a person's answer, or a tool's.

use super::{Deciding, Scope};
use crate::{
    effect::{Answer, Effect},
    event::{
        What,
        data::{ApprovalResolved, Decision, ToolResolved},
    },
    ids::{ApprovalId, ToolCallId},
    input::{Refusal, RequestKey},
    json::Json,
    state::OpenRequest,
};

/// What was answered, and by whom.
pub(super) struct Answered {
    pub(super) decision: Decision,
    pub(super) by: String,
    pub(super) message: Option<String>,
    pub(super) content: Option<Json>,
}

impl Answered {
    pub(super) fn by(decision: Decision, by: &str) -> Self {
        Self { decision, by: by.to_owned(), message: None, content: None }
    }
}

impl Deciding<'_> {
    /// The first answer wins; of a later one nothing comes.
    pub(super) fn answer_approval(&mut self, id: ApprovalId, answered: Answered) -> Result<(), Refusal> {
        let Some(open) = self.session.approvals.get(&id).cloned() else {
            let answered = self.session.answered.iter().rev().find(|(answered, _)| *answered == id);
            let refusal = |(_, by): &(_, String)| Refusal::Answered { by: Some(by.clone()) };
            return Err(answered.map_or(Refusal::NotFound, refusal));
        };
        let Answered { decision, by, message, content } = answered;
        let kind = open.kind.ok_or(Refusal::NotFound)?;
        let scope = self.scope_of(&open);
        self.emit_in(
            scope,
            What::ApprovalResolved(ApprovalResolved { approval_id: id, decision, by, message }),
        );
        let answer = Answer::Approval { kind, decision, content };
        self.effect(Effect::Answer { key: open.key, answer });
        Ok(())
    }

    pub(super) fn answer_tool(
        &mut self,
        id: ToolCallId,
        success: bool,
        content: Json,
    ) -> Result<(), Refusal> {
        let open = self.session.tools.get(&id).cloned().ok_or(Refusal::Answered { by: None })?;
        let scope = self.scope_of(&open);
        let answer = Answer::Tool { success, content: content.clone() };
        self.emit_in(scope, What::ToolResolved(ToolResolved { tool_call_id: id, success, content }));
        self.effect(Effect::Answer { key: open.key, answer });
        Ok(())
    }

    /// Codex has what it wanted from elsewhere, or no longer wants it.
    pub(super) fn withdrawn(&mut self, key: &RequestKey) {
        let approval = self.session.approvals.iter().find(|(_, open)| open.key == *key).map(|(id, _)| *id);
        if let Some(id) = approval {
            self.close_approval(id, Decision::Cancel, "codex");
        }
        let tool = self.session.tools.iter().find(|(_, open)| open.key == *key).map(|(id, _)| *id);
        if let Some(id) = tool {
            self.close_tool(id, "Codex no longer waits for this call");
        }
    }

    /// Closes what was asked in a turn, or in every turn, without an answer to Codex: nobody waits for it there.
    pub(super) fn close_requests(&mut self, turn: Option<&str>, decision: Decision, by: &str) {
        let of_turn = |open: &OpenRequest| turn.is_none_or(|turn| open.turn == turn);
        let approvals: Vec<_> =
            self.session.approvals.iter().filter(|(_, open)| of_turn(open)).map(|(id, _)| *id).collect();
        let tools: Vec<_> =
            self.session.tools.iter().filter(|(_, open)| of_turn(open)).map(|(id, _)| *id).collect();
        for id in approvals {
            self.close_approval(id, decision, by);
        }
        for id in tools {
            self.close_tool(id, "the turn ended before the call was answered");
        }
    }

    fn close_approval(&mut self, id: ApprovalId, decision: Decision, by: &str) {
        let Some(open) = self.session.approvals.get(&id) else { return };
        let scope = self.scope_of(open);
        let resolved = ApprovalResolved { approval_id: id, decision, by: by.to_owned(), message: None };
        self.emit_in(scope, What::ApprovalResolved(resolved));
    }

    fn close_tool(&mut self, id: ToolCallId, why: &str) {
        let Some(open) = self.session.tools.get(&id) else { return };
        let scope = self.scope_of(open);
        let content = failed_content(why);
        self.emit_in(scope, What::ToolResolved(ToolResolved { tool_call_id: id, success: false, content }));
    }

    fn scope_of(&self, open: &OpenRequest) -> Scope {
        let thread_id = (!self.session.is_own(&open.thread)).then(|| open.thread.clone());
        Scope { thread_id, turn_id: Some(open.turn.clone()), item_id: None }
    }
}

/// What a call that failed gives: words for the agent.
pub(super) fn failed_content(why: &str) -> Json {
    serde_json::json!([{"type": "text", "text": why}]).into()
}
