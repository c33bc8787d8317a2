//! What a response streams: messages and reasoning, delta by delta, at the scenario's pace.

use std::time::Duration;

use serde_json::json;

use super::{super::items, Played, Playing, ear::Steering};
use crate::scenario::{Action, Hang, Say, Think};

impl Playing {
    /// Plays one action that is no tool call.
    pub(super) async fn stream(&mut self, action: &Action) -> Played {
        match action {
            Action::Say(say) => self.say(say).await,
            Action::Think(think) => self.think(think).await,
            Action::Answer(answer) => self.answer(answer).await,
            Action::Fail(fail) => self.fail(fail).await,
            Action::Hang(hang) => self.hang(hang).await,
            Action::Crash(crash) => self.crash(crash).await,
            Action::Garbage(garbage) => self.garbage(garbage).await,
            Action::HugeLine(huge) => self.huge_line(huge).await,
            Action::HalfLine(half) => self.half_line(half).await,
            Action::Flood(flood) => self.flood(flood).await,
            Action::Compact(_) => self.cannot_play("compact").await,
            // The rest are usage, which is reported at the response's end, and tool calls, which come after it.
            _ => Ok(()),
        }
    }

    pub(super) async fn say(&mut self, say: &Say) -> Played {
        let id = self.next_item_id("msg");
        let mut item = items::agent_message(&id, say.phase.as_deref());
        self.item_started(&item).await;
        let text = say.text.repeat(say.repeat.unwrap_or(1));
        for delta in pieces(&text, say.deltas) {
            self.tell(&self.place().message_delta(&id, delta)).await;
            self.pause(say.pace_ms).await?;
        }
        item.set("text", json!(text));
        self.item_completed(item.completed()).await;
        Ok(())
    }

    async fn think(&mut self, think: &Think) -> Played {
        let id = self.next_item_id("rs");
        let mut item = items::reasoning(&id);
        self.item_started(&item).await;
        self.tell(&self.place().summary_part(&id)).await;
        for delta in pieces(&think.text, think.deltas) {
            self.tell(&self.place().summary_delta(&id, delta)).await;
            self.pause(think.pace_ms).await?;
        }
        item.set("summary", json!([think.text]));
        self.item_completed(item.completed()).await;
        Ok(())
    }

    async fn hang(&mut self, hang: &Hang) -> Played {
        match hang.after_ms {
            None => self.ear.unless(Steering::Cuts, std::future::pending()).await,
            Some(after) => {
                self.pause(after).await?;
                Err(super::fail::disconnected())
            }
        }
    }

    /// Waits for the pace, and hears what was said; without a pace, only hears.
    pub(super) async fn pause(&mut self, ms: u64) -> Played {
        let pace = async move {
            if ms > 0 {
                tokio::time::sleep(Duration::from_millis(ms)).await;
            }
        };
        self.ear.unless(Steering::Cuts, pace).await
    }

    /// Says that this part of the scenario is for the real Codex only.
    pub(super) async fn cannot_play(&mut self, what: &str) -> Played {
        let message =
            format!("the rehearsal cannot play `{what}`; it needs the real Codex and `rehearse model`");
        self.tell(&super::super::messages::warning(self.thread.id(), &message)).await;
        Ok(())
    }
}

/// A text in so many pieces, cut between characters; one a word, unless told.
fn pieces(text: &str, count: Option<usize>) -> Vec<&str> {
    let Some(count) = count else { return text.split_inclusive(' ').collect() };
    let chars: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let count = count.clamp(1, chars.len().max(1));
    let edge = |piece: usize| chars.get(piece * chars.len() / count).copied().unwrap_or(text.len());
    (0..count).map(|piece| &text[edge(piece)..edge(piece + 1)]).filter(|piece| !piece.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_add_up_to_the_text() {
        assert_eq!(pieces("one two  three", None), ["one ", "two ", " ", "three"]);
        assert_eq!(pieces("wörld", Some(2)), ["wö", "rld"]);
        assert_eq!(pieces("ab", Some(9)), ["a", "b"]);
        assert!(pieces("", Some(3)).is_empty());
    }
}
