//! Sub-agents: what they do is told under the item that opened them.

use super::{Block, Message, Place, Speaker, tools};
use crate::item::Item;

impl Speaker {
    /// The threads of sub-agents belong to the first item that names them: what is said there is told under it.
    pub(super) fn adopt(&mut self, place: &Place, item: &Item) {
        if item.kind != "collabAgentToolCall" {
            return;
        }
        let id = self.id_of(place);
        for thread in item.receivers() {
            self.parents.entry(thread.to_owned()).or_insert_with(|| id.clone());
        }
    }

    pub(super) fn started_agents(&mut self, place: &Place, item: &Item, said: &mut Vec<Message>) {
        let count = item.receivers().len();
        if item.kind == "collabAgentToolCall" && count > 0 {
            let text = format!("Started {} for {count} agent(s).", item.text("tool"));
            said.push(self.under(place, "started", text));
        }
    }

    pub(super) fn ended_agents(&mut self, place: &Place, item: &Item, said: &mut Vec<Message>) {
        if item.kind != "collabAgentToolCall" {
            return;
        }
        if let Some(given) = tools::given(item) {
            said.push(self.under(place, "ended", format!("{}.", given.text)));
        }
    }

    /// Words under an item.
    fn under(&mut self, place: &Place, which: &str, text: String) -> Message {
        let id = self.id_of(place);
        let below = Place { parent: Some(id.clone()), ..place.clone() };
        self.says(&below, format!("codex-collab-{which}-{id}"), Block::Text { text })
    }
}
