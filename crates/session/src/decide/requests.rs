//! What Codex waits for: a person's answer, or a tool's.

use super::{Deciding, Scope, policy::Question};
use crate::{
    effect::{Answer, Effect},
    event::{
        What,
        data::{ApprovalRequested, ApprovalResolved, Decision, ToolRequested, ToolResolved},
    },
    fact::{Fact, RequestRef},
    ids::{ApprovalId, ToolCallId},
    input::{Heard, RequestKey, ToolCall},
    json::Json,
    refusal::Refusal,
    state::{Given, OpenRequest},
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
    /// Codex asks a person; the policy may answer instead.
    pub(super) fn asked(&mut self, heard: Heard) {
        let Heard::Asked { approval_id, key, place, item_id, kind, request } = heard else { return };
        if self.asked_before(&key) {
            return;
        }
        let question = Question::read(kind, &request);
        self.note(Fact::Request {
            id: RequestRef::Approval(approval_id),
            key,
            thread: place.thread.clone(),
            turn: place.turn.clone(),
            kind: Some(kind),
            timeout_seconds: self.session.settings.approval_timeout_seconds,
            offered: question.offered(),
        });
        let scope = Scope { item_id, ..self.scope(&place) };
        self.emit_in(scope, What::ApprovalRequested(ApprovalRequested { approval_id, kind, request }));
        if let Some(decision) = question.by_policy(self.session) {
            // It was opened just now, so it is there to be answered.
            let _open = self.answer_approval(approval_id, Answered::by(decision, "policy"));
        }
    }

    /// Codex calls one of the session's own tools.
    pub(super) fn tool_called(&mut self, heard: Heard) {
        let Heard::ToolCalled { tool_call_id, key, place, item_id, tool, arguments, timeout_seconds } = heard
        else {
            return;
        };
        if self.asked_before(&key) {
            return;
        }
        let spec = self.session.settings.tools.iter().find(|spec| spec.name == tool);
        let timeout_seconds = timeout_seconds.or_else(|| spec.and_then(|spec| spec.timeout_seconds));
        self.note(Fact::Request {
            id: RequestRef::Tool(tool_call_id),
            key,
            thread: place.thread.clone(),
            turn: place.turn.clone(),
            kind: None,
            timeout_seconds,
            offered: Vec::new(),
        });
        let scope = Scope { item_id, ..self.scope(&place) };
        self.emit_in(scope, What::ToolRequested(ToolRequested { tool_call_id, tool, arguments }));
    }

    /// Somebody calls one of the session's own tools by another way. What the agent calls belongs to its turn.
    pub(super) fn call_tool(&mut self, call: ToolCall) -> Result<(), Refusal> {
        let ToolCall { id, key, tool, arguments, by_agent } = call;
        let spec = self.session.settings.tools.iter().find(|spec| spec.name == tool);
        let timeout_seconds = spec.ok_or(Refusal::NotFound)?.timeout_seconds;
        let of_turn = by_agent && self.session.turn.is_some();
        let thread = self.session.thread_id.clone().filter(|_| of_turn).unwrap_or_default();
        let turn = self.session.turn_id().filter(|_| of_turn).map(str::to_owned).unwrap_or_default();
        let (kind, offered) = (None, Vec::new());
        self.note(Fact::Request {
            id: RequestRef::Tool(id),
            key,
            thread,
            turn,
            kind,
            timeout_seconds,
            offered,
        });
        let scope = self.session.tools.get(&id).map(|open| self.scope_of(open)).unwrap_or_default();
        let requested = ToolRequested { tool_call_id: id, tool, arguments };
        self.emit_in(scope, What::ToolRequested(requested));
        Ok(())
    }

    /// Nobody waits for a call any more; for one that was answered nobody ever will.
    pub(super) fn hang_up(&mut self, id: ToolCallId) -> Result<(), Refusal> {
        let open = self.session.tools.get(&id).ok_or(Refusal::Answered { by: None })?;
        if !open.is_call() {
            return Err(Refusal::NotFound);
        }
        self.close_tool(id, "whoever called it has gone");
        Ok(())
    }

    /// Calls that belong to no turn end with the session.
    pub(super) fn hang_up_outside(&mut self) {
        let outside = self.session.tools.iter().filter(|(_, open)| open.is_outside());
        for id in outside.map(|(id, _)| *id).collect::<Vec<_>>() {
            self.close_tool(id, "the session was stopped before the call was answered");
        }
    }

    /// A thread that is loaded again repeats what is open there. What was answered already is answered again.
    fn asked_before(&mut self, key: &RequestKey) -> bool {
        let given = self.session.given.iter().find(|given| given.key == *key).cloned();
        let again = given.is_some();
        if let Some(Given { key, answer, .. }) = given.filter(|given| !given.held) {
            self.effect(Effect::Answer { key, answer });
        }
        again
            || self.session.approvals.values().chain(self.session.tools.values()).any(|open| open.key == *key)
    }

    /// The first answer wins; of a later one nothing comes.
    pub(super) fn answer_approval(&mut self, id: ApprovalId, answered: Answered) -> Result<(), Refusal> {
        let Some(open) = self.session.approvals.get(&id).cloned() else {
            let answered = self.session.answered.iter().rev().find(|(answered, _)| *answered == id);
            let refusal = |(_, by): &(_, String)| Refusal::Answered { by: Some(by.clone()) };
            return Err(answered.map_or(Refusal::NotFound, refusal));
        };
        let Answered { decision, by, message, content } = answered;
        let kind = open.kind.ok_or(Refusal::NotFound)?;
        if !open.offered.contains(&decision) {
            return Err(Refusal::NotOffered);
        }
        let scope = self.scope_of(&open);
        let resolved = ApprovalResolved { approval_id: id, decision, by, message: message.clone() };
        self.emit_in(scope, What::ApprovalResolved(resolved));
        let said = message.filter(|text| !text.trim().is_empty());
        let telling = said.is_some_and(|text| self.tell(decision, text));
        let answer = Answer::Approval { kind, decision, content };
        // What a person filled in may be secret and is not kept: then the person is asked again.
        let kept = !matches!(answer, Answer::Approval { content: Some(_), .. });
        let held = telling && kept;
        if kept {
            self.note(Fact::Given { key: open.key.clone(), answer: answer.clone(), held });
        }
        if !held {
            self.effect(Effect::Answer { key: open.key, answer });
        }
        Ok(())
    }

    /// What is said with a "no" has no field in Codex's answer: the agent is told in the running turn, or with the next
    /// message if the turn does not go on. Whether it is being told now: Codex asks the model again as soon as it has the
    /// answer, so the answer waits until the words are there.
    fn tell(&mut self, decision: Decision, text: String) -> bool {
        let turn = self.session.turn.as_ref().filter(|turn| turn.interrupt.is_none() && !turn.examining);
        let turn_id = turn.and_then(|turn| turn.turn_id.clone());
        match (decision, turn_id) {
            (Decision::Decline, Some(turn_id)) => {
                self.note(Fact::Telling { text: text.clone() });
                self.effect(Effect::Tell { turn_id, text });
                return true;
            }
            (Decision::Decline | Decision::Cancel, _) => self.note(Fact::Noted { text }),
            _ => {}
        }
        false
    }

    pub(super) fn told(&mut self, turn_id: &str, reached: bool) {
        if self.session.turn_id() == Some(turn_id) {
            self.was_told(reached);
        }
    }

    /// The first that the agent was to be told reached it or did not; when nothing more is being told, the answers that
    /// waited for it go.
    pub(super) fn was_told(&mut self, reached: bool) {
        let held: Vec<_> = self.session.given.iter().filter(|given| given.held).cloned().collect();
        self.note(Fact::Told { reached });
        if self.session.given.iter().any(|given| given.held) {
            return;
        }
        for Given { key, answer, .. } in held {
            self.effect(Effect::Answer { key, answer });
        }
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
        if open.is_call() {
            // Whoever waits for it reads it where everybody does.
            return Ok(());
        }
        self.note(Fact::Given { key: open.key.clone(), answer: answer.clone(), held: false });
        self.effect(Effect::Answer { key: open.key, answer });
        Ok(())
    }

    /// Codex has what it wanted from elsewhere, or no longer wants it.
    pub(super) fn withdrawn(&mut self, key: &RequestKey) {
        if self.session.given.iter().any(|given| given.key == *key) {
            self.note(Fact::Settled { key: key.clone() });
        }
        let approval = self.session.approvals.iter().find(|(_, open)| open.key == *key).map(|(id, _)| *id);
        if let Some(id) = approval {
            self.close_approval(id, Decision::Cancel, "codex");
        }
        let tool = self.session.tools.iter().find(|(_, open)| open.key == *key).map(|(id, _)| *id);
        if let Some(id) = tool {
            self.close_tool(id, "nobody waits for this call any more");
        }
    }

    /// Closes what was asked, without an answer to Codex: nobody waits for it there.
    pub(super) fn close_requests(
        &mut self,
        of_turn: &dyn Fn(&OpenRequest) -> bool,
        decision: Decision,
        by: &str,
    ) {
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
        if open.is_outside() {
            return Scope::default();
        }
        let thread_id = (!self.session.is_own(&open.thread)).then(|| open.thread.clone());
        let turn_id = Some(open.turn.clone()).filter(|turn| !turn.is_empty());
        Scope { thread_id, turn_id, item_id: None }
    }
}

/// What a call that failed gives: words for the agent.
pub(super) fn failed_content(why: &str) -> Json {
    serde_json::json!([{"type": "text", "text": why}]).into()
}
