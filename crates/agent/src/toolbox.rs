//! The tools of a rendered prompt at work: each call is a transaction of the session, and each has an answer.

mod call;
mod guarded;
mod telling;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::time::timeout_at;

use crate::budget::BudgetTracker;
use crate::deadline::{Deadline, from_now};
use crate::events::{ToolFailure, ToolSpec};
use crate::feedback::{FeedbackContext, Giving};
use crate::files::{Directory, FileError, FileTransaction};
use crate::policy::{Asked, Decision};
use crate::prompt::{Expansion, Offered, RenderedPrompt};
use crate::resources::{CallScope, Ending, Resources};
use crate::session::Session;
use crate::tool::{Calling, Content, Running, Surroundings, Tool, ToolContext, ToolReply, object};
pub use call::{ToolAnswer, ToolCall};
pub(crate) use guarded::guarded;
use telling::Telling;

/// The tools of a rendered prompt, ready to be called. Calls may run side by side.
///
/// ```
/// use std::time::Duration;
/// use selvedge_agent::{Budget, BudgetTracker, Deadline, Prompt, Section, Session, Tool, ToolCall, ToolContext};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let wave = Tool::new("wave", "Wave.", async |(): (), _: ToolContext| Ok("They wave back."));
/// # let prompt = Prompt::text("demo", "greet").section(Section::markdown("Task", "task", "Greet.").tool(wave)).build()?;
/// let session = Session::new();
/// let tools = prompt
///     .render(&session)?
///     .toolbox(&session)
///     .deadline(Deadline::after(Duration::from_secs(60))?)
///     .budget(BudgetTracker::new(Budget::tokens(1_000))?);
/// assert_eq!(tools.specs()[0].name, "wave");
/// let (one, other) = tokio::join!(tools.call(ToolCall::new("wave", json!({}))), tools.call(ToolCall::new("wave", json!({}))));
/// assert!(one.success && other.success);
/// # Ok(())
/// # }
/// ```
pub struct Toolbox {
    prompt_name: Arc<str>,
    session: Session,
    offered: Vec<Offered>,
    specs: Vec<ToolSpec>,
    surroundings: Surroundings,
    feedback: Giving,
    expansion: Mutex<Option<Expansion>>,
}

impl fmt::Debug for Toolbox {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tools: Vec<&str> = self.specs.iter().map(|spec| spec.name.as_str()).collect();
        out.debug_struct("Toolbox").field("tools", &tools).finish_non_exhaustive()
    }
}

/// Why a call has no reply.
struct Refused {
    failure: ToolFailure,
    text: String,
}

impl Refused {
    fn new(failure: ToolFailure, text: impl Into<String>) -> Self {
        Self { failure, text: text.into() }
    }
}

impl Toolbox {
    pub(crate) fn new(rendered: &RenderedPrompt, session: &Session) -> Self {
        let resources = Resources::waiting(rendered.bindings.clone());
        Self {
            prompt_name: rendered.name.clone(),
            session: session.clone(),
            offered: rendered.offered.clone(),
            specs: rendered.specs(),
            surroundings: Surroundings { resources, ..Surroundings::of(rendered.workspace()) },
            feedback: Giving::new(rendered.feedback.clone()),
            expansion: Mutex::default(),
        }
    }

    /// No call runs after that.
    #[must_use]
    pub fn deadline(mut self, deadline: Deadline) -> Self {
        self.surroundings.deadline = Some(deadline.earlier(self.surroundings.deadline));
        self
    }

    /// No call begins once it is used up, and none runs after its deadline.
    #[must_use]
    pub fn budget(mut self, tracker: BudgetTracker) -> Self {
        let deadline = tracker.budget().deadline();
        self.surroundings.budget = Some(tracker);
        match deadline {
            Some(deadline) => self.deadline(deadline),
            None => self,
        }
    }

    /// The directory whose files the calls work on; without this, that of the prompt's workspace.
    #[must_use]
    pub fn files(mut self, directory: &Directory) -> Self {
        self.surroundings.directory = Some(directory.clone());
        self
    }

    /// What handlers find open. Without it the prompt's own resources are opened when they are first asked for, and closed with the toolbox.
    #[must_use]
    pub fn resources(mut self, resources: &Resources) -> Self {
        self.surroundings.resources = resources.clone();
        self
    }

    /// The tools, as Codex is told of them.
    #[must_use]
    pub fn specs(&self) -> &[ToolSpec] {
        &self.specs
    }

    /// The sections that the model asked for since this was last called. They are set on the session: end the turn, and render again.
    #[must_use]
    pub fn take_expansion(&self) -> Option<Expansion> {
        self.expansion.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Whether there are any.
    pub(crate) fn has_expansion(&self) -> bool {
        self.expansion.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Serves a call, whatever becomes of it. `ToolInvoked` is on the session afterwards, also if the future is dropped.
    pub async fn call(&self, call: ToolCall) -> ToolAnswer {
        let telling = Telling::new(&self.session, &self.prompt_name, call.clone());
        let (ended, ending) = guarded(self.serve(call)).await.unwrap_or_else(|panic| {
            let refused = Refused::new(ToolFailure::Panicked, format!("Error: the tool panicked: {panic}"));
            (Err(refused), Ending::default())
        });
        let answer = match ended {
            Ok(reply) => self.succeeded(telling, reply).await,
            Err(refused) => telling.failed(refused.failure, refused.text),
        };
        // It is told already: whoever leaves now leaves nothing half done.
        ending.run().await;
        answer
    }

    async fn succeeded(&self, telling: Telling<'_>, mut reply: ToolReply) -> ToolAnswer {
        let expansion = reply.expansion.take();
        // A turn that ends has no use for words about it, and would forget them.
        let goes_on = expansion.is_none();
        self.expand(expansion);
        let mut answer = telling.succeeded(reply);
        if goes_on {
            answer.content.extend(self.feedback().await);
        }
        answer
    }

    /// What the model is told about its work, beside the answer of a call.
    async fn feedback(&self) -> Option<Content> {
        if self.feedback.is_empty() {
            return None;
        }
        let context = FeedbackContext {
            session: &self.session,
            prompt_name: &self.prompt_name,
            deadline: self.surroundings.deadline,
            files: self.surroundings.directory.as_ref().map(Directory::files),
        };
        let given = guarded(async { self.feedback.give(&context) }).await;
        let text = given.unwrap_or_else(|panic| {
            tracing::warn!(panic, "a provider of feedback panicked");
            None
        });
        text.map(|text| Content::Text { text })
    }

    /// Tells of a call that came when nothing was to begin any more: it is not served.
    pub(crate) fn leave(&self, call: ToolCall) {
        drop(Telling::new(&self.session, &self.prompt_name, call));
    }

    /// What was opened for a call ends with it, however that ends; what can be undone is, if it failed.
    async fn serve(&self, call: ToolCall) -> (Result<ToolReply, Refused>, Ending) {
        let scope = self.surroundings.resources.call();
        let ended = self.serve_with(call, &scope).await;
        let ending = scope.end(ended.is_ok());
        (ended, ending)
    }

    async fn serve_with(&self, call: ToolCall, scope: &CallScope) -> Result<ToolReply, Refused> {
        self.is_in_time()?;
        let offered = self.offered.iter().find(|offered| offered.tool.name() == call.tool);
        let Some(Offered { tool, policies }) = offered else {
            return Err(Refused::new(ToolFailure::Unknown, format!("Unknown tool: {}", call.tool)));
        };
        let transaction = self.session.transaction();
        let changes = self.surroundings.directory.as_ref().map(Directory::transaction);
        let calling = Calling {
            prompt_name: self.prompt_name.clone(),
            tool: call.tool,
            call_id: call.call_id,
            files: changes.as_ref().map(|changes| changes.files().clone()),
        };
        let surroundings = Surroundings { resources: scope.resources().clone(), ..self.surroundings.clone() };
        let context = ToolContext::new(transaction.session().clone(), calling, surroundings);
        let invalid = |why| Refused::new(ToolFailure::Invalid, format!("Validation error: {why}"));
        let arguments = object(call.arguments).map_err(invalid)?;
        let ready = tool.ready(arguments.clone()).map_err(invalid)?;
        let asked = Asked { tool: tool.name(), arguments: &arguments, context: &context };
        for policy in policies {
            if let Decision::Deny(reason) = policy.check(&asked) {
                return Err(denied(&reason));
            }
        }
        let reply = self.handle(tool, ready(context.clone())).await?;
        policies.iter().for_each(|policy| policy.succeeded(&asked));
        // Nothing is awaited between the two: nobody can leave with only one of them done.
        changes.map_or(Ok(()), FileTransaction::commit).map_err(|error| unwritten(&error))?;
        transaction.commit();
        Ok(reply)
    }

    /// Runs a handler for as long as it may.
    async fn handle(&self, tool: &Tool, running: Running) -> Result<ToolReply, Refused> {
        let limit = from_now(tool.limit());
        let deadline = self.surroundings.deadline.map(|it| it.expires());
        let until = deadline.map_or(limit, |deadline| deadline.min(limit));
        match timeout_at(until, running).await {
            Ok(Ok(reply)) => match reply.unwritable {
                None => Ok(reply),
                Some(why) => {
                    let text = format!("Error: the result cannot be written as JSON: {why}");
                    Err(Refused::new(ToolFailure::Failed, text))
                }
            },
            Ok(Err(error)) => Err(Refused::new(ToolFailure::Failed, error.message())),
            Err(_) if until < limit => Err(late("the deadline has passed")),
            Err(_) => {
                let text = format!("Error: the tool took longer than {:?}", tool.limit());
                Err(Refused::new(ToolFailure::TimedOut, text))
            }
        }
    }

    fn is_in_time(&self) -> Result<(), Refused> {
        if self.surroundings.deadline.is_some_and(|deadline| deadline.has_passed()) {
            return Err(late("the deadline has passed"));
        }
        let checked = self.surroundings.budget.as_ref().map_or(Ok(()), BudgetTracker::check);
        checked.map_err(|exceeded| late(&exceeded.to_string()))
    }

    /// Two calls may open sections before the turn ends: both get what they asked for.
    fn expand(&self, more: Option<Expansion>) {
        let Some(more) = more else { return };
        let mut expansion = self.expansion.lock().unwrap_or_else(PoisonError::into_inner);
        match expansion.as_mut() {
            Some(so_far) => {
                let new =
                    more.sections.into_iter().filter(|it| !so_far.sections.contains(it)).collect::<Vec<_>>();
                so_far.sections.extend(new);
            }
            None => *expansion = Some(more),
        }
    }
}

fn late(why: &str) -> Refused {
    Refused::new(ToolFailure::TooLate, format!("Error: {why}"))
}

fn unwritten(error: &FileError) -> Refused {
    Refused::new(ToolFailure::Failed, format!("Error: {error}"))
}

fn denied(reason: &str) -> Refused {
    Refused::new(ToolFailure::Denied, if reason.is_empty() { "Denied by policy." } else { reason })
}
