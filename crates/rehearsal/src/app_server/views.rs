//! Threads and turns as clients see them, and pages of them.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{
    params::{Direction, ItemsView},
    thread::{Birth, PROVIDER, Settings, State, Status, Turn, TurnStatus},
};

/// The version whose shapes these are.
pub(super) const VERSION: &str = "0.166.0";

/// How a thread is shown.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    pub(super) path: Option<PathBuf>,
    pub(super) loaded: bool,
    pub(super) turns: bool,
}

pub(super) fn thread(birth: &Birth, state: &State, shown: &Shown) -> Value {
    let turns: Vec<Value> =
        state.turns.iter().filter(|_| shown.turns).map(|known| turn(known, ItemsView::Full)).collect();
    let environment = json!([{
        "environmentId": "local", "cwd": state.settings.cwd, "runtimeWorkspaceRoots": [state.settings.cwd],
    }]);
    let status = if shown.loaded { state.status } else { Status::NotLoaded };
    json!({
        "id": birth.id, "environments": shown.loaded.then_some(environment), "extra": null, "sessionId": birth.id,
        "forkedFromId": birth.forked_from, "parentThreadId": null, "preview": state.preview(birth),
        "ephemeral": birth.ephemeral, "section": null, "sectionEnteredAt": null, "projectId": null,
        "historyMode": "paginated", "modelProvider": PROVIDER, "model": state.settings.model,
        "reasoningEffort": state.settings.effort, "createdAt": birth.created_at, "updatedAt": state.updated_at,
        "recencyAt": state.updated_at, "status": status.value(), "path": shown.path, "cwd": state.settings.cwd,
        "cliVersion": VERSION, "originator": birth.originator, "source": "vscode",
        "canAcceptDirectInput": shown.loaded.then_some(true), "threadSource": null, "agentNickname": null,
        "agentRole": null, "gitInfo": null, "name": state.name, "daybreakEnabled": null, "turns": turns,
    })
}

/// What `thread/start`, `thread/resume` and `thread/fork` say beside the thread.
pub(super) fn session(thread: &Value, settings: &Settings) -> Value {
    json!({
        "thread": thread, "model": settings.model, "modelProvider": PROVIDER, "serviceTier": null,
        "disabledPluginIds": [], "cwd": settings.cwd, "runtimeWorkspaceRoots": [settings.cwd],
        "instructionSources": [], "approvalPolicy": settings.approval, "approvalsReviewer": "user",
        "sandbox": settings.sandbox, "activePermissionProfile": null, "reasoningEffort": settings.effort,
        "multiAgentMode": "explicitRequestOnly",
    })
}

/// A turn with all, the first and last, or none of its items.
pub(super) fn turn(turn: &Turn, view: ItemsView) -> Value {
    let (items, view) = match view {
        ItemsView::Full => (turn.items.clone(), "full"),
        ItemsView::Summary => (summary(turn), "summary"),
        ItemsView::NotLoaded => (Vec::new(), "notLoaded"),
    };
    turn_value(turn, &items, view)
}

/// A turn as `turn/completed` has it: the last answer, unless there was none.
pub(super) fn ended_turn(turn: &Turn) -> Value {
    let answer = turn.items.iter().rev().find(|item| item["type"] == "agentMessage");
    match answer.filter(|_| turn.status == TurnStatus::Completed) {
        Some(answer) => turn_value(turn, std::slice::from_ref(answer), "summary"),
        None => turn_value(turn, &[], "notLoaded"),
    }
}

/// A turn that is about to begin.
pub(super) fn coming_turn(id: &str) -> Value {
    let mut value = turn_value(&Turn::started(id.to_owned(), 0), &[], "notLoaded");
    value["startedAt"] = Value::Null;
    value
}

fn turn_value(turn: &Turn, items: &[Value], view: &str) -> Value {
    json!({
        "id": turn.id, "rootTurnId": turn.id, "items": items, "itemsView": view, "status": turn.status,
        "error": turn.error, "startedAt": turn.started_at, "completedAt": turn.completed_at,
        "durationMs": turn.duration_ms,
    })
}

fn summary(turn: &Turn) -> Vec<Value> {
    let first = turn.items.iter().find(|item| item["type"] == "userMessage");
    let last = turn.items.iter().rev().find(|item| item["type"] == "agentMessage");
    first.into_iter().chain(last).cloned().collect()
}

/// One item of a history page.
pub(super) fn item_entry(turn: &str, item: &Value) -> Value {
    json!({
        "turnId": turn, "item": item, "startedAtMs": item["startedAtMs"], "completedAtMs": item["completedAtMs"],
    })
}

/// Which part of a list is wanted.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) cursor: Option<String>,
    pub(super) limit: Option<usize>,
    pub(super) direction: Direction,
}

impl Page {
    /// Cuts a list that stands in ascending order. A cursor is a place in that list: `after:N`, or `at:N` for one that
    /// turns round.
    pub(super) fn cut(&self, mut all: Vec<Value>) -> Value {
        let count = all.len();
        let (from, limit) = (self.first(count), self.limit.unwrap_or(25).max(1));
        if self.direction == Direction::Desc {
            all.reverse();
        }
        let data: Vec<Value> = all.into_iter().skip(from).take(limit).collect();
        let last = from + data.len();
        let next = (last < count).then(|| format!("after:{}", self.place(last.saturating_sub(1), count)));
        let back = (!data.is_empty()).then(|| format!("at:{}", self.place(from, count)));
        json!({ "data": data, "nextCursor": next, "backwardsCursor": back })
    }

    fn first(&self, count: usize) -> usize {
        let Some((kind, place)) = self.cursor.as_deref().and_then(|cursor| cursor.split_once(':')) else {
            return 0;
        };
        let at = self.place(place.parse().unwrap_or(0), count);
        if kind == "at" { at } else { at + 1 }
    }

    /// Between a place in the list and a place in the page's order: the same arithmetic both ways.
    fn place(&self, at: usize, count: usize) -> usize {
        match self.direction {
            Direction::Asc => at,
            Direction::Desc => count.saturating_sub(at + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(cursor: Option<&str>, direction: Direction) -> Value {
        let page = Page { cursor: cursor.map(str::to_owned), limit: Some(2), direction };
        page.cut((0..5).map(Value::from).collect())
    }

    #[test]
    fn pages_follow_each_other_to_the_end() {
        let first = page(None, Direction::Desc);
        assert_eq!(first["data"], json!([4, 3]));
        let second = page(first["nextCursor"].as_str(), Direction::Desc);
        assert_eq!(second["data"], json!([2, 1]));
        let third = page(second["nextCursor"].as_str(), Direction::Desc);
        assert_eq!((&third["data"], &third["nextCursor"]), (&json!([0]), &Value::Null));
    }

    #[test]
    fn a_backwards_cursor_turns_round_on_its_anchor() {
        let first = page(None, Direction::Asc);
        let back = page(first["backwardsCursor"].as_str(), Direction::Desc);
        assert_eq!(back["data"], json!([0]));
    }
}
