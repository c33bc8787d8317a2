//! What the agent says, thinks and does, as it begins, goes on and ends.

mod agents;
mod open;

use selvedge_session::{data, data::DeltaKind};
use serde_json::json;

use super::{
    message::{Assistant, Block, Delta, Message, OutputTokens, Stopped, StreamEvent, Tokens},
    plan,
    speaker::{Place, Speaker},
    tools,
};
use crate::item::Item;
pub(super) use open::Open;
use open::What;

impl Speaker {
    pub(super) fn item_started(&mut self, mut place: Place, it: &data::ItemData, said: &mut Vec<Message>) {
        let item = Item::read(&it.item);
        place.key.2.clone_from(&item.id);
        self.adopt(&place, &item);
        match item.kind.as_str() {
            "agentMessage" => self.begins(&place, What::Message, said),
            "reasoning" => self.begins(&place, What::Thoughts(None), said),
            "contextCompaction" => {
                self.begins(&place, What::Other, said);
                self.compacts(true, said);
            }
            _ => match tools::used(&item) {
                // What is searched for is often known only at its end.
                Some(used) if used.name == "WebSearch" && used.input["query"] == "" => {
                    self.begins(&place, What::Later, said);
                }
                Some(used) => self.uses(&place, used, said),
                None => self.begins(&place, What::Other, said),
            },
        }
        self.started_agents(&place, &item, said);
    }

    fn begins(&mut self, place: &Place, what: What, said: &mut Vec<Message>) {
        let id = self.id_of(place);
        match what {
            What::Message => {
                let message = self.assistant(format!("codex-agent-{id}"), Vec::new());
                let block = Block::Text { text: String::new() };
                said.push(streamed(place, StreamEvent::MessageStart { message: Box::new(message) }));
                said.push(streamed(place, StreamEvent::ContentBlockStart { index: 0, content_block: block }));
            }
            What::Thoughts(_) => {
                let block = Block::Thinking { thinking: String::new() };
                said.push(streamed(place, StreamEvent::ContentBlockStart { index: 0, content_block: block }));
            }
            What::Tool(_) | What::Later | What::Other => {}
        }
        self.open.insert(place.key.clone(), Open::new(id, what, place));
    }

    fn uses(&mut self, place: &Place, used: tools::Use, said: &mut Vec<Message>) {
        let id = self.id_of(place);
        let block = Block::ToolUse { id: id.clone(), name: used.name.clone(), input: json!({}) };
        said.push(streamed(place, StreamEvent::ContentBlockStart { index: 0, content_block: block }));
        let block = Block::ToolUse { id: id.clone(), name: used.name.clone(), input: used.input.clone() };
        said.push(self.says(place, format!("codex-tool_use-{id}"), block));
        let open = Open { input: used.input, ..Open::new(id, What::Tool(used.name), place) };
        self.open.insert(place.key.clone(), open);
    }

    pub(super) fn item_delta(&mut self, place: &Place, it: &data::Delta, said: &mut Vec<Message>) {
        if !self.open.contains_key(&place.key) {
            match it.kind {
                DeltaKind::Text => self.begins(place, What::Message, said),
                DeltaKind::Reasoning | DeltaKind::ReasoningSummary => {
                    self.begins(place, What::Thoughts(None), said);
                }
                DeltaKind::Output | DeltaKind::Patch | DeltaKind::Plan => {}
            }
        }
        if it.kind == DeltaKind::Output {
            return said.extend(self.progress(place));
        }
        let Some(open) = self.open.get_mut(&place.key) else { return };
        let delta = match (&mut open.what, it.kind) {
            (What::Message, DeltaKind::Text) => Delta::TextDelta { text: it.delta.clone() },
            (What::Thoughts(told), kind @ (DeltaKind::Reasoning | DeltaKind::ReasoningSummary)) => {
                if *told.get_or_insert(kind) != kind {
                    return;
                }
                Delta::ThinkingDelta { thinking: it.delta.clone() }
            }
            _ => return,
        };
        open.text.push_str(&it.delta);
        said.push(streamed(place, StreamEvent::ContentBlockDelta { index: 0, delta }));
    }

    /// That a tool is still at work, and for how long.
    pub(super) fn progress(&self, place: &Place) -> Option<Message> {
        let open = self.open.get(&place.key)?;
        let What::Tool(name) = &open.what else { return None };
        Some(Message::ToolProgress {
            tool_use_id: open.id.clone(),
            tool_name: name.clone(),
            elapsed_time_seconds: place.at.since(open.began).as_secs(),
        })
    }

    pub(super) fn item_completed(&mut self, mut place: Place, it: &data::ItemData, said: &mut Vec<Message>) {
        let item = Item::read(&it.item);
        place.key.2.clone_from(&item.id);
        self.adopt(&place, &item);
        let open = self.open.remove(&place.key);
        match item.kind.as_str() {
            "agentMessage" => said.extend(self.message_ends(&place, &item, open)),
            "reasoning" => said.extend(self.thoughts_end(&place, &item, open)),
            "contextCompaction" => self.compacts(false, said),
            "plan" => self.plan_ends(&place, &item, said),
            "enteredReviewMode" | "exitedReviewMode" => self.review(&place, &item, said),
            _ => said.extend(self.tool_ends(&place, &item, open)),
        }
        self.ended_agents(&place, &item, said);
    }

    fn message_ends(&mut self, place: &Place, item: &Item, open: Option<Open>) -> Vec<Message> {
        let mut said = Vec::new();
        let (id, streamed_text) = match open {
            Some(open) => {
                said.push(streamed(place, StreamEvent::ContentBlockStop { index: 0 }));
                let (delta, usage) = (Stopped::default(), OutputTokens::default());
                said.push(streamed(place, StreamEvent::MessageDelta { delta, usage }));
                (open.id, open.text)
            }
            None => (self.id_of(place), String::new()),
        };
        let text =
            Some(item.text("text").to_owned()).filter(|text| !text.is_empty()).unwrap_or(streamed_text);
        let mut message = self.assistant(format!("codex-agent-{id}"), vec![Block::Text { text }]);
        message.stop_reason = Some("end_turn");
        said.push(told(place, message));
        said
    }

    fn thoughts_end(&mut self, place: &Place, item: &Item, open: Option<Open>) -> Vec<Message> {
        let mut said = Vec::new();
        let (id, began, so_far) = match open {
            Some(open) => (open.id, true, open.text),
            None => (self.id_of(place), false, String::new()),
        };
        let thinking = Some(item.thoughts()).filter(|text| !text.is_empty()).unwrap_or(so_far);
        if !thinking.is_empty() {
            said.push(self.says(place, format!("codex-reasoning-{id}"), Block::Thinking { thinking }));
        }
        if began {
            said.push(streamed(place, StreamEvent::ContentBlockStop { index: 0 }));
        }
        said
    }

    fn tool_ends(&mut self, place: &Place, item: &Item, open: Option<Open>) -> Vec<Message> {
        let mut said = Vec::new();
        let Some(used) = tools::used(item) else { return said };
        let id = match open {
            Some(Open { id, what: What::Tool(_), .. }) => id,
            _ => {
                self.uses(place, used, &mut said);
                self.open.remove(&place.key).map(|open| open.id).unwrap_or_default()
            }
        };
        if let Some(given) = tools::given(item) {
            let block =
                Block::ToolResult { tool_use_id: id.clone(), content: given.text, is_error: given.is_error };
            said.push(self.says(place, format!("codex-tool_result-{id}"), block));
        }
        said
    }

    /// A plan as text: for a person to read, and as a list if Codex gave none.
    fn plan_ends(&mut self, place: &Place, item: &Item, said: &mut Vec<Message>) {
        let text = item.text("text").to_owned();
        let todos = plan::of_text(&text);
        if !text.is_empty() {
            let id = format!("codex-plan-{}-{}", place.key.1, item.id);
            said.push(self.says(place, id, Block::Text { text }));
        }
        if self.turn.plans == 0 && !todos.is_empty() {
            self.todo(place, &todos, said);
        }
    }

    pub(super) fn plan_updated(&mut self, place: &Place, it: &data::PlanUpdated, said: &mut Vec<Message>) {
        self.todo(place, &plan::of_steps(&it.steps), said);
    }

    fn todo(&mut self, place: &Place, todos: &[plan::Todo], said: &mut Vec<Message>) {
        self.turn.plans += 1;
        let id = format!("codex-plan-{}-{}", place.key.1, self.turn.plans);
        let block =
            Block::ToolUse { id: id.clone(), name: "TodoWrite".to_owned(), input: plan::input(todos) };
        said.push(self.says(place, format!("codex-tool_use-{id}"), block));
    }

    fn review(&mut self, place: &Place, item: &Item, said: &mut Vec<Message>) {
        let review = item.text("review");
        let entered = item.kind == "enteredReviewMode";
        let text = if entered { format!("Review started: {review}") } else { review.to_owned() };
        let id = format!("codex-review-{}-{}-{entered}", place.key.1, item.id);
        said.push(self.says(place, id, Block::Text { text }));
    }

    /// The id under which a browser knows an item. Codex's own are unique within a turn only: where two items want the same,
    /// the later one's says its turn too.
    fn id_of(&mut self, place: &Place) -> String {
        let (_, turn, item) = &place.key;
        let owner = self.ids.entry(item.clone()).or_insert_with(|| place.key.clone());
        if *owner == place.key { item.clone() } else { format!("{item}-{turn}") }
    }

    fn assistant(&self, id: String, content: Vec<Block>) -> Assistant {
        let (model, usage) = (self.state.model.clone(), Tokens::default());
        Assistant { id, kind: "message", role: "assistant", model, content, stop_reason: None, usage }
    }

    fn says(&self, place: &Place, id: String, block: Block) -> Message {
        told(place, self.assistant(id, vec![block]))
    }
}

fn told(place: &Place, message: Assistant) -> Message {
    Message::Assistant {
        message: Box::new(message),
        parent_tool_use_id: place.parent.clone(),
        timestamp: place.at.0,
    }
}

fn streamed(place: &Place, event: StreamEvent) -> Message {
    Message::StreamEvent { event, parent_tool_use_id: place.parent.clone() }
}
