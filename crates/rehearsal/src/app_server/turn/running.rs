//! A command: asked for where the policy says so, then really run.

use std::{future::pending, sync::Arc, time::Duration};

use serde_json::{Value, json};
use tokio::time::timeout;

use super::{
    super::{
        command::{Job, proposed_amendment, shown},
        items::{self, Item, command_actions},
        params::Approval,
        store::Record,
        thread::Status,
    },
    Cut, Played, Playing,
    approval::Decision,
    ear::Steering,
};
use crate::scenario::Run;

/// So long Codex waits for a command's end before it goes on without it.
const WAIT_MS: u64 = 10_000;

impl Playing {
    pub(super) async fn run_command(&mut self, run: &Run) -> Played {
        let id = self.next_item_id("call");
        let arguments = json!({ "cmd": run.command, "justification": run.justification }).to_string();
        self.store_call(json!({
            "type": "function_call", "name": "exec_command", "arguments": arguments, "call_id": id,
        }));
        let settings = self.thread.state().settings.clone();
        let item = items::command_execution(&id, &run.command, &settings.cwd);
        if !self.must_ask(run, &settings.approval) {
            return self.execute(run, self.job(run, item), false).await;
        }
        match self.ask_to_run(run, &item, &settings.cwd).await? {
            decision if decision.accepts() => {
                if decision == Decision::AcceptForSession {
                    self.thread.state().allowed.insert(run.command.clone());
                }
                self.status(Status::Active).await;
                self.execute(run, self.job(run, item), true).await
            }
            decision => self.not_run(item, decision).await,
        }
    }

    /// A tool call is stored when it is made, as Codex stores it.
    pub(super) fn store_call(&self, call: Value) {
        self.server.store.append(&self.thread, &Record::ResponseItem(call));
    }

    fn must_ask(&self, run: &Run, policy: &Approval) -> bool {
        let asks = match policy {
            Approval::Never => false,
            Approval::Untrusted => true,
            Approval::OnRequest | Approval::Granular(_) => run.escalate,
        };
        asks && !self.thread.state().allowed.contains(&run.command)
    }

    async fn ask_to_run(&mut self, run: &Run, item: &Item, cwd: &str) -> Played<Decision> {
        self.status(Status::WaitingOnApproval).await;
        self.item_started(item).await;
        let amendment = proposed_amendment(&run.command);
        let mut params = json!({
            "kind": "command", "threadId": self.thread.id(), "turnId": self.id, "itemId": item.id(),
            "startedAtMs": item.started_at_ms(), "environmentId": "local", "command": shown(&run.command), "cwd": cwd,
            "commandActions": command_actions(&run.command), "proposedExecpolicyAmendment": amendment,
        });
        if self.server.is_experimental() {
            let amended = json!({ "acceptWithExecpolicyAmendment": { "execpolicy_amendment": amendment } });
            params["availableDecisions"] = json!(["accept", amended, "cancel"]);
        }
        if run.escalate {
            params["reason"] = json!(run.justification);
        }
        let answer = self.ask("item/commandExecution/requestApproval", &params).await?;
        Ok(Decision::read(&answer))
    }

    async fn not_run(&mut self, mut item: Item, decision: Decision) -> Played {
        let status = if decision == Decision::Refused { "failed" } else { "declined" };
        item.set("status", json!(status));
        self.item_completed(item.completed()).await;
        self.status(Status::Active).await;
        if decision == Decision::Cancel { Err(Cut::Interrupted) } else { Ok(()) }
    }

    fn job(&self, run: &Run, item: Item) -> Job {
        Job {
            server: Arc::clone(&self.server),
            thread: Arc::clone(&self.thread),
            turn: self.id.clone(),
            item,
            command: run.command.clone(),
            cwd: self.thread.state().settings.cwd.clone(),
        }
    }

    /// Runs it to its end; an interrupt leaves it running as a background terminal.
    async fn execute(&mut self, run: &Run, job: Job, shown_already: bool) -> Played {
        let (item, started) = match job.start() {
            Ok(started) => started,
            Err(item) => {
                if !shown_already {
                    self.item_started(&item).await;
                }
                self.item_completed(item.completed()).await;
                return Ok(());
            }
        };
        if !shown_already {
            self.item_started(&item).await;
        }
        let wait = Duration::from_millis(run.wait_ms.unwrap_or(WAIT_MS).clamp(250, 30_000));
        match self.ear.unless(Steering::Waits, timeout(wait, started.ended)).await {
            Ok(Ok(Ok(item))) => self.item_completed(item).await,
            // A job that is gone without a word is a server that ends: the turn must not come to an end of its own.
            Ok(Ok(Err(_))) => pending().await,
            // The turn goes on without it.
            Ok(Err(_)) => self.thread.state().terminals.push(started.terminal),
            Err(cut) => {
                self.thread.state().terminals.push(started.terminal);
                return Err(cut);
            }
        }
        Ok(())
    }
}
