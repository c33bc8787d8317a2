//! Tool calls other than commands and patches: dynamic tools, the plan, questions to the person.

use std::time::Instant;

use serde_json::{Value, json};

use super::{
    super::{items, thread::Status, wire::Answer},
    Played, Playing,
};
use crate::scenario::{Action, Ask, Question, Tool};

impl Playing {
    /// Plays one tool call.
    pub(super) async fn call(&mut self, action: &Action) -> Played {
        match action {
            Action::Run(run) => self.run_command(run).await,
            Action::Patch(patch) => self.change_files(patch).await,
            Action::Tool(tool) => self.dynamic_tool(tool).await,
            Action::Ask(ask) => self.ask_person(ask).await,
            Action::Plan(plan) => {
                self.tell(&self.place().plan(plan)).await;
                Ok(())
            }
            Action::Mcp(_) => self.cannot_play("mcp").await,
            Action::Spawn(_) => self.cannot_play("spawn").await,
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

    async fn ask_person(&mut self, ask: &Ask) -> Played {
        let id = self.next_item_id("call");
        let questions: Vec<Value> = ask.questions.iter().map(question).collect();
        self.store_call(json!({
            "type": "function_call", "name": "request_user_input", "arguments": json!({ "questions": questions }).to_string(),
            "call_id": id,
        }));
        let params =
            json!({ "threadId": self.thread.id(), "turnId": self.id, "itemId": id, "questions": questions });
        self.status(Status::WaitingOnUserInput).await;
        // Whatever was answered, the scenario goes on; it is the model that would read it.
        let _answer = self.ask("item/tool/requestUserInput", &params).await?;
        self.status(Status::Active).await;
        Ok(())
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

fn question(question: &Question) -> Value {
    let options: Vec<Value> =
        question.options.iter().map(|label| json!({ "label": label, "description": "" })).collect();
    json!({
        "id": question.id, "header": question.header, "question": question.question, "isOther": false,
        "isSecret": false, "options": options,
    })
}
