//! Messages that nobody knows, beside those that there are.

use serde_json::{Value, json};

use super::{
    chance::Chance,
    place::Place,
    told::{Did, Marks},
};

/// One message that was added.
pub(super) struct Added {
    did: &'static str,
    thread: Option<String>,
    pub(super) mark: String,
    pub(super) message: Value,
}

impl Added {
    pub(super) fn into_did(self) -> Did {
        let name = self.message["method"].as_str().unwrap_or_default().to_owned();
        Did { name, thread: self.thread, ..Did::new(self.did, &self.mark, self.message) }
    }
}

/// What is added beside a message.
pub(super) fn around(name: &str, place: &Place, chance: &Chance, marks: &mut Marks) -> Vec<Added> {
    let mut added = Vec::new();
    if chance.strikes("item", 1) && name != "turn/started" && !place.rests {
        added.extend(item(place, chance, marks));
    }
    if chance.strikes("notification", 1) {
        added.push(notification(place, chance, marks));
    }
    if chance.strikes("request", 1) {
        added.push(request(place, chance, marks));
    }
    added
}

/// An item of a new kind: whole, left open, or only its end.
fn item(place: &Place, chance: &Chance, marks: &mut Marks) -> Vec<Added> {
    let (Some(thread), Some(turn)) = (&place.thread, &place.turn) else { return Vec::new() };
    let parts: &[&str] = match chance.pick("item parts", 3) {
        0 => &["started", "hologram/delta", "completed"],
        1 => &["started", "hologram/delta"],
        _ => &["completed"],
    };
    let mut id = None;
    let part = |part: &&str| {
        let mark = marks.next();
        let number = marks.number();
        let id: &String = id.get_or_insert_with(|| format!("hologram-{number}"));
        let params = if part.contains('/') {
            json!({"threadId": thread, "turnId": turn, "itemId": id, "delta": {"light": mark}})
        } else {
            let item = json!({"type": "hologram", "id": id, "status": "shining", "text": [mark]});
            json!({"threadId": thread, "turnId": turn, "item": item})
        };
        let message = json!({"method": format!("item/{part}"), "params": params});
        Added { did: "item", thread: Some(thread.clone()), mark, message }
    };
    parts.iter().map(part).collect()
}

/// Something told that nobody knows, with and without a place.
fn notification(place: &Place, chance: &Chance, marks: &mut Marks) -> Added {
    let mark = marks.next();
    let nowhere = format!("nowhere-{}", marks.number());
    let (thread, turn) = (&place.thread, &place.turn);
    let (method, params) = match chance.pick("notification", 8) {
        0 => ("hologram/updated".to_owned(), json!({"mark": mark})),
        1 => ("thread/hologram/updated".to_owned(), json!({"threadId": nowhere, "mark": mark})),
        2 => ("hologram/list".to_owned(), json!([mark, 1, null])),
        3 => (format!("hologram/{mark}"), Value::Null),
        4 => ("turn/hologram".to_owned(), json!({"threadId": 7, "turnId": {"id": mark}})),
        5 => ("codex/event/hologram".to_owned(), json!({"conversationId": thread, "msg": {"type": mark}})),
        6 => ("thread/hologram/updated".to_owned(), json!({"threadId": thread, "mark": mark})),
        _ => (
            "turn/hologram/updated".to_owned(),
            json!({"threadId": thread, "turnId": turn, "itemId": place.item, "mark": mark}),
        ),
    };
    added("notification", json!({"method": method, "params": params}), mark)
}

/// Something asked that nobody knows.
fn request(place: &Place, chance: &Chance, marks: &mut Marks) -> Added {
    let mark = marks.next();
    let nowhere = format!("nowhere-{}", marks.number());
    let (thread, turn) = (&place.thread, &place.turn);
    let (method, params) = match chance.pick("request", 5) {
        0 => ("hologram/request".to_owned(), json!({"mark": mark})),
        1 => ("item/hologram/requestApproval".to_owned(), json!({"threadId": nowhere, "mark": mark})),
        2 => (
            "item/commandExecution/requestApproval".to_owned(),
            json!({"conversation": thread, "mark": mark}),
        ),
        3 => (format!("hologram/{mark}"), Value::Null),
        _ => (
            "item/hologram/requestApproval".to_owned(),
            json!({"threadId": thread, "turnId": turn, "itemId": place.item, "mark": mark}),
        ),
    };
    let number = marks.number();
    let id = if chance.pick("request id", 2) == 0 {
        json!(9_000_000 + number)
    } else {
        json!(format!("h{number}"))
    };
    added("request", json!({"id": id, "method": method, "params": params}), mark)
}

/// Parameters that are nothing are left out.
fn added(did: &'static str, mut message: Value, mark: String) -> Added {
    if let Some(fields) = message.as_object_mut().filter(|fields| fields["params"].is_null()) {
        fields.remove("params");
    }
    let thread = message["params"]["threadId"].as_str().map(str::to_owned);
    Added { did, thread, mark, message }
}
