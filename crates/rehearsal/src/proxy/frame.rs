//! The name of a frame: its method, or for an answer the method it answers.

use std::{
    borrow::Cow,
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::kind::Direction;

/// Questions that wait for their answer, remembered to name it; the oldest are forgotten beyond this.
const REMEMBERED: usize = 4096;

/// Names the frames of both directions.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    open: Arc<Mutex<HashMap<(u8, String), String>>>,
}

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
}

impl Names {
    /// The name of a frame; empty if it has none.
    pub(super) fn name(&self, direction: Direction, line: &[u8]) -> String {
        let Ok(Head { id, method }) = serde_json::from_slice::<Head<'_>>(line) else { return String::new() };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        match (id, method) {
            (None, Some(method)) => method.into_owned(),
            (Some(id), Some(method)) => {
                if open.len() >= REMEMBERED {
                    open.clear();
                }
                open.insert((side(direction), id.get().to_owned()), method.to_string());
                method.into_owned()
            }
            (Some(id), None) => match open.remove(&(side(opposite(direction)), id.get().to_owned())) {
                Some(method) => format!("answer:{method}"),
                None => "answer:".to_owned(),
            },
            (None, None) => String::new(),
        }
    }
}

fn side(direction: Direction) -> u8 {
    match direction {
        Direction::FromCodex => 0,
        Direction::ToCodex => 1,
    }
}

fn opposite(direction: Direction) -> Direction {
    match direction {
        Direction::FromCodex => Direction::ToCodex,
        Direction::ToCodex => Direction::FromCodex,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_named_after_its_question_and_ids_of_both_sides_are_apart() {
        let names = Names::default();
        let (to, from) = (Direction::ToCodex, Direction::FromCodex);
        assert_eq!(names.name(to, br#"{"id":1,"method":"turn/start","params":{}}"#), "turn/start");
        assert_eq!(names.name(from, br#"{"id":1,"method":"item/tool/call"}"#), "item/tool/call");
        assert_eq!(names.name(from, br#"{"id":1,"result":{}}"#), "answer:turn/start");
        assert_eq!(names.name(to, br#"{"id":1,"result":{}}"#), "answer:item/tool/call");
        assert_eq!(names.name(from, br#"{"id":9,"result":{}}"#), "answer:");
        assert_eq!(names.name(from, b"not JSON"), "");
    }
}
