//! What the agent says, thinks and does, as it begins, goes on and ends.

use selvedge_session::{Timestamp, data, data::DeltaKind};
use serde_json::{Value, json};

use super::{
    message::{Assistant, Block, Delta, Message, OutputTokens, Stopped, StreamEvent, Tokens},
    plan,
    speaker::{Place, Speaker},
    tools,
};
use crate::item::Item;

/// An item that began and has not ended.
#[derive(Debug, Clone)]
pub(super) struct Open {
    /// The id under which the browser knows it.
    pub(super) id: String,
    what: What,
    /// What was said of it so far.
    text: String,
    began: Timestamp,
    /// What its tool is used with.
    pub(super) input: Value,
    parent: Option<String>,
}

/// As what it is told.
#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    Message,
    /// Of which the first kind of pieces is told.
    Thoughts(Option<DeltaKind>),
    Tool(String),
    /// A tool that is told when it has ended.
    Later,
    Other,
}

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
                let message = self.assistant(format!("codex-agent-{id}"), Vec::new(), None);
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
        said.push(self.says(place, format!("codex-tool_use-{id}"), block, None));
        let open = Open { input: used.input, ..Open::new(id, What::Tool(used.name), place) };
        self.open.insert(place.key.clone(), open);
    }

    pub(super) fn item_delta(&mut self, place: Place, it: &data::Delta, said: &mut Vec<Message>) {
        if !self.open.contains_key(&place.key) {
            match it.kind {
                DeltaKind::Text => self.begins(&place, What::Message, said),
                DeltaKind::Reasoning | DeltaKind::ReasoningSummary => {
                    self.begins(&place, What::Thoughts(None), said);
                }
                DeltaKind::Output | DeltaKind::Patch | DeltaKind::Plan => {}
            }
        }
        if it.kind == DeltaKind::Output {
            return said.extend(self.progress(&place));
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
        said.push(streamed(&place, StreamEvent::ContentBlockDelta { index: 0, delta }));
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
            "agentMessage" => self.message_ends(&place, &item, open, said),
            "reasoning" => self.thoughts_end(&place, &item, open, said),
            "contextCompaction" => self.compacts(false, said),
            "plan" => self.plan_ends(&place, &item, said),
            "enteredReviewMode" | "exitedReviewMode" => self.review(&place, &item, said),
            _ => self.tool_ends(&place, &item, open, said),
        }
        self.ended_agents(&place, &item, said);
    }

    fn message_ends(&mut self, place: &Place, item: &Item, open: Option<Open>, said: &mut Vec<Message>) {
        let (id, streamed_text) = match open {
            Some(open) => {
                said.push(streamed(place, StreamEvent::ContentBlockStop { index: 0 }));
                let (delta, usage) = (Stopped::default(), OutputTokens::default());
                said.push(streamed(place, StreamEvent::MessageDelta { delta, usage }));
                (open.id, open.text)
            }
            None => (self.id_of(place), String::new()),
        };
        let text = Some(item.text("text").to_owned()).filter(|text| !text.is_empty()).unwrap_or(streamed_text);
        said.push(self.says(place, format!("codex-agent-{id}"), Block::Text { text }, Some("end_turn")));
    }

    fn thoughts_end(&mut self, place: &Place, item: &Item, open: Option<Open>, said: &mut Vec<Message>) {
        let (id, began, so_far) = match open {
            Some(open) => (open.id, true, open.text),
            None => (self.id_of(place), false, String::new()),
        };
        let thinking = Some(item.thoughts()).filter(|text| !text.is_empty()).unwrap_or(so_far);
        if !thinking.is_empty() {
            said.push(self.says(place, format!("codex-reasoning-{id}"), Block::Thinking { thinking }, None));
        }
        if began {
            said.push(streamed(place, StreamEvent::ContentBlockStop { index: 0 }));
        }
    }

    fn tool_ends(&mut self, place: &Place, item: &Item, open: Option<Open>, said: &mut Vec<Message>) {
        let Some(used) = tools::used(item) else { return };
        let id = match open {
            Some(Open { id, what: What::Tool(_), .. }) => id,
            _ => {
                self.uses(place, used, said);
                self.open.remove(&place.key).map(|open| open.id).unwrap_or_default()
            }
        };
        if let Some(given) = tools::given(item) {
            let block =
                Block::ToolResult { tool_use_id: id.clone(), content: given.text, is_error: given.is_error };
            said.push(self.says(place, format!("codex-tool_result-{id}"), block, None));
        }
    }

    /// A plan as text: for a person to read, and as a list if Codex gave none.
    fn plan_ends(&mut self, place: &Place, item: &Item, said: &mut Vec<Message>) {
        let text = item.text("text").to_owned();
        let todos = plan::of_text(&text);
        if !text.is_empty() {
            let id = format!("codex-plan-{}-{}", place.key.1, item.id);
            said.push(self.says(place, id, Block::Text { text }, None));
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
        let block = Block::ToolUse { id: id.clone(), name: "TodoWrite".to_owned(), input: plan::input(todos) };
        said.push(self.says(place, format!("codex-tool_use-{id}"), block, None));
    }

    fn review(&mut self, place: &Place, item: &Item, said: &mut Vec<Message>) {
        let review = item.text("review");
        let entered = item.kind == "enteredReviewMode";
        let text = if entered { format!("Review started: {review}") } else { review.to_owned() };
        let id = format!("codex-review-{}-{}-{entered}", place.key.1, item.id);
        said.push(self.says(place, id, Block::Text { text }, None));
    }

    /// The threads of sub-agents belong to the first item that names them: what is said there is told under it.
    fn adopt(&mut self, place: &Place, item: &Item) {
        if item.kind != "collabAgentToolCall" {
            return;
        }
        let id = self.id_of(place);
        for thread in item.receivers() {
            self.parents.entry(thread.to_owned()).or_insert_with(|| id.clone());
        }
    }

    fn started_agents(&mut self, place: &Place, item: &Item, said: &mut Vec<Message>) {
        let count = item.receivers().len();
        if item.kind == "collabAgentToolCall" && count > 0 {
            let text = format!("Started {} for {count} agent(s).", item.text("tool"));
            self.under(place, "started", text, said);
        }
    }

    fn ended_agents(&mut self, place: &Place, item: &Item, said: &mut Vec<Message>) {
        if item.kind != "collabAgentToolCall" {
            return;
        }
        if let Some(given) = tools::given(item) {
            self.under(place, "ended", format!("{}.", given.text), said);
        }
    }

    /// Words under an item.
    fn under(&mut self, place: &Place, which: &str, text: String, said: &mut Vec<Message>) {
        let id = self.id_of(place);
        let below = Place { parent: Some(id.clone()), ..place.clone() };
        said.push(self.says(&below, format!("codex-collab-{which}-{id}"), Block::Text { text }, None));
    }

    /// The id under which a browser knows an item. Codex's own are unique within a turn only: where two items want the same,
    /// the later one's says its turn too.
    fn id_of(&mut self, place: &Place) -> String {
        let (_, turn, item) = &place.key;
        let owner = self.ids.entry(item.clone()).or_insert_with(|| place.key.clone());
        if *owner == place.key { item.clone() } else { format!("{item}-{turn}") }
    }

    fn assistant(&self, id: String, content: Vec<Block>, stop_reason: Option<&'static str>) -> Assistant {
        let (model, usage) = (self.state.model.clone(), Tokens::default());
        Assistant { id, kind: "message", role: "assistant", model, content, stop_reason, usage }
    }

    fn says(&self, place: &Place, id: String, block: Block, stop_reason: Option<&'static str>) -> Message {
        Message::Assistant {
            message: Box::new(self.assistant(id, vec![block], stop_reason)),
            parent_tool_use_id: place.parent.clone(),
            timestamp: place.at.0,
        }
    }

    /// What is being said right now, from its beginning, for a browser that was not there.
    pub(super) fn being_said(&self) -> Vec<Message> {
        let mut open: Vec<_> = self.open.values().filter(|open| !open.text.is_empty()).collect();
        open.sort_by(|a, b| (a.began, &a.id).cmp(&(b.began, &b.id)));
        open.into_iter().flat_map(|open| open.again(self)).collect()
    }
}

impl Open {
    fn new(id: String, what: What, place: &Place) -> Self {
        let (began, parent) = (place.at, place.parent.clone());
        Self { id, what, text: String::new(), began, input: Value::Null, parent }
    }

    fn again(&self, speaker: &Speaker) -> Vec<Message> {
        let text = self.text.clone();
        let (start, delta) = match self.what {
            What::Message => {
                let message = speaker.assistant(format!("codex-agent-{}", self.id), Vec::new(), None);
                (StreamEvent::MessageStart { message: Box::new(message) }, Delta::TextDelta { text })
            }
            What::Thoughts(_) => {
                let block = Block::Thinking { thinking: String::new() };
                let start = StreamEvent::ContentBlockStart { index: 0, content_block: block };
                (start, Delta::ThinkingDelta { thinking: text })
            }
            What::Tool(_) | What::Later | What::Other => return Vec::new(),
        };
        let events = [start, StreamEvent::ContentBlockDelta { index: 0, delta }];
        let told = |event| Message::StreamEvent { event, parent_tool_use_id: self.parent.clone() };
        events.into_iter().map(told).collect()
    }
}

fn streamed(place: &Place, event: StreamEvent) -> Message {
    Message::StreamEvent { event, parent_tool_use_id: place.parent.clone() }
}
