//! What was told of turns: by Codex's own lines, and by the events that were made of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
};

use serde_json::Value;

/// Thread, turn, item.
type Place = (String, String, String);

/// What was told, in a form in which both can be compared. What Codex says of a turn after its end is left out: then its
/// session may rest, and nobody listens.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// What streamed, joined.
    texts: BTreeMap<Place, String>,
    begun: BTreeMap<Place, usize>,
    completed: BTreeMap<Place, Value>,
    turns_begun: BTreeMap<Place, usize>,
    turns_ended: BTreeMap<Place, usize>,
    /// What people and tools were asked, by the item it is about.
    asked: BTreeMap<Place, usize>,
    /// How often something was used.
    used: BTreeMap<Place, usize>,
    /// The last total of each thread.
    totals: BTreeMap<String, u64>,
    /// Which messages of ours were said, and how often.
    said: BTreeMap<String, usize>,
}

impl Told {
    /// The thread of a line that is about a turn.
    pub(super) fn thread_of(line: &Value) -> Option<&str> {
        let params = &line["params"];
        let is_of_a_turn = params["turnId"].is_string() || params["turn"]["id"].is_string();
        params["threadId"].as_str().filter(|_| is_of_a_turn)
    }

    /// What Codex said about these threads.
    pub(super) fn by_codex(lines: &[Value], threads: &BTreeSet<&str>) -> Self {
        let mut told = Self::default();
        let mut ended = BTreeSet::new();
        let mut requests = BTreeSet::new();
        for line in lines {
            let Some(thread) = Self::thread_of(line).filter(|thread| threads.contains(thread)) else {
                continue;
            };
            let params = &line["params"];
            let turn = params["turnId"].as_str().or(params["turn"]["id"].as_str()).unwrap();
            if ended.contains(&(thread, turn)) {
                continue;
            }
            let item =
                params["itemId"].as_str().or(params["item"]["id"].as_str()).or(params["callId"].as_str());
            let place = place(thread, turn, item.unwrap_or_default());
            match line["method"].as_str().unwrap_or_default() {
                // Codex repeats what it waits for, under the same number, when somebody comes back.
                _ if line["id"].is_number() => {
                    let is_new = requests.insert((thread, line["id"].to_string()));
                    *told.asked.entry(place).or_default() += usize::from(is_new);
                }
                "turn/started" => *told.turns_begun.entry(place).or_default() += 1,
                "turn/completed" => {
                    *told.turns_ended.entry(place).or_default() += 1;
                    ended.insert((thread, turn));
                }
                "item/started" => *told.begun.entry(place).or_default() += 1,
                "item/completed" => told.complete(place, &params["item"]),
                "thread/tokenUsage/updated" => {
                    *told.used.entry(place).or_default() += 1;
                    let total = params["tokenUsage"]["total"]["totalTokens"].as_u64().unwrap();
                    told.totals.insert(thread.to_owned(), total);
                }
                piece if piece.to_lowercase().ends_with("delta") => {
                    told.texts
                        .entry(place)
                        .or_default()
                        .push_str(params["delta"].as_str().unwrap_or_default());
                }
                _ => {}
            }
        }
        told
    }

    /// What the events of a session with this thread tell.
    pub(super) fn by_events(story: &[Value], own: &str) -> Self {
        let mut told = Self::default();
        let mut ended = BTreeSet::new();
        for event in story {
            let thread = event["thread_id"].as_str().unwrap_or(own);
            let Some(turn) = event["turn_id"].as_str() else { continue };
            let tells_of_the_turn =
                ["turn.started", "turn.completed"].iter().any(|kind| event["type"] == *kind);
            if ended.contains(&(thread, turn)) && !tells_of_the_turn {
                continue;
            }
            let (data, place) =
                (&event["data"], place(thread, turn, event["item_id"].as_str().unwrap_or_default()));
            match event["type"].as_str().unwrap() {
                "turn.started" => *told.turns_begun.entry(place).or_default() += 1,
                "turn.completed" => {
                    *told.turns_ended.entry(place).or_default() += 1;
                    ended.insert((thread, turn));
                }
                "item.started" => *told.begun.entry(place).or_default() += 1,
                // What was left open was closed by us.
                "item.completed" if data.get("closed").is_none() => told.complete(place, &data["item"]),
                "item.delta" => {
                    told.texts.entry(place).or_default().push_str(data["delta"].as_str().unwrap());
                }
                "usage.updated" => *told.used.entry(place).or_default() += 1,
                "approval.requested" | "tool.requested" => *told.asked.entry(place).or_default() += 1,
                _ => {}
            }
        }
        told
    }

    fn complete(&mut self, place: Place, item: &Value) {
        if let Some(id) = item["clientId"].as_str() {
            *self.said.entry(id.to_owned()).or_default() += 1;
        }
        let before = self.completed.insert(place, item.clone());
        assert_eq!(before, None, "an item is completed once");
    }

    /// Compares this, which was said, with what was kept.
    pub(super) fn assert_is(&self, kept: &Self) {
        same("turns begun", &self.turns_begun, &kept.turns_begun);
        same("turns ended", &self.turns_ended, &kept.turns_ended);
        same("items begun", &self.begun, &kept.begun);
        same("items completed", &self.completed, &kept.completed);
        same("what streamed", &self.texts, &kept.texts);
        same("what was asked", &self.asked, &kept.asked);
        same("what was used", &self.used, &kept.used);
        let twice: Vec<_> = self.said.iter().filter(|(_, times)| **times > 1).collect();
        assert!(twice.is_empty(), "said to Codex twice: {twice:?}");
    }

    /// The sum of its threads.
    pub(super) fn used(&self) -> u64 {
        self.totals.values().sum()
    }

    pub(super) fn turns(&self) -> usize {
        self.turns_ended.len()
    }
}

fn place(thread: &str, turn: &str, item: &str) -> Place {
    (thread.to_owned(), turn.to_owned(), item.to_owned())
}

/// Shows only where they differ.
fn same<T: PartialEq + Debug>(what: &str, said: &BTreeMap<Place, T>, kept: &BTreeMap<Place, T>) {
    let places: BTreeSet<_> = said.keys().chain(kept.keys()).collect();
    let differences = places.into_iter().filter(|place| said.get(*place) != kept.get(*place));
    let differences: Vec<_> = differences.map(|place| (place, said.get(place), kept.get(place))).collect();
    assert!(differences.is_empty(), "{what}: where, said, kept: {differences:#?}");
}
