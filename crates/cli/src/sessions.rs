//! `selvedge sessions`: what the journal holds, and what can be done with it.

mod list;
mod show;

pub(crate) use list::{age, lines};

use std::{process::ExitCode, time::Duration};

use clap::{Args, Subcommand};
use serde_json::json;

use crate::{
    failure::Failure,
    history, ids,
    place::{self, Place, Reach},
};

const DAY: u64 = 24 * 60 * 60;

/// Options of `sessions`.
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
    /// All sessions; this is what `sessions` alone does
    List {
        /// Those put away too
        #[arg(long)]
        all: bool,
    },
    /// One session and its messages
    Show {
        /// Any ending of its id that only one has
        id: String,
    },
    /// A new session from this one's history
    Fork {
        /// Any ending of its id that only one has
        id: String,
        /// Only up to this message
        #[arg(long, value_name = "MESSAGE")]
        after: Option<String>,
    },
    /// Puts a session away: it stops, and is listed no more
    Archive {
        /// Any ending of its id that only one has
        id: String,
    },
    /// Ends a session and removes everything only it uses
    Rm {
        /// Any ending of its id that only one has
        id: String,
    },
    /// Removes the sessions of which nothing was heard for so long
    Prune {
        /// So many days
        #[arg(long, value_name = "DAYS")]
        older_than: u64,
    },
}

pub(crate) fn run(options: Options) -> Result<ExitCode, Failure> {
    let Options { what, json, reach } = options;
    place::with_place(&reach, |place| async move {
        match what.unwrap_or(What::List { all: false }) {
            What::List { all } => list::list(&place, all, json).await?,
            What::Show { id } => show::show(&place, &id, json).await?,
            What::Fork { id, after } => fork(&place, &id, after.as_deref(), json).await?,
            What::Archive { id } => {
                let session = place.find(&id).await?;
                session.archive().await?;
                tell(
                    json,
                    &json!({"archived": session.id()}),
                    &format!("{} is put away", ids::short(&session.id())),
                );
            }
            What::Rm { id } => {
                let session = place.find(&id).await?;
                session.remove().await?;
                tell(
                    json,
                    &json!({"removed": [session.id()]}),
                    &format!("{} is removed", ids::short(&session.id())),
                );
            }
            What::Prune { older_than } => {
                let removed = place.prune(Duration::from_secs(older_than.saturating_mul(DAY))).await?;
                tell(json, &json!({"removed": removed}), &format!("{} sessions removed", removed.len()));
            }
        }
        Ok(ExitCode::SUCCESS)
    })
}

async fn fork(place: &Place, id: &str, after: Option<&str>, json: bool) -> Result<(), Failure> {
    let session = place.find(id).await?;
    place.same_backend(&session).await?;
    let after = match after {
        Some(ending) => {
            let messages = history::messages(&session).await?;
            Some(ids::ending_with(&messages, |sent| sent.id, ending)?.id)
        }
        None => None,
    };
    let fork = session.fork(after).await?;
    let short = ids::short(&fork.id());
    tell(json, &json!({"id": fork.id()}), &format!("{short} · go on with: selvedge run --resume {short} …"));
    Ok(())
}

fn tell(as_json: bool, json: &serde_json::Value, text: &str) {
    if as_json {
        println!("{json}");
    } else {
        println!("{text}");
    }
}
