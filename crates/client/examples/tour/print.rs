//! What Codex says, as a person reads it.

use std::io::{self, Write};

use selvedge_protocol::see::{FileUpdateChange, Notification, ThreadItem, TurnPlanStepStatus};

/// Something about the conversation, not in it.
pub(crate) fn note(text: &str) {
    println!("\n— {text}");
}

/// What the user said.
pub(crate) fn user(text: &str) {
    println!("\n> {text}");
}

/// Prints notifications; remembers only whether the cursor stands inside streamed text.
#[derive(Default)]
pub(crate) struct Printer {
    streaming: bool,
}

impl Printer {
    pub(crate) fn show(&mut self, notification: &Notification<'_>) {
        match notification {
            Notification::ItemAgentMessageDelta(it) => self.stream(&it.delta().unwrap_or_default()),
            Notification::ItemReasoningSummaryTextDelta(it) => self.stream(&it.delta().unwrap_or_default()),
            Notification::ItemStarted(it) => self.item_started(it.item().as_ref()),
            Notification::ItemCompleted(it) => self.item_completed(it.item().as_ref()),
            Notification::TurnPlanUpdated(it) => {
                self.line("plan:");
                for step in it.plan().into_iter().flatten() {
                    let mark = match step.status() {
                        Some(TurnPlanStepStatus::Completed) => "[x]",
                        Some(TurnPlanStepStatus::InProgress) => "[>]",
                        _ => "[ ]",
                    };
                    println!("  {mark} {}", step.step().unwrap_or_default());
                }
            }
            Notification::ThreadTokenUsageUpdated(it) => {
                let total = it.token_usage().and_then(|usage| usage.total());
                if let Some(tokens) = total.and_then(|total| total.total_tokens()) {
                    self.line(&format!("— {tokens} tokens so far"));
                }
            }
            Notification::Error(it) => {
                let message = it.error().and_then(|error| error.message().map(|text| text.into_owned()));
                self.line(&format!("! {}", message.unwrap_or_default()));
            }
            _ => {}
        }
    }

    fn item_started(&mut self, item: Option<&ThreadItem<'_>>) {
        match item {
            Some(ThreadItem::Reasoning(_)) => self.line("(thinking)"),
            Some(ThreadItem::AgentMessage(_)) => self.line(""),
            Some(ThreadItem::CommandExecution(it)) => {
                self.line(&format!("$ {}", it.command().unwrap_or_default()));
            }
            _ => {}
        }
    }

    fn item_completed(&mut self, item: Option<&ThreadItem<'_>>) {
        match item {
            Some(ThreadItem::CommandExecution(it)) => {
                self.line(it.aggregated_output().unwrap_or_default().trim_end());
                match it.exit_code() {
                    Some(code) => println!("  (exit code {code})"),
                    None => println!("  (not run)"),
                }
            }
            Some(ThreadItem::FileChange(it)) => {
                for change in it.changes().into_iter().flatten() {
                    self.file(&change);
                }
            }
            _ => {}
        }
    }

    fn file(&mut self, change: &FileUpdateChange<'_>) {
        self.line(&format!("~ {}", change.path().unwrap_or_default()));
        for line in change.diff().unwrap_or_default().lines() {
            println!("  {line}");
        }
    }

    fn stream(&mut self, text: &str) {
        self.streaming = true;
        print!("{text}");
        // Text that does not show now shows with the next.
        let _shown = io::stdout().flush();
    }

    fn line(&mut self, text: &str) {
        if std::mem::take(&mut self.streaming) {
            println!();
        }
        println!("{text}");
    }
}
