//! What is wrong with a prompt, and where.

use std::fmt;

/// Everything that is wrong with a prompt, each with its section.
///
/// ```
/// use selvedge_agent::{Prompt, Section};
///
/// let error = Prompt::text("demo", "price")
///     .section(Section::markdown("Task", "task", "It costs 5$."))
///     .section(Section::markdown("Tone", "task", "Be brief."))
///     .build()
///     .unwrap_err();
/// assert_eq!((error.prompt(), error.flaws().len()), ("demo:price", 2));
/// println!("{error}"); // all of them, each with its section and what to do
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptError {
    prompt: String,
    flaws: Vec<Flaw>,
}

/// One thing that is wrong.
///
/// ```
/// use selvedge_agent::{Prompt, Section};
///
/// let broken = Section::markdown("Task", "task", "Go.").child(Section::markdown("Tone", "tone", "For 5$."));
/// let error = Prompt::text("demo", "price").section(broken).build().unwrap_err();
/// assert_eq!(error.flaws()[0].section.as_deref(), Some("task.tone"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// The path of its section in dots; `None` if it is the prompt's own.
    pub section: Option<String>,
    /// What it is.
    pub problem: Problem,
}

/// What can be wrong with a prompt.
///
/// ```
/// use selvedge_agent::{Problem, Prompt, Section};
///
/// let error = Prompt::text("demo", "price").section(Section::markdown("Task", "task", "For ${price}.")).build().unwrap_err();
/// assert_eq!(error.flaws()[0].problem, Problem::NoParams { placeholder: "price".into() });
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// A namespace or a key is none.
    #[error("the {what} {why}")]
    Key {
        /// Which one.
        what: &'static str,
        /// Why.
        why: String,
    },
    /// A title is no line of words.
    #[error("the title has to be one line of words")]
    Title,
    /// Two sections have the same path in dots.
    #[error("another section has this path already\nhint: give one of them another key")]
    SamePath,
    /// A dollar begins no placeholder.
    #[error("`{near}` is no placeholder\nhint: write `$$` for a dollar")]
    StrayDollar {
        /// Where it stands.
        near: String,
    },
    /// A placeholder is no field of the parameters.
    #[error("the text has `${{{placeholder}}}`, and {params} has no such field\nhint: it has {known}")]
    UnknownPlaceholder {
        /// Its name.
        placeholder: String,
        /// The type of the parameters.
        params: String,
        /// The fields it has.
        known: String,
    },
    /// A placeholder, and no parameters.
    #[error(
        "the text has `${{{placeholder}}}`, and the section takes no parameters\nhint: say `.params(default)` or `.takes::<P>()`, or write `$$` for a dollar"
    )]
    NoParams {
        /// Its name.
        placeholder: String,
    },
    /// Parameters that are no struct with fields.
    #[error("{params} cannot be parameters: {why}")]
    BadParams {
        /// Their type.
        params: String,
        /// Why.
        why: String,
    },
    /// Parameters that no section takes.
    #[error("no section takes parameters of the type {params}")]
    UnexpectedParams {
        /// Their type.
        params: String,
    },
    /// Parameters that nobody gave.
    #[error(
        "parameters of the type {params} are missing\nhint: bind them, or give the section a default with `.params(…)`"
    )]
    MissingParams {
        /// Their type.
        params: String,
    },
    /// A field that is not there when the parameters are written.
    #[error(
        "the parameters have no value for `${{{placeholder}}}`\nhint: a field that is skipped when it is serialized cannot stand in a text"
    )]
    MissingValue {
        /// Its name.
        placeholder: String,
    },
    /// A summary is asked for and there is none.
    #[error("its summary is asked for, and it has none\nhint: say `.summary(…)`")]
    NoSummary,
    /// Something is wrong with a tool.
    #[error("the tool `{tool}`: {why}")]
    Tool {
        /// Its name.
        tool: String,
        /// What.
        why: String,
    },
    /// Something is wrong with a skill.
    #[error("the skill `{skill}`: {why}")]
    Skill {
        /// Its path or name.
        skill: String,
        /// What.
        why: String,
    },
    /// A resource is bound twice in one place.
    #[error("{resource} is bound twice\nhint: leave one of them out, or give each a type of its own")]
    Resource {
        /// Its type.
        resource: String,
    },
    /// The output type has no strict schema.
    #[error("the output type cannot be asked for: {why}")]
    Output {
        /// Why.
        why: String,
    },
}

impl PromptError {
    pub(crate) fn new(prompt: impl Into<String>, flaws: Vec<Flaw>) -> Self {
        Self { prompt: prompt.into(), flaws }
    }

    pub(crate) fn one(prompt: impl Into<String>, section: Option<&str>, problem: Problem) -> Self {
        Self::new(prompt, vec![Flaw { section: section.map(str::to_owned), problem }])
    }

    /// The prompt's name.
    #[must_use]
    pub fn prompt(&self) -> &str {
        &self.prompt
    }

    /// All that is wrong, in the order of the sections.
    #[must_use]
    pub fn flaws(&self) -> &[Flaw] {
        &self.flaws
    }
}

impl fmt::Display for PromptError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, flaw) in self.flaws.iter().enumerate() {
            let newline = if index == 0 { "" } else { "\n" };
            write!(out, "{newline}prompt {}", self.prompt)?;
            if let Some(section) = &flaw.section {
                write!(out, ", section {section}")?;
            }
            write!(out, ": {}", flaw.problem)?;
        }
        Ok(())
    }
}

impl std::error::Error for PromptError {}
