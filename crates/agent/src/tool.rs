//! A tool: a typed function that the model can call.

mod arguments;
mod context;
mod described;
mod example;
mod failure;
mod reply;

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use context::ToolContext;
pub(crate) use context::{Calling, Surroundings};
pub(crate) use example::Example;
pub use failure::ToolError;
pub(crate) use reply::words;
pub use reply::{Content, ToolReply};

pub(crate) use arguments::object;

use crate::names;
use crate::schema;
use arguments::parse;

/// How long a handler has, unless its tool says otherwise.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// A call that has been parsed and waits to be run.
pub(crate) type Running = Pin<Box<dyn Future<Output = Result<ToolReply, ToolError>> + Send>>;
type Ready = Box<dyn FnOnce(ToolContext) -> Running + Send>;
type Handler = dyn Fn(Value) -> Result<Ready, String> + Send + Sync;

/// A typed function that the model can call.
///
/// The handler is an async closure or an `async fn`, and its future is [`Send`]:
///
/// ```
/// use schemars::JsonSchema;
/// use selvedge_agent::{Tool, ToolContext, ToolError};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Add {
///     x: i64,
///     y: i64,
/// }
///
/// #[derive(Serialize)]
/// struct Sum {
///     sum: i64,
/// }
///
/// async fn add(params: Add, _: ToolContext) -> Result<Sum, ToolError> {
///     let sum = params.x.checked_add(params.y).ok_or_else(|| ToolError::new("the sum is too large"))?;
///     Ok(Sum { sum })
/// }
///
/// let tool = Tool::new("add", "Add two numbers.", add);
/// assert_eq!(tool.name(), "add");
/// ```
///
/// A handler that needs something of its surroundings clones it for each call:
///
/// ```
/// # use std::sync::Arc;
/// # use selvedge_agent::{Tool, ToolContext};
/// let names = Arc::new(vec!["Ada", "Grace"]);
/// let tool = Tool::new("list_names", "List the names.", move |(): (), _: ToolContext| {
///     let names = names.clone();
///     async move { Ok(names.join(", ")) }
/// });
/// ```
#[derive(Clone)]
pub struct Tool {
    name: String,
    description: String,
    input_schema: Value,
    time_limit: Duration,
    examples: Vec<Example>,
    fixed: bool,
    handler: Arc<Handler>,
}

impl fmt::Debug for Tool {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Tool").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Tool {
    /// A tool by this name. What is wrong with it is told when a prompt is built with it.
    pub fn new<P, R, F>(
        name: impl Into<String>,
        description: impl Into<String>,
        handler: impl Fn(P, ToolContext) -> F + Send + Sync + 'static,
    ) -> Self
    where
        P: DeserializeOwned + JsonSchema + Send + 'static,
        R: Into<ToolReply>,
        F: Future<Output = Result<R, ToolError>> + Send + 'static,
    {
        let input_schema = schema::of_arguments::<P>();
        let wanted = schema::of::<P>();
        let handler = Arc::new(handler);
        let handler = move |arguments: Value| -> Result<Ready, String> {
            let params: P = parse(&wanted, arguments)?;
            let handler = handler.clone();
            Ok(Box::new(move |context| {
                Box::pin(async move { handler(params, context).await.map(Into::into) })
            }))
        };
        Self {
            name: name.into(),
            description: description.into(),
            input_schema,
            time_limit: TIME_LIMIT,
            examples: Vec::new(),
            fixed: false,
            handler: Arc::new(handler),
        }
    }

    /// How long the handler has: 60 s unless said. A call that takes longer has failed.
    ///
    /// ```
    /// use std::time::Duration;
    /// use selvedge_agent::{Prompt, Section, Session, Tool, ToolCall, ToolContext, ToolFailure, ToolInvoked};
    /// use serde_json::json;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let wait = Tool::new("wait", "Wait for it.", async |(): (), _: ToolContext| {
    ///     std::future::pending::<()>().await;
    ///     Ok(())
    /// });
    /// let wait = wait.time_limit(Duration::from_millis(5));
    /// # let prompt = Prompt::text("demo", "wait").section(Section::markdown("Task", "task", "Wait.").tool(wait)).build()?;
    /// let session = Session::new();
    /// let answer = prompt.render(&session)?.toolbox(&session).call(ToolCall::new("wait", json!({}))).await;
    /// assert!(!answer.success);
    /// assert_eq!(session.latest::<ToolInvoked>().and_then(|told| told.result.failure), Some(ToolFailure::TimedOut));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// Shows the model a call and its result, in the text of the section that has the tool.
    #[must_use]
    pub fn example(
        mut self,
        description: impl Into<String>,
        params: impl Serialize,
        reply: impl Into<ToolReply>,
    ) -> Self {
        self.examples.push(Example::new(description.into(), &params, &reply.into()));
        self
    }

    /// Its descriptions cannot be [overridden](crate::OverrideStore).
    ///
    /// ```
    /// use selvedge_agent::{Prompt, Section, Tool, ToolContext};
    ///
    /// let law = Tool::new("law", "Look up the law.", async |(): (), _: ToolContext| Ok("…")).fixed();
    /// let prompt = Prompt::text("demo", "law").section(Section::markdown("Task", "task", "Judge.").tool(law)).build()?;
    /// assert!(prompt.descriptor().tool("law").is_none());
    /// # Ok::<(), selvedge_agent::PromptError>(())
    /// ```
    #[must_use]
    pub fn fixed(mut self) -> Self {
        self.fixed = true;
        self
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the model is told about it.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The JSON schema of its parameters.
    #[must_use]
    pub fn input_schema(&self) -> &Value {
        &self.input_schema
    }

    pub(crate) fn limit(&self) -> Duration {
        self.time_limit
    }

    pub(crate) fn examples(&self) -> &[Example] {
        &self.examples
    }

    /// Parses the arguments; the handler runs when the result is called.
    pub(crate) fn ready(&self, arguments: Value) -> Result<Ready, String> {
        (self.handler)(arguments)
    }

    /// Everything that is wrong with it.
    pub(crate) fn problems(&self) -> Vec<String> {
        let own =
            names::wrong_tool_name(&self.name).into_iter().chain(names::wrong_description(&self.description));
        let examples = self.examples.iter().filter_map(|example| self.wrong_example(example));
        own.chain(examples).collect()
    }

    fn wrong_example(&self, example: &Example) -> Option<String> {
        let what = match (names::wrong_description(&example.description), &example.arguments) {
            (Some(problem), _) => problem,
            (None, Err(problem)) => problem.clone(),
            (None, Ok(arguments)) => self.ready(arguments.clone()).err()?,
        };
        Some(format!("the example {:?} is wrong: {what}", example.description))
    }
}
