//! Why an evaluation has no answer: where it failed, a stable code, words, and what to do.

use std::fmt;
use std::ops::{Deref, DerefMut};

use selvedge_runtime::session::{Code, Failure, Phase};
use serde_json::Value;

use crate::budget::{BudgetExceeded, EmptyBudget};
use crate::deadline::TooSoon;
use crate::output::OutputError;
use crate::prompt::PromptError;
use crate::resources::ResourceError;
use crate::usage::TokenUsage;

/// Why there is no answer. Its fields are those of [`Failing`].
///
/// ```
/// use selvedge_agent::{Budget, Session, testing::Rehearsal};
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let rehearsal = Rehearsal::builder().otherwise(|model| model.uses(900, 40).says("That was a lot.")).build()?;
/// let codex = rehearsal.codex().build().await?;
/// # let prompt = selvedge_agent::Prompt::text("demo", "go").section(selvedge_agent::Section::markdown("Task", "task", "Go.")).build()?;
/// let error = codex.evaluate(&prompt, &Session::new()).budget(Budget::tokens(500)).await.unwrap_err();
/// assert_eq!((error.code.as_str(), error.usage.total_tokens()), ("budget_exceeded", 940));
/// assert_eq!(
///     error.to_string(),
///     "prompt demo:go: the budget is exceeded: 940 tokens were used, 500 were allowed\nhint: give it more with `budget`",
/// );
/// # codex.close().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct AgentError(Box<Failing>);

/// What is known of an evaluation without an answer.
///
/// ```
/// use selvedge_agent::{Failing, Phase, Session, testing::{FailKind, Rehearsal}};
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let rehearsal = Rehearsal::builder().otherwise(|model| model.fails(FailKind::Overloaded)).build()?;
/// # let codex = rehearsal.codex().build().await?;
/// # let prompt = selvedge_agent::Prompt::text("demo", "go").section(selvedge_agent::Section::markdown("Task", "task", "Go.")).build()?;
/// let error = codex.evaluate(&prompt, &Session::new()).await.unwrap_err();
/// let Failing { phase, code, thread_id, .. } = &*error;
/// assert_eq!((*phase, code.as_str()), (Phase::Request, "server_overloaded"));
/// assert!(thread_id.is_some(), "by which `codex` finds what was said");
/// # codex.close().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Failing {
    /// In which part of the work.
    pub phase: Phase,
    /// Stable, for programs: `deadline_exceeded`, `budget_exceeded`, `output_invalid`, or any other of `docs/errors.md`.
    pub code: String,
    /// What happened.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
    /// The prompt that was evaluated; none before there is one.
    pub prompt_name: Option<String>,
    /// What the evaluation used.
    pub usage: TokenUsage,
    /// The thread it ran in, if there was one.
    pub thread_id: Option<String>,
    /// What had been said, if a turn was cut.
    pub text: String,
    /// What else Codex said.
    pub details: Option<Value>,
    /// The last that an app-server wrote to stderr before it ended.
    pub stderr_tail: Option<String>,
    /// What it came from.
    pub cause: Option<Cause>,
}

/// What an [`AgentError`] came from, where that is a value of ours.
///
/// ```
/// use schemars::JsonSchema;
/// use selvedge_agent::{Cause, Prompt, Section, Session, testing::Rehearsal};
/// use serde::Deserialize;
///
/// #[derive(Debug, Deserialize, JsonSchema)]
/// struct Sum {
///     sum: i64,
/// }
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let codex = Rehearsal::saying("It is four.").codex().build().await?;
/// let prompt = Prompt::<Sum>::builder("demo", "sum").section(Section::markdown("Task", "task", "2 + 2?")).build()?;
/// let error = codex.evaluate(&prompt, &Session::new()).await.unwrap_err();
/// match &error.cause {
///     Some(Cause::Output(wrong)) => println!("{} in {:?}", wrong.why, wrong.text),
///     other => panic!("{other:?}"),
/// }
/// # codex.close().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Cause {
    /// The prompt could not be rendered.
    Prompt(PromptError),
    /// The answer is not of the prompt's type.
    Output(OutputError),
    /// A limit was passed.
    Budget(BudgetExceeded),
    /// The deadline leaves no time.
    Deadline(TooSoon),
    /// The budget allows nothing.
    EmptyBudget(EmptyBudget),
    /// A resource could not be opened.
    Resource(ResourceError),
    /// The runtime refused.
    Runtime(selvedge_runtime::Error),
}

impl AgentError {
    /// With a code's phase and hint, and words of one's own.
    pub(crate) fn coded(code: Code, message: impl Into<String>) -> Self {
        Self(Box::new(Failing {
            phase: code.phase(),
            code: code.as_str().to_owned(),
            message: message.into(),
            hint: Some(code.hint().to_owned()),
            prompt_name: None,
            usage: TokenUsage::default(),
            thread_id: None,
            text: String::new(),
            details: None,
            stderr_tail: None,
            cause: None,
        }))
    }

    /// What the runtime says of a message that failed.
    pub(crate) fn failed(failure: Failure) -> Self {
        let mut error = Self::named(failure.phase, &failure.code, failure.message);
        error.hint = failure.hint.or_else(|| Code::named(&failure.code).map(|code| code.hint().to_owned()));
        error.details = failure.details.and_then(|details| serde_json::from_str(details.text()).ok());
        error
    }

    /// With a code of one's own.
    pub(crate) fn named(phase: Phase, code: &str, message: impl Into<String>) -> Self {
        let mut error = Self::coded(Code::Other, message);
        error.phase = phase;
        code.clone_into(&mut error.code);
        error
    }

    /// The time is up.
    pub(crate) fn late() -> Self {
        let error = Self::coded(Code::DeadlineExceeded, "the evaluation did not end by its deadline");
        error.hint("give it more time with `deadline`")
    }

    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// In the words of what it came from, which have their hint in them.
    fn caused_by(code: Code, message: String, cause: Cause) -> Self {
        let mut error = Self::coded(code, message);
        (error.hint, error.cause) = (None, Some(cause));
        error
    }
}

impl Deref for AgentError {
    type Target = Failing;

    fn deref(&self) -> &Failing {
        &self.0
    }
}

impl DerefMut for AgentError {
    fn deref_mut(&mut self) -> &mut Failing {
        &mut self.0
    }
}

impl fmt::Display for AgentError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(prompt) = &self.prompt_name {
            write!(out, "prompt {prompt}: ")?;
        }
        out.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(out, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for AgentError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(match self.cause.as_ref()? {
            Cause::Prompt(error) => error,
            Cause::Output(error) => error,
            Cause::Budget(error) => error,
            Cause::Deadline(error) => error,
            Cause::EmptyBudget(error) => error,
            Cause::Resource(error) => error,
            Cause::Runtime(error) => error,
        })
    }
}

impl From<selvedge_runtime::Error> for AgentError {
    fn from(error: selvedge_runtime::Error) -> Self {
        let hint = error.hint.clone();
        let mut told = Self::caused_by(error.code, error.message.clone(), Cause::Runtime(error));
        told.hint = hint;
        told
    }
}

impl From<PromptError> for AgentError {
    fn from(error: PromptError) -> Self {
        Self::caused_by(Code::InvalidArgument, error.to_string(), Cause::Prompt(error))
    }
}

impl From<OutputError> for AgentError {
    fn from(error: OutputError) -> Self {
        let text = error.text.clone();
        let mut told = Self::caused_by(Code::OutputInvalid, error.to_string(), Cause::Output(error));
        told.text = text;
        told.hint("`repair` asks the model once to say it again")
    }
}

impl From<BudgetExceeded> for AgentError {
    fn from(error: BudgetExceeded) -> Self {
        let told = Self::caused_by(Code::BudgetExceeded, error.to_string(), Cause::Budget(error));
        told.hint("give it more with `budget`")
    }
}

impl From<ResourceError> for AgentError {
    fn from(error: ResourceError) -> Self {
        let mut told = Self::named(Phase::Tool, "resource_failed", error.to_string());
        told.cause = Some(Cause::Resource(error));
        told
    }
}

impl From<TooSoon> for AgentError {
    fn from(error: TooSoon) -> Self {
        Self::caused_by(Code::DeadlineExceeded, error.to_string(), Cause::Deadline(error))
    }
}

impl From<EmptyBudget> for AgentError {
    fn from(error: EmptyBudget) -> Self {
        Self::caused_by(Code::InvalidArgument, error.to_string(), Cause::EmptyBudget(error))
    }
}
