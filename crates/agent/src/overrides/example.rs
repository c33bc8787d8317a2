//! Other examples of a tool's: one in the place of another, one less, one more.

use serde::{Deserialize, Serialize};

use crate::prompt::ToolDescriptor;
use crate::tool::{Example, ToolReply};

/// Another example for a tool: [`added`](Self::added) to those that there are, or put [in the place](Self::instead_of) of one.
/// [`ToolDescriptor::example_removed`] leaves one out.
///
/// ```
/// use schemars::JsonSchema;
/// use selvedge_agent::{ExampleOverride, Prompt, PromptOverride, Section, Session, Tool, ToolContext};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize, JsonSchema)]
/// struct Add {
///     x: i64,
///     y: i64,
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let add = Tool::new("add", "Add two numbers.", async |params: Add, _: ToolContext| Ok(params.x + params.y))
///     .example("small numbers", Add { x: 1, y: 2 }, 3);
/// let prompt = Prompt::text("demo", "sums").section(Section::markdown("Task", "task", "Do sums.").tool(add)).build()?;
///
/// let descriptor = prompt.descriptor();
/// let tool = descriptor.tool("add").ok_or("no such tool")?;
/// let larger = ExampleOverride::added("large numbers", &Add { x: 1_000, y: 2_000 }, 3_000).instead_of(tool, 0);
/// let larger = larger.ok_or("no such example")?;
/// let negative = ExampleOverride::added("negative numbers", &Add { x: -1, y: -2 }, -3);
/// let words = PromptOverride::new(&descriptor, "latest").with(tool.unchanged().example(larger).example(negative));
///
/// let text = prompt.overridden(&words)?.render(&Session::new())?.text().to_owned();
/// assert!(!text.contains("small numbers") && text.contains(r#"{"x": 1000, "y": 2000}"#) && text.contains("negative numbers"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum ExampleOverride {
    /// In the place of one that there is. What is not given stays.
    Modify {
        /// Which, beginning with 0.
        index: usize,
        /// The hash of the one that it was written for.
        expected_hash: String,
        /// What it shows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        /// The arguments of the call, as JSON.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input_json: Option<String>,
        /// What the model is told then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        output: Option<String>,
    },
    /// One that there is no more.
    Remove {
        /// Which, beginning with 0.
        index: usize,
        /// The hash of the one that it was written for.
        expected_hash: String,
    },
    /// One more, behind the others.
    Append {
        /// What it shows.
        description: String,
        /// The arguments of the call, as JSON.
        input_json: String,
        /// What the model is told then.
        output: String,
    },
}

impl ExampleOverride {
    /// One more example. Whether it fits the tool is told when it is applied.
    pub fn added(
        description: impl Into<String>,
        params: &impl Serialize,
        reply: impl Into<ToolReply>,
    ) -> Self {
        let Example { description, input, output, .. } =
            Example::new(description.into(), params, &reply.into());
        Self::Append { description, input_json: input, output }
    }

    /// The same in the place of the one with this number, beginning with 0; nothing, if the tool has no such one.
    #[must_use]
    pub fn instead_of(self, tool: &ToolDescriptor, index: usize) -> Option<Self> {
        let expected_hash = tool.example_hashes.get(index)?.clone();
        Some(match self {
            Self::Append { description, input_json, output } => Self::Modify {
                index,
                expected_hash,
                description: Some(description),
                input_json: Some(input_json),
                output: Some(output),
            },
            Self::Modify { description, input_json, output, .. } => {
                Self::Modify { index, expected_hash, description, input_json, output }
            }
            Self::Remove { .. } => Self::Remove { index, expected_hash },
        })
    }

    /// Which one it is about, and what that was when it was written.
    pub(crate) fn about(&self) -> Option<(usize, &str)> {
        match self {
            Self::Modify { index, expected_hash, .. } | Self::Remove { index, expected_hash } => {
                Some((*index, expected_hash))
            }
            Self::Append { .. } => None,
        }
    }

    /// Whether it was written for the tool's examples as they are.
    pub(crate) fn fits(&self, tool: &ToolDescriptor) -> bool {
        self.about().is_none_or(|(index, hash)| tool.example_hashes.get(index).is_some_and(|it| it == hash))
    }
}

/// Of a tool's examples.
impl ToolDescriptor {
    /// One as it is.
    pub(crate) fn example_shown(&self, index: usize, shown: &Example) -> Option<ExampleOverride> {
        let Example { description, input, output, .. } = shown.clone();
        ExampleOverride::Append { description, input_json: input, output }.instead_of(self, index)
    }

    /// The example with this number is left out; nothing, if there is no such one.
    ///
    /// ```
    /// use selvedge_agent::{Prompt, PromptOverride, Section, Session, Tool, ToolContext};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let wave = Tool::new("wave", "Wave.", async |(): (), _: ToolContext| Ok("They wave back.")).example("a wave", (), "They wave back.");
    /// let prompt = Prompt::text("demo", "greet").section(Section::markdown("Task", "task", "Greet.").tool(wave)).build()?;
    /// let descriptor = prompt.descriptor();
    /// let tool = descriptor.tool("wave").ok_or("no such tool")?;
    /// let words = tool.unchanged().example(tool.example_removed(0).ok_or("no such example")?);
    /// let prompt = prompt.overridden(&PromptOverride::new(&descriptor, "latest").with(words))?;
    /// assert_eq!(prompt.render(&Session::new())?.text(), "## 1. Task (task)\n\nGreet.");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn example_removed(&self, index: usize) -> Option<ExampleOverride> {
        let expected_hash = self.example_hashes.get(index)?.clone();
        Some(ExampleOverride::Remove { index, expected_hash })
    }
}
