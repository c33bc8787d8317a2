//! A change of files: asked for where the policy says so, then really made, inside the thread's directory.

use serde_json::{Value, json};

use super::{
    super::{
        items::{self, Item},
        params::Approval,
        patch::{self, Change},
        thread::Status,
    },
    Cut, Played, Playing,
    approval::Decision,
};
use crate::scenario::Patch;

impl Playing {
    pub(super) async fn change_files(&mut self, patch: &Patch) -> Played {
        let id = self.next_item_id("call");
        self.store_call(
            json!({ "type": "custom_tool_call", "name": "apply_patch", "input": patch.patch, "call_id": id }),
        );
        let changes = match patch::plan(&patch.patch, self.diff.root()) {
            Ok(changes) => changes,
            // Codex tells the model and shows nothing.
            Err(error) => {
                eprintln!("rehearsal: a patch does not fit: {error}");
                return Ok(());
            }
        };
        let item = items::file_change(&id, &shown(&changes));
        self.item_started(&item).await;
        if self.must_ask_to_change(&changes) {
            let decision = self.ask_to_change(&item).await?;
            self.status(Status::Active).await;
            if decision == Decision::AcceptForSession {
                self.thread.state().allowed.extend(changes.iter().map(Change::key));
            }
            if !decision.accepts() {
                return self.not_changed(item, decision).await;
            }
        }
        self.make(item, &changes).await
    }

    fn must_ask_to_change(&self, changes: &[Change]) -> bool {
        let state = self.thread.state();
        let asks = match state.settings.approval {
            Approval::Never => false,
            Approval::Untrusted => true,
            Approval::OnRequest | Approval::Granular(_) => state.settings.is_read_only(),
        };
        asks && !changes.iter().all(|change| state.allowed.contains(&change.key()))
    }

    async fn ask_to_change(&mut self, item: &Item) -> Played<Decision> {
        self.status(Status::WaitingOnApproval).await;
        let params = json!({
            "threadId": self.thread.id(), "turnId": self.id, "itemId": item.id(),
            "startedAtMs": item.started_at_ms(), "reason": null, "grantRoot": null,
        });
        let answer = self.ask("item/fileChange/requestApproval", &params).await?;
        Ok(Decision::read(&answer))
    }

    async fn not_changed(&mut self, mut item: Item, decision: Decision) -> Played {
        // Unlike a command's, the item of a cancelled change is left open.
        if decision == Decision::Cancel {
            return Err(Cut::Interrupted);
        }
        let status = if decision == Decision::Refused { "failed" } else { "declined" };
        item.set("status", json!(status));
        self.item_completed(item.completed()).await;
        Ok(())
    }

    async fn make(&mut self, mut item: Item, changes: &[Change]) -> Played {
        let made = changes.iter().try_for_each(|change| {
            self.diff.remember(change);
            change.make()
        });
        item.set("status", json!(if made.is_ok() { "completed" } else { "failed" }));
        self.item_completed(item.completed()).await;
        if let Some(diff) = self.diff.text() {
            self.tell(&self.place().diff(&diff)).await;
        }
        Ok(())
    }
}

fn shown(changes: &[Change]) -> Value {
    changes.iter().map(Change::value).collect()
}
