//! A prompt, evaluated on Codex: rendered, said, its tools served, its answer read.

mod calls;
mod completing;
mod guard;
mod limits;
mod native;
mod place;
mod rounds;
mod thread;
mod turn;

use std::future::IntoFuture;
use std::pin::Pin;
use std::time::Duration;

pub use thread::CodexThread;

use crate::budget::{Budget, BudgetTracker};
use crate::codex::Codex;
use crate::deadline::{Deadline, TooSoon};
use crate::error::AgentError;
use crate::output::Output;
use crate::prompt::Prompt;
use crate::reply::Reply;
use crate::resources::Resources;
use crate::session::Session;
use limits::Limits;

/// A prompt that is to be evaluated, and what holds for it. Await it.
///
/// ```
/// use std::time::Duration;
/// use selvedge_agent::{Budget, Codex, Prompt, Session};
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let codex = selvedge_agent::testing::Rehearsal::saying("Yes.").codex().build().await?;
/// # let prompt = Prompt::text("demo", "go").section(selvedge_agent::Section::markdown("Task", "task", "Go.")).build()?;
/// let session = Session::new();
/// let reply = codex.evaluate(&prompt, &session).deadline(Duration::from_secs(120)).budget(Budget::tokens(50_000)).await?;
/// println!("{} ({} tokens)", reply.text, reply.usage.total_tokens());
/// # Ok(()) }
/// ```
#[must_use = "nothing happens until it is awaited"]
pub struct Evaluation<'a, T> {
    codex: &'a Codex,
    prompt: &'a Prompt<T>,
    session: &'a Session,
    deadline: Option<Result<Deadline, TooSoon>>,
    allowed: Allowed,
    repair: bool,
    resources: Option<Resources>,
}

/// How much may be used.
enum Allowed {
    Anything,
    Budget(Budget),
    Shared(BudgetTracker),
}

impl<'a, T: Output> Evaluation<'a, T> {
    pub(crate) fn new(codex: &'a Codex, prompt: &'a Prompt<T>, session: &'a Session) -> Self {
        Self {
            codex,
            prompt,
            session,
            deadline: None,
            allowed: Allowed::Anything,
            repair: false,
            resources: None,
        }
    }

    /// How long it may take from now on, everything included. Then its turn is stopped.
    pub fn deadline(mut self, time: Duration) -> Self {
        self.deadline = Some(Deadline::after(time));
        self
    }

    /// By when it has to be over: the deadline of something larger.
    pub fn until(mut self, deadline: Deadline) -> Self {
        self.deadline = Some(Ok(deadline));
        self
    }

    /// How much it may use. It is looked at whenever Codex reports usage, so overshoot is at most one response of the model.
    pub fn budget(mut self, budget: Budget) -> Self {
        self.allowed = Allowed::Budget(budget);
        self
    }

    /// A budget that it shares with others.
    pub fn tracker(mut self, tracker: &BudgetTracker) -> Self {
        self.allowed = Allowed::Shared(tracker.clone());
        self
    }

    /// Asks the model once to say it again if its answer cannot be read.
    pub fn repair(mut self) -> Self {
        self.repair = true;
        self
    }

    /// What its tools work with, opened by somebody else: it is used instead of the prompt's own, and left open.
    pub fn resources(mut self, resources: &Resources) -> Self {
        self.resources = Some(resources.clone());
        self
    }

    async fn run(self) -> Result<Reply<T>, AgentError> {
        let name = self.prompt.name();
        self.answer().await.map_err(|mut error| {
            error.prompt_name = Some(name.to_owned());
            error
        })
    }

    async fn answer(self) -> Result<Reply<T>, AgentError> {
        let Self { codex, prompt, session, deadline, allowed, repair, resources: given } = self;
        let mut limits = Limits::new(deadline.transpose()?, &allowed)?;
        limits.check()?;
        let resources = match &given {
            Some(given) => given.clone(),
            None => limits.in_time(prompt.open_resources()).await?,
        };
        let work = rounds::Work { codex, prompt, session, repair, resources: &resources };
        let ended = work.run(&mut limits).await;
        if given.is_none() {
            resources.close().await;
        }
        ended.map_err(|mut error| {
            error.usage = limits.used();
            error
        })
    }
}

impl<'a, T: Output> IntoFuture for Evaluation<'a, T> {
    type Output = Result<Reply<T>, AgentError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}
