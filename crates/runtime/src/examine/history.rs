//! Looks for a turn in a thread's stored history, newest first.

use std::path::PathBuf;

use selvedge_client::{CallError, Client, History};
use selvedge_protocol::{
    calls,
    say::{ThreadReadParams, ThreadResumeParams, ThreadTurnsListParams, TurnItemsView},
};

use super::{Question, Whom, no_thread, stored::StoredTurn};
use crate::to_codex::refused;

/// Turns a page, and pages at most: further back than this nobody's open question lies.
const PAGE: u64 = 50;
/// The same with everything that was said in them.
const FULL_PAGE: u64 = 5;
const MOST_PAGES: usize = 400;

/// What the history says.
#[derive(Debug, PartialEq)]
pub(super) enum Found {
    /// It has the turn.
    Turn(StoredTurn),
    /// It has others only.
    Nothing,
    /// There is no history: no such thread, or none that was ever written.
    NoThread,
    /// It cannot be read.
    Unreadable,
}

pub(super) async fn find((client, can): Whom<'_>, question: &Question) -> Result<Found, CallError> {
    match can.history() {
        History::Pages => in_pages(client, question).await,
        History::Whole => in_the_whole(client, question).await,
        // Nobody can be asked without loading the thread; who lives may be at work, and says how it ends.
        History::OnResume if question.alive => Ok(Found::Nothing),
        History::OnResume => Ok(Found::Unreadable),
    }
}

async fn in_pages(client: &Client, question: &Question) -> Result<Found, CallError> {
    let mut cursor = None;
    for _ in 0..MOST_PAGES {
        let params = ThreadTurnsListParams {
            cursor: cursor.take(),
            limit: Some(if question.steered { FULL_PAGE } else { PAGE }),
            // Shortened, a turn shows only the message that opened it.
            items_view: question.steered.then_some(TurnItemsView::Full),
            ..ThreadTurnsListParams::new(question.thread_id.as_str())
        };
        let page = match client.call::<calls::ThreadTurnsList>(&params).await {
            Ok(page) => page,
            Err(error) if no_thread(&error) => return Ok(Found::NoThread),
            Err(error) if refused(&error).is_some() => return Ok(Found::Unreadable),
            Err(error) => return Err(error),
        };
        let page = page.read()?;
        let turns = page.data().into_iter().flatten().map(|turn| StoredTurn::read(&turn));
        match search(turns, question) {
            Search::Found(turn) => return Ok(Found::Turn(turn)),
            Search::NotThere => return Ok(Found::Nothing),
            Search::FurtherBack => cursor = page.next_cursor().map(|cursor| cursor.into_owned()),
        }
        if cursor.is_none() {
            return Ok(Found::Nothing);
        }
    }
    Ok(Found::Unreadable)
}

/// Older versions give the whole history with the thread.
async fn in_the_whole(client: &Client, question: &Question) -> Result<Found, CallError> {
    let params =
        ThreadReadParams { include_turns: Some(true), ..ThreadReadParams::new(question.thread_id.as_str()) };
    let answer = match client.call::<calls::ThreadRead>(&params).await {
        Ok(answer) => answer,
        Err(error) if no_thread(&error) => return Ok(Found::NoThread),
        Err(error) if refused(&error).is_some() => return Ok(Found::Unreadable),
        Err(error) => return Err(error),
    };
    let turns = answer.read()?.thread().and_then(|thread| thread.turns());
    Ok(among(turns.into_iter().flatten().map(|turn| StoredTurn::read(&turn)).collect(), question))
}

/// Where the oldest versions keep their record of a thread, which only `thread/resume` says.
pub(super) async fn record_of(client: &Client, thread_id: &str) -> Result<Option<PathBuf>, CallError> {
    match client.call::<calls::ThreadResume>(&ThreadResumeParams::new(thread_id)).await {
        Ok(answer) => {
            let path = answer.read()?.thread().and_then(|thread| thread.path().map(|path| path.into_owned()));
            Ok(path.map(PathBuf::from))
        }
        Err(error) if refused(&error).is_some() => Ok(None),
        Err(error) => Err(error),
    }
}

fn among(turns: Vec<StoredTurn>, question: &Question) -> Found {
    if !turns.iter().all(StoredTurn::is_itself) {
        return Found::Unreadable;
    }
    match search(turns.into_iter().rev(), question) {
        // These versions call a turn completed that failed; without an answer nobody can tell.
        Search::Found(turn) if turn.is_completed_without_an_answer() => Found::Unreadable,
        Search::Found(turn) => Found::Turn(turn),
        Search::NotThere | Search::FurtherBack => Found::Nothing,
    }
}

enum Search {
    Found(StoredTurn),
    NotThere,
    FurtherBack,
}

/// Newest first. By its id, by our message's, or, where Codex keeps no ids of ours, because it is newer than the last.
fn search(turns: impl Iterator<Item = StoredTurn>, question: &Question) -> Search {
    let asked = question.turn_id.as_deref();
    for turn in turns {
        if asked.is_none() && question.dropped.as_deref() == Some(turn.id.as_str()) {
            return Search::NotThere;
        }
        let ours = question.message_id.is_some_and(|id| turn.holds(id));
        if ours || asked == Some(turn.id.as_str()) {
            return Search::Found(turn);
        }
        if asked.is_none() && question.last_turn_id.as_deref() == Some(turn.id.as_str()) {
            return Search::NotThere;
        }
        let newest = asked.is_none() && (question.message_id.is_none() || turn.is_of_unknown_sender());
        if newest {
            return Search::Found(turn);
        }
    }
    Search::FurtherBack
}

#[cfg(test)]
mod tests {
    use selvedge_protocol::{see::Turn, view::View};
    use selvedge_session::MessageId;
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::*;

    const OURS: MessageId = MessageId(Uuid::from_u128(7));

    fn turn(id: &str, items: &Value) -> StoredTurn {
        let raw = json!({"id": id, "status": "completed", "items": items}).to_string();
        StoredTurn::read(&Turn::view(serde_json::from_str(&raw).unwrap()).unwrap())
    }

    fn said_by(client: &Value) -> Value {
        json!([{"type": "userMessage", "id": "u", "clientId": client, "content": []}])
    }

    fn searched(turns: &[StoredTurn], question: &Question) -> Option<String> {
        match search(turns.iter().cloned(), question) {
            Search::Found(turn) => Some(turn.id),
            Search::NotThere | Search::FurtherBack => None,
        }
    }

    #[test]
    fn a_message_is_found_by_our_id_behind_turns_of_others() {
        let history = [
            turn("compaction", &json!([])),
            turn("other", &said_by(&json!(null))),
            turn("ours", &said_by(&json!(OURS.to_string()))),
        ];
        let question = Question { message_id: Some(OURS), ..Question::default() };
        assert_eq!(searched(&history, &question).as_deref(), Some("ours"));
        let question = Question { message_id: Some(MessageId(Uuid::nil())), ..question };
        assert_eq!(searched(&history, &question), None);
    }

    #[test]
    fn without_ids_of_ours_the_turn_after_the_last_known_one_is_ours() {
        let old = json!([{"type": "userMessage", "id": "u", "content": []}]);
        let history = [turn("2", &old), turn("1", &old)];
        let after = |last: Option<&str>| Question {
            message_id: Some(OURS),
            last_turn_id: last.map(str::to_owned),
            ..Question::default()
        };
        assert_eq!(searched(&history, &after(Some("1"))).as_deref(), Some("2"));
        assert_eq!(searched(&history, &after(Some("2"))), None, "nothing is newer");
        assert_eq!(searched(&history[1..], &after(None)).as_deref(), Some("1"));
    }

    #[test]
    fn the_turn_of_an_earlier_attempt_is_not_what_became_of_this_one() {
        let ours = said_by(&json!(OURS.to_string()));
        let history = [turn("2", &ours), turn("1", &ours)];
        let question =
            Question { message_id: Some(OURS), dropped: Some("1".to_owned()), ..Question::default() };
        assert_eq!(searched(&history, &question).as_deref(), Some("2"));
        assert_eq!(searched(&history[1..], &question), None, "it was to be dropped, and is still there");
    }

    #[test]
    fn a_named_turn_is_found_and_no_other_is_taken_for_it() {
        let old = json!([{"type": "userMessage", "id": "u", "content": []}]);
        let history = [turn("2", &old), turn("1", &old)];
        let named = |id: &str| Question { turn_id: Some(id.to_owned()), ..Question::default() };
        assert_eq!(searched(&history, &named("1")).as_deref(), Some("1"));
        assert_eq!(searched(&history, &named("3")), None);
        assert_eq!(searched(&history, &Question::default()).as_deref(), Some("2"), "the newest");
    }
}
