//! Deltas as fast as the pipe takes them, or at a pace: the writer makes them, the turn only says how many more.

use std::time::Duration;

use serde_json::json;
use tokio::sync::oneshot;

use super::{
    super::{
        items,
        numbered::{MARK, Number, Numbered},
        outbox::{Batch, Out},
    },
    Played, Playing,
    ear::Steering,
};
use crate::scenario::Flood;

/// Lines between two looks whether the client has something to say.
const BATCH: usize = 4096;

impl Playing {
    /// Each delta begins with its number or, at a pace, with the time when it was written. The item's text is not their sum: a line of many megabytes would be another
    /// test.
    pub(super) async fn flood(&mut self, flood: &Flood) -> Played {
        let id = self.next_item_id("msg");
        let mut item = items::agent_message(&id, None);
        self.item_started(&item).await;
        let mut lines = Some(self.numbered(&id, flood));
        let mut every =
            flood.every_ms.map(|every| tokio::time::interval(Duration::from_millis(every.max(1))));
        let batch_size = if every.is_some() { 1 } else { BATCH };
        let mut left = flood.deltas;
        while left > 0
            && let Some(batch) = lines.take()
        {
            if let Some(every) = &mut every {
                self.ear.unless(Steering::Cuts, every.tick()).await?;
            }
            let count = left.min(batch_size);
            lines = self.ear.unless(Steering::Cuts, send(&self.server.outbox, batch, count)).await?;
            left -= count;
        }
        item.set("text", json!(format!("{} deltas", flood.deltas)));
        self.item_completed(item.completed()).await;
        Ok(())
    }

    fn numbered(&self, item: &str, flood: &Flood) -> Numbered {
        let bytes = flood.line_bytes.unwrap_or(250);
        let number = if flood.every_ms.is_some() { Number::Time } else { Number::Count(0) };
        let bare = self.place().message_delta(item, MARK).line().len();
        let filling = ".".repeat(bytes.saturating_sub(bare));
        Numbered::new(&self.place().message_delta(item, &format!("{MARK}{filling}")).line(), number)
    }
}

/// Hands lines to the writer and gets them back when they are written; nothing, when the writer is gone.
async fn send(outbox: &super::super::outbox::Outbox, lines: Numbered, count: usize) -> Option<Numbered> {
    let (done, written) = oneshot::channel();
    outbox.send(Out::Numbered(Box::new(Batch { lines, count, done }))).await;
    written.await.ok()
}
