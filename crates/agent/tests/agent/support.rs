//! Tools, parameters and values that many tests use.

use schemars::JsonSchema;
use selvedge_agent::{Tool, ToolContext, ToolReply};
use serde::{Deserialize, Serialize};

/// Parameters of a section.
#[derive(Clone, Serialize, JsonSchema)]
pub(crate) struct Who {
    pub(crate) who: String,
    pub(crate) n: u32,
}

pub(crate) fn ada() -> Who {
    Who { who: "Ada".into(), n: 3 }
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Add {
    pub(crate) x: i64,
    pub(crate) y: i64,
}

/// A tool that adds.
pub(crate) fn add(name: &str) -> Tool {
    Tool::new(name, "Add two numbers.", async |params: Add, _: ToolContext| Ok(total(params.x + params.y)))
}

pub(crate) fn total(sum: i64) -> ToolReply {
    ToolReply::text(format!("total={sum}"))
}
