//! The scenario: what a stand-in says and does, as a file a person can read.
//!
//! A scenario is a list of rules. The first rule that matches the *last user text* plays; its steps are the model
//! responses of that turn, in order. Which step is next is the number of tool outputs after that text, so a player
//! keeps no state and survives retry, resume and fork.

mod ability;
mod action;
mod calls;
mod checks;
mod faults;
mod filled;
mod load;
mod matching;
mod pieces;
mod place;
mod rule;
mod schema;
mod words;

use serde::Deserialize;

pub use ability::{Ability, Mode, Models, Modes, Players, abilities, ability_table};
pub use action::Action;
pub use calls::{Ask, Mcp, Patch, Plan, PlanStep, Question, Run, Spawn, Tool};
pub use faults::{Crash, Fail, FailKind, Flood, Garbage, HalfLine, Hang, HugeLine};
pub use load::ScenarioError;
pub use place::{CLOSING, Place};
pub use rule::{Rule, Step};
pub use schema::value_for;
pub use words::{Answer, Compact, Say, Search, Think, Usage};

/// A whole scenario file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Shown where a stand-in introduces itself.
    #[serde(default)]
    pub name: String,
    /// Tried in order; the first that matches plays.
    #[serde(default, rename = "rule")]
    pub rules: Vec<Rule>,
}
