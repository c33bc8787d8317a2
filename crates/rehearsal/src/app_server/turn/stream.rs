//! What a response streams: messages and reasoning, delta by delta, at the scenario's pace.

use std::time::Duration;

use serde_json::json;

use super::{super::items, Played, Playing, ear::Steering};
use crate::scenario::{Action, Answer, Hang, Say, Search, Think, value_for};

impl Playing {
    /// Plays one action that is no tool call. A failure that comes first is one of the request, not of the stream.
    pub(super) async fn stream(&mut self, action: &Action, first: bool) -> Played {
        match action {
            Action::Say(say) => self.say(say).await,
            Action::Think(think) => self.think(think).await,
            Action::Search(search) => self.search(search).await,
            Action::Answer(answer) => self.answer(answer).await,
            Action::Fail(fail) => self.fail(fail, first).await,
            Action::Hang(hang) => self.hang(hang).await,
            Action::Crash(crash) => self.crash(crash).await,
            Action::Garbage(garbage) => self.garbage(garbage).await,
            Action::HugeLine(huge) => self.huge_line(huge).await,
            Action::HalfLine(half) => self.half_line(half).await,
            Action::Flood(flood) => self.flood(flood).await,
            // The rest are usage, which is reported at the response's end, and tool calls, which come after it.
            _ => Ok(()),
        }
    }

    async fn say(&mut self, say: &Say) -> Played {
        let id = self.next_item_id("msg");
        let mut item = items::agent_message(&id, say.phase.as_deref());
        self.item_started(&item).await;
        let pieces = say.pieces(&say.text);
        for delta in &pieces {
            self.pause(say.pace_ms).await?;
            self.tell(&self.place().message_delta(&id, delta)).await;
        }
        if !say.open {
            item.set("text", json!(pieces.concat()));
            self.item_completed(item.completed()).await;
        }
        Ok(())
    }

    async fn answer(&mut self, answer: &Answer) -> Played {
        let fitting = answer.json.clone().or_else(|| self.output_schema.as_ref().map(value_for));
        let why = "rehearsal: `answer` cannot be played here: the turn has no output schema, and the scenario no `json`";
        let text = fitting.map_or_else(|| why.to_owned(), |value| value.to_string());
        self.say(&Say { text, deltas: Some(1), ..Say::default() }).await
    }

    async fn think(&mut self, think: &Think) -> Played {
        let id = self.next_item_id("rs");
        let mut item = items::reasoning(&id);
        self.item_started(&item).await;
        self.tell(&self.place().summary_part(&id)).await;
        for delta in think.pieces() {
            self.pause(think.pace_ms).await?;
            self.tell(&self.place().summary_delta(&id, &delta)).await;
        }
        item.set("summary", json!([think.text]));
        self.item_completed(item.completed()).await;
        Ok(())
    }

    async fn search(&mut self, search: &Search) -> Played {
        let mut item = items::web_search(&self.next_item_id("ws"));
        self.item_started(&item).await;
        item.set("query", json!(search.query));
        item.set("action", json!({ "type": "search", "query": search.query, "queries": null }));
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
}
