//! A call that a prompt shows, and its result.

use serde::Serialize;
use serde_json::Value;

use super::reply::ToolReply;
use crate::json;

/// A call and its result, as text.
#[derive(Debug, Clone)]
pub(crate) struct Example {
    pub(crate) description: String,
    /// The arguments for the tool's own parser, or why there are none.
    pub(crate) arguments: Result<Value, String>,
    /// The arguments as they are shown, in the order of the type's fields.
    pub(crate) input: String,
    pub(crate) output: String,
}

impl Example {
    pub(crate) fn new(description: String, params: &impl Serialize, reply: &ToolReply) -> Self {
        let arguments = serde_json::to_value(params).map_err(|error| error.to_string());
        // A value that cannot be written is told as the example's problem, and nothing is shown.
        let input = json::spaced(params).unwrap_or_default();
        Self { description, arguments, input, output: reply.words() }
    }

    /// One that somebody wrote down.
    pub(crate) fn of_text(description: &str, input: &str, output: &str) -> Self {
        let arguments =
            serde_json::from_str(input).map_err(|error| format!("its input is not JSON: {error}"));
        Self {
            description: description.to_owned(),
            arguments,
            input: input.to_owned(),
            output: output.to_owned(),
        }
    }

    /// Replaces what is given of it.
    pub(crate) fn change(&mut self, description: Option<&str>, input: Option<&str>, output: Option<&str>) {
        *self = Self::of_text(
            description.unwrap_or(&self.description),
            input.unwrap_or(&self.input),
            output.unwrap_or(&self.output),
        );
    }
}
