//! Other words for a prompt than those it was built with, kept as files: each with the hash of what it was written for.

mod error;
mod example;
mod file;
mod store;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use error::OverrideError;
pub use example::ExampleOverride;
pub use store::OverrideStore;

use crate::prompt::{PromptDescriptor, SectionDescriptor, ToolDescriptor, Visibility};

/// Other words for a prompt, under a tag.
///
/// ```
/// use selvedge_agent::{Prompt, PromptOverride, Section, Session};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let prompt = Prompt::text("demo", "greet").section(Section::markdown("Tone", "tone", "Be brief.")).build()?;
/// let descriptor = prompt.descriptor();
/// let kinder = descriptor.section("tone").ok_or("no such section")?.replaced_by("Be brief, and kind.");
/// let words = PromptOverride::new(&descriptor, "kind").with(kinder);
/// assert!(prompt.overridden(&words)?.render(&Session::new())?.text().ends_with("Be brief, and kind."));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PromptOverride {
    /// The prompt's namespace.
    pub ns: String,
    /// The prompt's key.
    pub key: String,
    /// Which of several.
    pub tag: String,
    /// Other texts.
    pub sections: Vec<SectionOverride>,
    /// Other descriptions.
    pub tools: Vec<ToolOverride>,
    /// What a file said about examples of tasks, which prompts here do not have: it is kept.
    pub(crate) task_examples: Vec<Value>,
}

/// Another text for a section. [`SectionDescriptor::replaced_by`] makes one.
///
/// ```
/// use selvedge_agent::{Prompt, Section, Visibility};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let prompt = Prompt::text("demo", "greet").section(Section::markdown("Tone", "tone", "Be brief.")).build()?;
/// let tone = prompt.descriptor().section("tone").ok_or("no such section")?.replaced_by("Be brief, and kind.");
/// let tone = tone.summary("How to speak.").visibility(Visibility::Summary);
/// assert_eq!((tone.path.join("/").as_str(), tone.summary.as_deref()), ("tone", Some("How to speak.")));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionOverride {
    /// The keys of the sections that it lies in, and its own.
    #[serde(default)]
    pub path: Vec<String>,
    /// The hash of the text that it was written for.
    pub expected_hash: String,
    /// The text: a template like the one it replaces.
    pub body: String,
    /// Another summary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// How much of it is shown, unless the session says otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visibility: Option<Visibility>,
}

/// Other descriptions for a tool. [`ToolDescriptor::described_as`] makes one.
///
/// ```
/// use selvedge_agent::{Prompt, PromptOverride, Section, Session, Tool, ToolContext};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let wave = Tool::new("wave", "Wave.", async |(): (), _: ToolContext| Ok(()));
/// let prompt = Prompt::text("demo", "greet").section(Section::markdown("Task", "task", "Greet.").tool(wave)).build()?;
/// let descriptor = prompt.descriptor();
/// let friendlier = descriptor.tool("wave").ok_or("no such tool")?.described_as("Wave, with a smile.");
/// let prompt = prompt.overridden(&PromptOverride::new(&descriptor, "kind").with(friendlier))?;
/// assert_eq!(prompt.render(&Session::new())?.specs()[0].description, "Wave, with a smile.");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolOverride {
    /// The tool.
    pub name: String,
    /// The hash of the tool that it was written for.
    pub expected_contract_hash: String,
    /// What the model reads about it.
    pub description: Option<String>,
    /// What the model reads about its parameters, by their names.
    pub param_descriptions: BTreeMap<String, String>,
    /// Other examples than it has.
    pub examples: Vec<ExampleOverride>,
}

/// One replacement.
///
/// ```
/// use selvedge_agent::{Override, Prompt, Section};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let prompt = Prompt::text("demo", "greet").section(Section::markdown("Tone", "tone", "Be brief.")).build()?;
/// let one: Override = prompt.descriptor().section("tone").ok_or("no such section")?.replaced_by("Be kind.").into();
/// assert!(matches!(one, Override::Section(section) if section.body == "Be kind."));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Override {
    /// Of a section's text.
    Section(SectionOverride),
    /// Of a tool's descriptions.
    Tool(ToolOverride),
}

impl From<SectionOverride> for Override {
    fn from(section: SectionOverride) -> Self {
        Self::Section(section)
    }
}

impl From<ToolOverride> for Override {
    fn from(tool: ToolOverride) -> Self {
        Self::Tool(tool)
    }
}

impl SectionOverride {
    /// With another summary.
    #[must_use]
    pub fn summary(mut self, template: impl Into<String>) -> Self {
        self.summary = Some(template.into());
        self
    }

    /// Shown so, unless the session says otherwise.
    #[must_use]
    pub fn visibility(mut self, visibility: Visibility) -> Self {
        self.visibility = Some(visibility);
        self
    }

    /// Whether it was written for the section as it is.
    pub(crate) fn fits(&self, section: &SectionDescriptor) -> bool {
        self.path == section.keys && self.expected_hash == section.content_hash
    }
}

impl ToolOverride {
    /// With other words about a parameter.
    ///
    /// ```
    /// use schemars::JsonSchema;
    /// use selvedge_agent::{Prompt, PromptOverride, Section, Session, Tool, ToolContext};
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Greet {
    ///     who: String,
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let greet = Tool::new("greet", "Greet somebody.", async |params: Greet, _: ToolContext| Ok(params.who));
    /// let prompt = Prompt::text("demo", "greet").section(Section::markdown("Task", "task", "Greet.").tool(greet)).build()?;
    /// let descriptor = prompt.descriptor();
    /// let words = descriptor.tool("greet").ok_or("no such tool")?.unchanged().param("who", "Their first name.");
    /// let prompt = prompt.overridden(&PromptOverride::new(&descriptor, "latest").with(words))?;
    /// let spec = prompt.render(&Session::new())?.specs().remove(0);
    /// assert_eq!(spec.input_schema["properties"]["who"]["description"], "Their first name.");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn param(mut self, name: impl Into<String>, description: impl Into<String>) -> Self {
        self.param_descriptions.insert(name.into(), description.into());
        self
    }

    /// With another example, or with one less.
    #[must_use]
    pub fn example(mut self, example: ExampleOverride) -> Self {
        let which = example.about().map(|(index, _)| index);
        self.examples.retain(|it| which.is_none() || it.about().map(|(index, _)| index) != which);
        self.examples.push(example);
        self
    }

    /// Whether it was written for the tool as it is.
    pub(crate) fn fits(&self, tool: &ToolDescriptor) -> bool {
        self.name == tool.name && self.expected_contract_hash == tool.contract_hash
    }
}

impl PromptOverride {
    /// Nothing is replaced yet.
    pub fn new(descriptor: &PromptDescriptor, tag: impl Into<String>) -> Self {
        Self {
            ns: descriptor.ns.clone(),
            key: descriptor.key.clone(),
            tag: tag.into(),
            sections: Vec::new(),
            tools: Vec::new(),
            task_examples: Vec::new(),
        }
    }

    /// With a replacement, which takes the place of an earlier one.
    #[must_use]
    pub fn with(mut self, replacement: impl Into<Override>) -> Self {
        match replacement.into() {
            Override::Section(section) => {
                self.sections.retain(|it| it.path != section.path);
                self.sections.push(section);
            }
            Override::Tool(tool) => {
                self.tools.retain(|it| it.name != tool.name);
                self.tools.push(tool);
            }
        }
        self
    }

    /// What of it was written for the prompt as it is. The rest is stale, and logged.
    ///
    /// ```
    /// use selvedge_agent::{Prompt, PromptOverride, Section};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let saying = |text: &str| Prompt::text("demo", "greet").section(Section::markdown("Tone", "tone", text)).build();
    /// let (before, now) = (saying("Be brief.")?.descriptor(), saying("Be loud.")?.descriptor());
    /// let words = PromptOverride::new(&before, "latest").with(before.section("tone").ok_or("no such section")?.replaced_by("Be kind."));
    /// assert!(!words.clone().fitting(&before).is_empty() && words.fitting(&now).is_empty());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn fitting(mut self, descriptor: &PromptDescriptor) -> Self {
        self.sections.retain(|it| {
            let fits = descriptor.sections.iter().any(|section| it.fits(section));
            if !fits {
                tracing::debug!(section = it.path.join("."), "an override for another text is passed over");
            }
            fits
        });
        self.tools.retain(|it| {
            let fits = descriptor.tools.iter().any(|tool| it.fits(tool));
            if !fits {
                tracing::debug!(tool = it.name, "an override for another tool is passed over");
            }
            fits
        });
        for it in &mut self.tools {
            let Some(tool) = descriptor.tool(&it.name) else { continue };
            it.examples.retain(|example| {
                let fits = example.fits(tool);
                if !fits {
                    tracing::debug!(tool = tool.name, "an override for another example is passed over");
                }
                fits
            });
        }
        self
    }

    /// Whether it replaces nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty() && self.tools.is_empty()
    }
}
