//! `selvedge approvals`: what Codex asks, in every session, and the answers.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use selvedge_runtime::{Answer, PendingApproval};
use selvedge_session::data::Decision;
use serde_json::Value;

use crate::{
    failure::Failure,
    ids,
    place::{self, Place, Reach},
    sessions,
    show::{approval, clean::one_line},
    table,
};

const HEADINGS: [&str; 5] = ["ID", "SESSION", "SINCE", "KIND", "WHAT"];

/// Options of `approvals`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    what: Option<What>,
    /// JSON for scripts
    #[arg(long, global = true)]
    json: bool,
    #[command(flatten)]
    reach: Reach,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Everything that waits; this is what `approvals` alone does
    List,
    /// Yes
    Accept {
        /// Any ending of its id that only one has
        id: String,
        /// And for the rest of the app-server's life
        #[arg(long)]
        for_session: bool,
    },
    /// No
    Decline {
        /// Any ending of its id that only one has
        id: String,
        /// What the agent is told
        #[arg(long, value_name = "TEXT")]
        message: Option<String>,
        /// And the turn ends
        #[arg(long)]
        cancel: bool,
    },
}

pub(crate) fn run(options: Options) -> Result<ExitCode, Failure> {
    let Options { what, json, reach } = options;
    place::with_place(&reach, |place| async move {
        match what.unwrap_or(What::List) {
            What::List => list(&place, json).await?,
            What::Accept { id, for_session } => {
                let decision = if for_session { Decision::AcceptForSession } else { Decision::Accept };
                answer(&place, &id, Answer::new(decision, "cli")).await?;
            }
            What::Decline { id, message, cancel } => {
                let decision = if cancel { Decision::Cancel } else { Decision::Decline };
                answer(&place, &id, Answer { message, ..Answer::new(decision, "cli") }).await?;
            }
        }
        Ok(ExitCode::SUCCESS)
    })
}

async fn list(place: &Place, json: bool) -> Result<(), Failure> {
    let pending = place.approvals().await?;
    if json {
        return sessions::lines(&pending);
    }
    let rows: Vec<_> = pending.iter().map(row).collect();
    Ok(table::print(&HEADINGS, &rows, "nothing waits for an answer")?)
}

fn row(pending: &PendingApproval) -> Vec<String> {
    let request: Value = serde_json::from_str(pending.request.text()).unwrap_or_default();
    let kind = serde_json::to_value(pending.kind).unwrap_or_default();
    vec![
        ids::short(&pending.approval_id),
        ids::short(&pending.session_id),
        sessions::age(pending.at),
        kind.as_str().unwrap_or_default().to_owned(),
        one_line(&approval::in_short(pending.kind, &request), 80),
    ]
}

async fn answer(place: &Place, ending: &str, answer: Answer) -> Result<(), Failure> {
    let pending = place.approvals().await?;
    let one = ids::ending_with(&pending, |approval| approval.approval_id, ending)?;
    Ok(place.answer(one.approval_id, answer).await?)
}
