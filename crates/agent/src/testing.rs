//! For the tests of whoever uses this crate: a [`Codex`](crate::Codex) that plays what the test says, in milliseconds, with no Codex installed.
//!
//! The feature `testing` has it; a program's own tree stays without:
//!
//! ```toml
//! [dev-dependencies]
//! selvedge-agent = { version = "0.1", features = ["testing"] }
//! ```
//!
//! What plays is the stand-in for Codex that this crate itself is tested with. Everything in front of it is real: the runtime, its journal, tools, limits, the session. It speaks within the test's own process, so nothing
//! has to be on the `PATH`.
//!
//! ```
//! use schemars::JsonSchema;
//! use selvedge_agent::{Prompt, Section, Session, Tool, ToolContext, ToolInvoked, testing::Rehearsal};
//! use serde::Deserialize;
//! use serde_json::json;
//!
//! #[derive(Deserialize, JsonSchema)]
//! struct Lookup {
//!     word: String,
//! }
//!
//! #[derive(Deserialize, JsonSchema)]
//! struct Verdict {
//!     known: bool,
//! }
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // What you wrote …
//! let lookup = Tool::new("lookup", "Look a word up.", async |params: Lookup, _: ToolContext| Ok(params.word == "selvedge"));
//! let section = Section::markdown("Task", "task", "Is there a word `selvedge`?").tool(lookup);
//! let prompt = Prompt::<Verdict>::builder("demo", "words").section(section).build()?;
//!
//! // … with a model that does what the test says.
//! let rehearsal = Rehearsal::builder()
//!     .on("Is there a word", |model| model.calls("lookup", json!({"word": "selvedge"})).answers(json!({"known": true})))
//!     .build()?;
//! let codex = rehearsal.codex().build().await?;
//! let session = Session::new();
//! let reply = codex.evaluate(&prompt, &session).await?;
//! assert!(reply.output.known);
//! assert_eq!(session.latest::<ToolInvoked>().map(|told| told.rendered_output), Some("true".to_owned()));
//!
//! // What Codex was asked can be looked at.
//! let asked = rehearsal.asked();
//! assert_eq!(asked[0].text, "## 1. Task (task)\n\nIs there a word `selvedge`?");
//! assert_eq!(asked[0].tools, ["lookup"]);
//! assert_eq!(asked[0].output_schema.as_ref(), prompt.output_schema());
//! codex.close().await;
//! # Ok(())
//! # }
//! ```

mod asked;
mod ear;
mod model;
mod rehearsal;

pub use asked::Asked;
pub use model::Model;
pub use rehearsal::{Rehearsal, RehearsalBuilder};

/// By [`Rehearsal::with_faults`].
///
/// ```
/// use selvedge_agent::testing::Rehearsal;
///
/// let error = Rehearsal::saying("Hello.").with_faults("ignore-interupt").unwrap_err();
/// assert_eq!(error.word, "ignore-interupt");
/// assert!(error.known.contains("ignore-interrupt"));
/// ```
pub use selvedge_rehearsal::BadFault;

/// By [`Rehearsal::recording`].
///
/// ```
/// use selvedge_agent::testing::{ReadError, Rehearsal};
///
/// let error = Rehearsal::recording("/nowhere/good-run.jsonl").unwrap_err();
/// assert!(matches!(error, ReadError::Unreadable { .. }));
/// ```
pub use selvedge_rehearsal::recording::ReadError;

/// For [`Model::fails`].
///
/// ```
/// use selvedge_agent::testing::{FailKind, Rehearsal};
///
/// let broke = Rehearsal::builder().otherwise(|model| model.fails(FailKind::UsageLimit)).build()?;
/// # Ok::<(), selvedge_agent::testing::ScenarioError>(())
/// ```
pub use selvedge_rehearsal::scenario::FailKind;

/// By [`Rehearsal::scenario`] and [`RehearsalBuilder::build`].
///
/// ```
/// use selvedge_agent::testing::Rehearsal;
///
/// let error = Rehearsal::scenario("[[rules]]").unwrap_err();
/// assert!(error.to_string().contains("hint: "), "{error}");
/// ```
pub use selvedge_rehearsal::scenario::ScenarioError;
