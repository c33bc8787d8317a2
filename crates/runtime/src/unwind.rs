//! Takes turns out of a thread's history: by name where Codex can, else by counting them from the end.

use selvedge_client::{Abilities, CallError, Client, Unwind};
use selvedge_protocol::{calls, say::ThreadReadParams};

use crate::to_codex::{self, refused};

/// Takes out a turn and all after it. One that was never stored cannot be dropped, and need not be; false where the history
/// keeps it, because this Codex has no way to take it out, or names its turns otherwise than it did while they ran.
pub(crate) async fn drop_turn(client: &Client, can: &Abilities, thread_id: &str, turn_id: &str) -> bool {
    match can.unwind() {
        Unwind::Revert => {
            let params = to_codex::drop_turn(thread_id, turn_id);
            let _not_there = client.call::<calls::ThreadRevert>(&params).await;
            true
        }
        Unwind::Rollback => match turns_after(client, thread_id, turn_id).await {
            Ok(Some(after)) => roll_back(client, thread_id, after + 1).await.is_ok(),
            Ok(None) | Err(_) => false,
        },
        Unwind::No => false,
    }
}

/// How many turns the thread has after this one; nothing if this one is not among them.
pub(crate) async fn turns_after(
    client: &Client,
    thread_id: &str,
    turn_id: &str,
) -> Result<Option<usize>, CallError> {
    let params = ThreadReadParams { include_turns: Some(true), ..ThreadReadParams::new(thread_id) };
    let answer = match client.call::<calls::ThreadRead>(&params).await {
        Ok(answer) => answer,
        Err(error) if refused(&error).is_some() => return Ok(None),
        Err(error) => return Err(error),
    };
    let turns: Vec<_> =
        answer.read()?.thread().and_then(|thread| thread.turns()).into_iter().flatten().collect();
    Ok(turns.iter().rev().position(|turn| turn.id == turn_id))
}

/// Takes out so many of the newest turns.
pub(crate) async fn roll_back(client: &Client, thread_id: &str, turns: usize) -> Result<(), CallError> {
    if turns == 0 {
        return Ok(());
    }
    let turns = u32::try_from(turns).unwrap_or(u32::MAX);
    client.request("thread/rollback", &to_codex::roll_back(thread_id, turns)).await.map(drop)
}
