//! One message to Codex, from its sending to its end: events are read, tools are served, limits hold.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use selvedge_runtime::session::data::{Finished, ItemData};
use selvedge_runtime::session::{Code, Event, MessageId, Phase, Status, What};
use selvedge_runtime::{Events, Message};
use tokio::time::{Instant, sleep_until, timeout};
use uuid::Uuid;

use super::calls::{Calls, Deciding};
use super::guard::Guard;
use super::limits::Limits;
use super::native::Native;
use super::thread::Thread;
use crate::budget::BudgetExceeded;
use crate::error::AgentError;
use crate::events::{ADAPTER, LONGEST_OUTPUT, ToolInvoked, shortened};
use crate::session::Session;
use crate::toolbox::Toolbox;
use crate::transcript::MessageSent;

/// How many events are read at once.
const PAGE: usize = 256;
/// How long a turn may take to end whose app-server was killed, at most.
const KILLED: Duration = Duration::from_secs(5);

/// What a turn works with.
pub(super) struct Turn<'a> {
    pub(super) thread: &'a Thread,
    pub(super) session: &'a Session,
    pub(super) prompt_name: &'a str,
    pub(super) toolbox: Arc<Toolbox>,
    pub(super) deciding: Deciding,
    /// How long a stopped turn may take to end before its app-server is killed.
    pub(super) kill_after: Duration,
    pub(super) limits: &'a mut Limits,
}

/// How a turn ended that did what it was to do.
pub(super) enum Ended {
    /// With an answer.
    Answered(String),
    /// The model wants to see more of the prompt.
    Opened,
}

/// Why a turn is stopped.
enum Why {
    Deadline,
    Budget(BudgetExceeded),
    Opened,
}

struct Stopping {
    why: Why,
    /// What is done next, if it does not end until then.
    until: Instant,
    killed: bool,
}

/// A turn under way.
struct Running<'a> {
    turn: Turn<'a>,
    events: Events,
    calls: Calls,
    message: MessageId,
    /// What comes before our message is another turn's, whose tools were served then.
    begun: bool,
    stopping: Option<Stopping>,
    stderr_tail: Option<String>,
}

impl<'a> Turn<'a> {
    /// Says it, and sees it through.
    pub(super) async fn run(self, message: Message) -> Result<Ended, AgentError> {
        let handle = &self.thread.handle;
        let last_seq = handle.summary().await?.last_seq;
        let events = handle.events(last_seq).await?;
        let mut guard = Guard::send(handle, message);
        let message = self.limits.in_time(guard.accepted()).await?;
        self.sent(message);
        let calls = Calls::new(handle.clone(), self.toolbox.clone());
        let (begun, stopping, stderr_tail) = (false, None, None);
        let mut running = Running { turn: self, events, calls, message, begun, stopping, stderr_tail };
        let finished = running.see_through().await?;
        guard.let_go();
        running.calls.end().await;
        running.conclude(finished).await
    }

    /// Notes where the journal tells of it.
    fn sent(&self, message: MessageId) {
        self.session.append(MessageSent {
            prompt_name: self.prompt_name.to_owned(),
            adapter: ADAPTER.to_owned(),
            session_id: self.thread.handle.id().0,
            message_id: message.0,
            created_at: Timestamp::now(),
            event_id: Uuid::now_v7(),
        });
    }
}

impl Running<'_> {
    /// Reads on until the message has ended; nothing, if nobody can make it.
    async fn see_through(&mut self) -> Result<Option<Finished>, AgentError> {
        loop {
            let alarm = match &self.stopping {
                Some(stopping) => Some(stopping.until),
                None => self.turn.limits.expires(),
            };
            tokio::select! {
                page = self.events.next(PAGE) => {
                    for written in page? {
                        if let Some(finished) = self.hear(written.read()?).await {
                            return Ok(Some(finished));
                        }
                    }
                }
                () = self.calls.next() => {}
                () = at(alarm) => {
                    if self.rang().await {
                        return Ok(None);
                    }
                }
            }
            self.look_for_openings().await;
        }
    }

    async fn hear(&mut self, event: Event) -> Option<Finished> {
        match event.what {
            What::MessageAccepted(accepted) if accepted.message_id == self.message => self.begun = true,
            _ if !self.begun => {}
            What::MessageFinished(finished) if finished.message_id == self.message => return Some(finished),
            What::ToolRequested(asked) if self.stopping.is_some() => self.calls.leave(&asked, event.item_id),
            What::ToolRequested(asked) => self.calls.serve(&asked, event.item_id),
            What::ToolResolved(settled) => self.calls.settled(settled.tool_call_id),
            What::ApprovalRequested(asked) if self.stopping.is_none() => {
                self.calls.decide(&asked, &self.turn.deciding);
            }
            What::ItemCompleted(item) => self.tell(&item),
            What::UsageUpdated(used) => {
                if let Err(exceeded) = self.turn.limits.report(used.turn.into()) {
                    self.stop(Why::Budget(exceeded)).await;
                }
            }
            What::CodexExited(exited) => self.stderr_tail = Some(exited.stderr_tail),
            _ => {}
        }
        None
    }

    /// `ToolInvoked` for what Codex did with tools of its own.
    fn tell(&self, item: &ItemData) {
        let Some(native) = Native::of(item) else { return };
        self.turn.session.append(ToolInvoked {
            prompt_name: self.turn.prompt_name.to_owned(),
            adapter: ADAPTER.to_owned(),
            name: native.name,
            params: native.params,
            result: native.result,
            session_id: self.turn.session.id(),
            created_at: Timestamp::now(),
            usage: None,
            rendered_output: shortened(&native.output, LONGEST_OUTPUT),
            call_id: native.call_id,
            event_id: Uuid::now_v7(),
        });
    }

    /// Once sections are to be opened and nothing runs any more, the turn has nothing more to say.
    async fn look_for_openings(&mut self) {
        if self.stopping.is_none() && self.calls.is_empty() && self.turn.toolbox.has_expansion() {
            self.stop(Why::Opened).await;
        }
    }

    /// Ends the turn: its calls at once, itself as soon as Codex hears of it.
    async fn stop(&mut self, why: Why) {
        if self.stopping.is_some() {
            return;
        }
        self.stopping = Some(Stopping { why, until: Instant::now() + self.turn.kill_after, killed: false });
        self.calls.end().await;
        // What has ended meanwhile cannot be stopped, and its end is on the way.
        let _ended = timeout(self.killed(), self.turn.thread.handle.take_back(self.message)).await;
    }

    /// A time is up: the turn's own, or that of its ending. Says whether there is nothing left to do.
    async fn rang(&mut self) -> bool {
        let patience = self.killed();
        match &mut self.stopping {
            None => self.stop(Why::Deadline).await,
            Some(stopping) if !stopping.killed => {
                stopping.killed = true;
                stopping.until = Instant::now() + patience;
                let _killed = timeout(patience, self.turn.thread.handle.interrupt(true)).await;
            }
            Some(_) => return true,
        }
        false
    }

    /// How long each further step of its ending may take.
    fn killed(&self) -> Duration {
        self.turn.kill_after.min(KILLED)
    }

    /// What it comes to. Limits are limits: an answer that came with them is in the error, and is none.
    async fn conclude(self, finished: Option<Finished>) -> Result<Ended, AgentError> {
        let Self { turn, stopping, stderr_tail, .. } = self;
        turn.limits.settle(finished.as_ref().map(|finished| finished.usage.into()));
        let status = finished.as_ref().map_or(Status::Lost, |finished| finished.status);
        let (said, failure) = finished.map(|it| (it.text, it.error)).unwrap_or_default();
        let unread = failure.as_ref().is_some_and(|failure| failure.code == Code::OutputInvalid.as_str());
        let opened = turn.toolbox.take_expansion().is_some();
        let mut error = match (stopping.map(|stopping| stopping.why), failure) {
            (Some(Why::Budget(exceeded)), _) => exceeded.into(),
            (Some(Why::Deadline), _) => AgentError::late(),
            _ if turn.limits.is_late() => AgentError::late(),
            _ if opened && matches!(status, Status::Completed | Status::Interrupted) => {
                return Ok(Ended::Opened);
            }
            _ if status == Status::Completed || unread => return Ok(Ended::Answered(said)),
            (_, Some(failure)) => AgentError::failed(failure),
            (_, None) if status == Status::Interrupted => {
                AgentError::named(Phase::Request, "interrupted", "the turn was interrupted")
            }
            (_, None) => AgentError::coded(Code::OutcomeUnknown, Code::OutcomeUnknown.message()),
        };
        if status == Status::Lost {
            turn.thread.forget(turn.session);
        }
        error.thread_id = turn.thread.id().await;
        (error.text, error.stderr_tail) = (said, stderr_tail);
        Err(error)
    }
}

async fn at(alarm: Option<Instant>) {
    match alarm {
        Some(alarm) => sleep_until(alarm).await,
        None => std::future::pending().await,
    }
}
