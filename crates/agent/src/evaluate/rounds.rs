//! Rendering and saying, again whenever the model opens sections, until there is an answer.

use std::sync::Arc;

use jiff::Timestamp;
use selvedge_runtime::Message;
use selvedge_runtime::session::{BusyPolicy, Code, Phase};
use uuid::Uuid;

use super::calls::Deciding;
use super::completing::Checked;
use super::limits::Limits;
use super::place::{self, Place};
use super::thread::Thread;
use super::turn::{Ended, Turn};
use crate::codex::Codex;
use crate::error::{AgentError, Cause};
use crate::events::{ADAPTER, PromptExecuted};
use crate::output::{Output, OutputError};
use crate::prompt::{Prompt, RenderedPrompt};
use crate::reply::Reply;
use crate::resources::Resources;
use crate::session::Session;
use crate::toolbox::Toolbox;

/// How often a prompt is rendered for one answer.
const MOST_RENDERINGS: usize = 10;

/// What is to be done.
pub(super) struct Work<'a, T> {
    pub(super) codex: &'a Codex,
    pub(super) prompt: &'a Prompt<T>,
    pub(super) session: &'a Session,
    pub(super) repair: bool,
    pub(super) resources: &'a Resources,
}

/// One rendering at work.
pub(super) struct Round {
    pub(super) rendered: RenderedPrompt,
    toolbox: Arc<Toolbox>,
    thread: Thread,
    pub(super) checked: Checked,
}

impl<T: Output> Work<'_, T> {
    pub(super) async fn run(&self, limits: &mut Limits) -> Result<Reply<T>, AgentError> {
        let mut thread = None;
        let mut checked = Checked::default();
        for renderings in 1..=MOST_RENDERINGS {
            limits.check()?;
            let rendered = self.prompt.render(self.session)?;
            rendered.record(self.session);
            let toolbox = Arc::new(limits.over(self.toolbox(&rendered)));
            let place = self.place(&rendered, &toolbox);
            let thread_of_round = match thread.take().filter(|it: &Thread| it.fits(place)) {
                Some(thread) => thread,
                None => limits.in_time(Box::pin(Thread::find(place, self.session))).await?,
            };
            let mut round = Round { rendered, toolbox, thread: thread_of_round, checked };
            let ended = match Box::pin(self.say_first(&mut round, limits)).await? {
                Ended::Answered(text) => self.complete(&mut round, text, limits).await?,
                Ended::Opened => Ended::Opened,
            };
            match ended {
                Ended::Answered(text) => {
                    let reply = self.read(&round, text, limits).await?;
                    let Checked { continuations, complete } = round.checked;
                    return Ok(Reply { renderings, continuations, complete, ..reply });
                }
                Ended::Opened => (thread, checked) = (Some(round.thread), round.checked),
            }
        }
        Err(too_many_renderings())
    }

    fn toolbox(&self, rendered: &RenderedPrompt) -> Toolbox {
        let files = place::directory(self.codex, rendered);
        rendered.toolbox(self.session).files(files).resources(self.resources)
    }

    /// Says the prompt. A thread from before that cannot take it now, because another evaluation runs in it or it was stopped, is left alone.
    async fn say_first(&self, round: &mut Round, limits: &mut Limits) -> Result<Ended, AgentError> {
        let text = round.rendered.text().to_owned();
        if round.thread.resumed {
            let message = self.message(text.clone()).when_busy(BusyPolicy::Reject);
            match self.say(round, message, limits).await {
                Err(error) if is_taken(&error) => {
                    let place = self.place(&round.rendered, &round.toolbox);
                    round.thread = Box::pin(limits.in_time(Thread::make(place))).await?;
                }
                ended => return ended,
            }
        }
        self.say(round, self.message(text), limits).await
    }

    pub(super) async fn say(
        &self,
        round: &Round,
        message: Message,
        limits: &mut Limits,
    ) -> Result<Ended, AgentError> {
        let options = self.codex.options();
        let turn = Turn {
            thread: &round.thread,
            session: self.session,
            prompt_name: self.prompt.name(),
            toolbox: round.toolbox.clone(),
            deciding: Deciding { policy: options.approval_policy, approver: options.approver.clone() },
            kill_after: options.kill_after,
            limits,
        };
        let ended = turn.run(message).await;
        if ended.is_ok() && options.reuse_thread {
            round.thread.keep(self.place(&round.rendered, &round.toolbox), self.session).await;
        }
        ended
    }

    fn place<'a>(&'a self, rendered: &'a RenderedPrompt, toolbox: &'a Toolbox) -> Place<'a> {
        Place {
            codex: self.codex,
            tools: toolbox.specs(),
            workspace: rendered.workspace(),
            skills: &rendered.skills,
        }
    }

    pub(super) fn message(&self, text: String) -> Message {
        let message = Message::text(text);
        match self.prompt.output_schema() {
            Some(schema) => message.output_schema(schema.clone().into()),
            None => message,
        }
    }

    /// Reads the answer; if it cannot be read, and that is wanted, asks for it once more.
    async fn read(&self, round: &Round, text: String, limits: &mut Limits) -> Result<Reply<T>, AgentError> {
        let (text, parsed, repaired) = match self.prompt.parsed(&text) {
            Err(wrong) if self.repair => {
                limits.check()?;
                let again = self.say(round, self.message(again(&wrong)), limits).await?;
                let text = match again {
                    Ended::Answered(text) => text,
                    // It was asked for an answer, and opened sections instead: there is none.
                    Ended::Opened => return Err(wrong.into()),
                };
                let parsed = self.prompt.parsed(&text);
                (text, parsed, true)
            }
            parsed => (text, parsed, false),
        };
        let thread_id = round.thread.id().await;
        let (output, json) = parsed.map_err(|wrong| {
            let mut error = AgentError::from(wrong);
            error.thread_id.clone_from(&thread_id);
            error
        })?;
        let usage = limits.used();
        self.session.append(PromptExecuted {
            prompt_name: self.prompt.name().to_owned(),
            adapter: ADAPTER.to_owned(),
            text: text.clone(),
            output: json,
            session_id: self.session.id(),
            created_at: Timestamp::now(),
            usage: Some(usage),
            event_id: Uuid::now_v7(),
        });
        Ok(Reply {
            output,
            text,
            usage,
            thread_id: thread_id.unwrap_or_default(),
            session_id: round.thread.handle.id().0,
            resumed: round.thread.resumed,
            renderings: 1,
            repaired,
            continuations: 0,
            complete: None,
        })
    }
}

fn too_many_renderings() -> AgentError {
    let message = format!("the model opened sections {MOST_RENDERINGS} times, and gave no answer");
    let error = AgentError::named(Phase::Request, "too_many_renderings", message);
    error.hint("show what it needs in full from the beginning")
}

/// What the model is told of an answer that cannot be read.
fn again(wrong: &OutputError) -> String {
    format!(
        "Your answer could not be read: {}.\n\nGive the whole answer again, as JSON that fits the schema, and nothing else.",
        wrong.why
    )
}

/// Whether a thread from before cannot be gone on with now.
fn is_taken(error: &AgentError) -> bool {
    let taken = [Code::Busy, Code::NotRunning, Code::Archived, Code::NotFound, Code::OwnedElsewhere];
    matches!(error.cause, Some(Cause::Runtime(_))) && taken.iter().any(|code| error.code == code.as_str())
}
