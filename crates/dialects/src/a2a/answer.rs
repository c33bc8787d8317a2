//! What a task comes to: the agent's answer, as it grows and as it is in the end.

use selvedge_session::{Item, Json};

use super::{
    message::{Content, Part},
    task::{Artifact, Update},
};

/// The agent's answer. Only the last thing it says is its answer, so what it says anew replaces what it said before.
#[derive(Debug, Clone, Default)]
pub(crate) struct Answer {
    /// The message that grows.
    item: String,
    /// It is said on the way, and no answer.
    aside: bool,
    text: String,
    /// The answer as JSON, if a shape was asked for.
    output: Option<Json>,
    /// Something was told of it.
    told: bool,
}

/// The one artifact's name.
const ID: &str = "answer";

impl Answer {
    /// A message begins.
    pub(crate) fn begin(&mut self, item: &Item) {
        if item.is_message() {
            self.item.clone_from(&item.id);
            self.aside = item.phase.as_deref() == Some("commentary");
        }
    }

    /// A piece of a message.
    pub(crate) fn grow(&mut self, item: &str, piece: &str) -> Option<Update> {
        let follows = self.told && self.item == item && !self.text.is_empty();
        if self.item != item {
            item.clone_into(&mut self.item);
            self.aside = false;
        }
        if self.aside || piece.is_empty() {
            return None;
        }
        if !follows {
            self.text.clear();
        }
        self.text.push_str(piece);
        self.told = true;
        Some(update(vec![Part::text(piece)], follows, false))
    }

    /// This is the answer.
    pub(crate) fn end(&mut self, text: &str, output: Option<&Json>) -> Option<Update> {
        let grown = self.told && self.text == text;
        if !text.is_empty() {
            text.clone_into(&mut self.text);
        }
        self.output = output.cloned();
        if let Some(output) = output {
            return Some(update(vec![data(output)], false, true));
        }
        match (text.is_empty(), grown) {
            (true, _) => None,
            // It was told in pieces: there is nothing to add but that it is whole.
            (false, true) => Some(update(vec![Part::text("")], true, true)),
            (false, false) => Some(update(vec![Part::text(text)], false, true)),
        }
    }

    /// As it stands.
    pub(crate) fn artifacts(&self) -> Vec<Artifact> {
        let part = match &self.output {
            Some(output) => data(output),
            None if self.text.is_empty() => return Vec::new(),
            None => Part::text(&self.text),
        };
        vec![artifact(vec![part])]
    }
}

fn data(output: &Json) -> Part {
    Part::of(Content::Data(serde_json::from_str(output.text()).unwrap_or_default()))
}

fn artifact(parts: Vec<Part>) -> Artifact {
    Artifact { id: ID.to_owned(), name: Some(ID.to_owned()), description: None, parts }
}

fn update(parts: Vec<Part>, append: bool, last: bool) -> Update {
    Update::Artifact { artifact: artifact(parts), append, last }
}
