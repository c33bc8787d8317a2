//! Tool calls other than commands and patches: dynamic tools and the plan.

use std::time::Instant;

use serde_json::{Value, json};

use super::{
    super::{items, wire::Answer},
    Played, Playing,
};
use crate::scenario::{Action, Tool};

impl Playing {
    /// Plays one tool call.
    pub(super) async fn call(&mut self, action: &Action) -> Played {
        match action {
            Action::Run(run) => self.run_command(run).await,
            Action::Patch(patch) => self.change_files(patch).await,
            Action::Tool(tool) => self.dynamic_tool(tool).await,
            Action::Plan(plan) => {
                self.tell(&self.place().plan(plan)).await;
                Ok(())
            }
            // The script has said in words what cannot be played.
            _ => Ok(()),
        }
    }

    async fn dynamic_tool(&mut self, tool: &Tool) -> Played {
        let id = self.next_item_id("call");
        let mut item = items::dynamic_tool_call(&id, tool);
        self.store_call(json!({
            "type": "function_call", "name": tool.name, "arguments": tool.arguments.to_string(), "call_id": id,
        }));
        self.item_started(&item).await;
        let params = json!({
            "threadId": self.thread.id(), "turnId": self.id, "callId": id, "namespace": tool.namespace,
            "tool": tool.name, "arguments": tool.arguments,
        });
        let started = Instant::now();
        let answered = self.ask("item/tool/call", &params).await;
        let (content, success) = answered.as_ref().map_or((json!([]), false), read_tool_answer);
        item.set("status", json!(if success { "completed" } else { "failed" }));
        item.set("contentItems", content);
        item.set("success", json!(success));
        item.set("durationMs", json!(u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX)));
        self.item_completed(item.completed()).await;
        answered.map(|_| ())
    }
}

/// The content of a tool's answer; an error, or a wrong shape, is a failed call.
fn read_tool_answer(answer: &Answer) -> (Value, bool) {
    let failed = |why: &str| (json!([{ "type": "inputText", "text": why }]), false);
    match answer {
        Err(_) => failed("dynamic tool request failed"),
        Ok(result) => match (result["contentItems"].as_array(), result["success"].as_bool()) {
            (Some(items), Some(success)) => (json!(items), success),
            _ => failed("dynamic tool response was invalid"),
        },
    }
}
