//! Questions, asked at the terminal. Without a terminal and without `--yes` the answer is no.

use std::io::{self, Write};

use selvedge_protocol::{
    say::{
        CommandExecutionApprovalDecision, CommandExecutionRequestApprovalResponse,
        FileChangeApprovalDecision, FileChangeRequestApprovalResponse,
    },
    see::{CommandExecutionRequestApprovalParams, FileChangeRequestApprovalParams},
};

/// How questions are answered.
pub(crate) struct Approver {
    /// Yes to everything: the user said so on the command line.
    pub(crate) yes: bool,
    /// There is somebody to ask.
    pub(crate) ask: bool,
}

impl Approver {
    pub(crate) async fn command(
        &self,
        asked: &CommandExecutionRequestApprovalParams<'_>,
    ) -> CommandExecutionRequestApprovalResponse {
        let what = format!("run `{}`", asked.command().unwrap_or_default());
        let decision = if self.agrees(&what, asked.reason().as_deref()).await {
            CommandExecutionApprovalDecision::Accept
        } else {
            CommandExecutionApprovalDecision::Decline
        };
        CommandExecutionRequestApprovalResponse::new(decision)
    }

    pub(crate) async fn file_change(
        &self,
        asked: &FileChangeRequestApprovalParams<'_>,
    ) -> FileChangeRequestApprovalResponse {
        let decision = if self.agrees("change the files above", asked.reason().as_deref()).await {
            FileChangeApprovalDecision::Accept
        } else {
            FileChangeApprovalDecision::Decline
        };
        FileChangeRequestApprovalResponse::new(decision)
    }

    async fn agrees(&self, what: &str, reason: Option<&str>) -> bool {
        println!("\n? {}\n  may it {what}?", reason.unwrap_or("Codex asks:"));
        if self.yes || !self.ask {
            println!("  {}", if self.yes { "yes (--yes)" } else { "no: there is nobody to ask" });
            return self.yes;
        }
        print!("  [y/N] ");
        // A prompt that does not show is answered all the same.
        let _shown = io::stdout().flush();
        let answer = tokio::task::spawn_blocking(|| io::stdin().lines().next()).await;
        matches!(answer, Ok(Some(Ok(line))) if line.trim().eq_ignore_ascii_case("y"))
    }
}
