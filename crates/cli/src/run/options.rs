//! The options of `selvedge run`.

use std::path::PathBuf;

use clap::Args;

use crate::{place::Reach, record::Record};

/// One message, streamed to the terminal, then exit.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// What to say; `-` reads it from stdin
    pub(super) prompt: String,
    /// Events as NDJSON on stdout, and nothing else there
    #[arg(long, env = "SELVEDGE_JSON")]
    pub(super) json: bool,
    /// A JSON schema: the answer is JSON of this shape, and printed as such
    #[arg(long, value_name = "FILE", env = "SELVEDGE_OUTPUT_SCHEMA", conflicts_with = "json")]
    pub(super) output_schema: Option<PathBuf>,
    /// Goes on with this session; any ending of its id that only one has
    #[arg(long, value_name = "SESSION")]
    pub(super) resume: Option<String>,
    /// Sends a picture with it (PNG, JPEG, GIF, WebP); may be repeated
    #[arg(long, value_name = "FILE")]
    pub(super) image: Vec<PathBuf>,
    /// The turn may take so long
    #[arg(long, value_name = "SECONDS", env = "SELVEDGE_DEADLINE", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) deadline: Option<u64>,
    /// The turn may use so many tokens, input and output together
    #[arg(long, value_name = "TOKENS", env = "SELVEDGE_MAX_TOKENS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) max_tokens: Option<u64>,
    /// The turn may cost so much; needs the model's price in selvedge.toml
    #[arg(long, value_name = "USD", env = "SELVEDGE_MAX_COST")]
    pub(super) max_cost: Option<f64>,
    #[command(flatten)]
    pub(super) record: Record,
    #[command(flatten)]
    pub(super) reach: Reach,
}
