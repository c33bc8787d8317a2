//! The handle by which anyone asks and answers.

use std::{marker::PhantomData, sync::Arc, time::Duration};

use selvedge_protocol::{
    call::{Call, ServerCall},
    frame::{Frame, Outcome, RequestId},
    view::View,
};
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::{
    sync::{Semaphore, watch},
    time::{Instant, sleep, sleep_until, timeout_at},
};

use crate::{
    connection::Options,
    end::End,
    error::{CallError, RpcError},
    lanes::{Lane, Lanes, Outgoing},
    limits::TimeLimits,
    line::Line,
    redactions::Redactions,
    table::RequestTable,
};

/// The delays after Codex said that it is overloaded: this, doubled each time, up to the longest.
const FIRST_RETRY: Duration = Duration::from_millis(50);
const LONGEST_RETRY: Duration = Duration::from_secs(2);

/// Asks Codex and answers it, from any task. Cheap to clone; when the last clone is dropped, Codex's stdin is closed.
#[derive(Debug, Clone)]
pub struct Client {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    lanes: Arc<Lanes>,
    table: Arc<RequestTable>,
    in_flight: Semaphore,
    time_limits: TimeLimits,
    redactions: Redactions,
    end: watch::Sender<Option<Arc<End>>>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.lanes.close();
    }
}

/// The id of a request that is not yet made: whoever has to write down what they are about to say knows it before.
#[derive(Debug)]
pub struct Reserved(i64);

impl Reserved {
    /// The id as it will be in the line.
    #[must_use]
    pub fn id(&self) -> i64 {
        self.0
    }
}

/// The result of a request, as Codex wrote it.
#[derive(Debug, Clone)]
pub struct Reply {
    line: Line,
}

impl Reply {
    /// The line it came in.
    #[must_use]
    pub fn line(&self) -> &Line {
        &self.line
    }

    /// The raw result.
    #[must_use]
    pub fn result(&self) -> &RawValue {
        match self.line.frame() {
            Frame::Response { outcome: Outcome::Result(raw), .. } => raw,
            // A reply is only made of such a line.
            _ => RawValue::NULL,
        }
    }
}

/// The result of a typed call. It owns the line; [`Answer::read`] gives the view.
#[derive(Debug, Clone)]
pub struct Answer<C> {
    reply: Reply,
    call: PhantomData<fn() -> C>,
}

impl<C: Call> Answer<C> {
    /// The typed view of the result.
    pub fn read(&self) -> Result<C::Reply<'_>, CallError> {
        C::Reply::view(self.reply.result()).ok_or_else(|| CallError::Unreadable {
            method: C::METHOD.to_owned(),
            raw: self.reply.result().get().to_owned(),
        })
    }

    /// The untyped result.
    #[must_use]
    pub fn reply(&self) -> &Reply {
        &self.reply
    }
}

#[derive(Serialize)]
struct RequestLine<'a, P> {
    method: &'a str,
    id: i64,
    params: &'a P,
}

#[derive(Serialize)]
struct NotificationLine<'a> {
    method: &'a str,
}

#[derive(Serialize)]
struct AnswerLine<'a, R> {
    id: &'a RequestId<'a>,
    result: &'a R,
}

#[derive(Serialize)]
struct RefusalLine<'a> {
    id: &'a RequestId<'a>,
    error: Refusal<'a>,
}

#[derive(Serialize)]
struct Refusal<'a> {
    code: i64,
    message: &'a str,
}

impl Client {
    pub(crate) fn new(lanes: Arc<Lanes>, table: Arc<RequestTable>, options: &Options) -> Self {
        let inner = Inner {
            lanes,
            table,
            in_flight: Semaphore::new(options.in_flight),
            time_limits: options.time_limits.clone(),
            redactions: options.redactions.clone(),
            end: watch::Sender::new(None),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Makes a typed call and waits for its result.
    pub async fn call<C: Call>(&self, params: &C::Params) -> Result<Answer<C>, CallError> {
        self.call_as(self.reserve(), params).await
    }

    /// An id for a call of this conversation that is made later, by [`Client::call_as`].
    #[must_use]
    pub fn reserve(&self) -> Reserved {
        Reserved(self.inner.table.reserve())
    }

    /// Makes a typed call under an id that is known already, and waits for its result.
    pub async fn call_as<C: Call>(
        &self,
        reserved: Reserved,
        params: &C::Params,
    ) -> Result<Answer<C>, CallError> {
        let limit = self.inner.time_limits.of(C::METHOD);
        let request = RequestLine { method: C::METHOD, id: reserved.0, params };
        let reply = self.ask(&request, limit).await?;
        Ok(Answer { reply, call: PhantomData })
    }

    /// Makes any request, known to the views or not, and waits for its result within the method's time limit.
    pub async fn request(&self, method: &str, params: &impl Serialize) -> Result<Reply, CallError> {
        self.request_within(method, params, self.inner.time_limits.of(method)).await
    }

    /// The same within a time limit of the caller's.
    pub async fn request_within(
        &self,
        method: &str,
        params: &impl Serialize,
        limit: Duration,
    ) -> Result<Reply, CallError> {
        self.ask(&RequestLine { method, id: self.inner.table.reserve(), params }, limit).await
    }

    /// Asks until Codex is not overloaded. It has answered each time, so the id is free again.
    async fn ask<P: Serialize>(
        &self,
        request: &RequestLine<'_, P>,
        limit: Duration,
    ) -> Result<Reply, CallError> {
        let deadline = Instant::now() + limit;
        let mut delay = FIRST_RETRY;
        loop {
            let line = self.attempt(request, Limit { deadline, limit }).await?;
            let Frame::Response { outcome: Outcome::Error(raw), .. } = line.frame() else {
                return Ok(Reply { line });
            };
            let error = RpcError::read(raw);
            if !error.is_overload() || Instant::now() + delay >= deadline {
                return Err(CallError::Refused { method: request.method.to_owned(), error });
            }
            sleep(delay).await;
            delay = (delay * 2).min(LONGEST_RETRY);
        }
    }

    /// Answers a server request by what its method wants. It may be any task, late, out of order, or again: Codex takes
    /// the first answer.
    ///
    /// ```
    /// use selvedge_client::{CallError, Client, protocol::{asks, frame::RequestId, say}};
    ///
    /// fn decline(client: &Client, id: &RequestId<'_>) -> Result<(), CallError> {
    ///     let decline = say::FileChangeRequestApprovalResponse::new(say::FileChangeApprovalDecision::Decline);
    ///     client.answer_to::<asks::ItemFileChangeRequestApproval>(id, &decline)
    /// }
    /// ```
    pub fn answer_to<A: ServerCall>(&self, id: &RequestId<'_>, answer: &A::Answer) -> Result<(), CallError> {
        self.answer(id, answer)
    }

    /// The same with any JSON, for a request whose method has no type here.
    pub fn answer(&self, id: &RequestId<'_>, result: &impl Serialize) -> Result<(), CallError> {
        self.say("an answer", &AnswerLine { id, result })
    }

    /// Refuses a server request.
    pub fn refuse(&self, id: &RequestId<'_>, code: i64, message: &str) -> Result<(), CallError> {
        self.say("a refusal", &RefusalLine { id, error: Refusal { code, message } })
    }

    /// Which call a response in the inbox belongs to: one that was given up before its answer came. Asked once per
    /// response; `None` for a response nobody asked for.
    #[must_use]
    pub fn take_late(&self, id: &RequestId<'_>) -> Option<String> {
        self.inner.table.take_late(id)
    }

    /// Asks something whose answer is wanted for its place only: it comes through the inbox, as an answer to this id,
    /// behind everything that Codex said before it.
    pub fn mark(&self, reserved: &Reserved) -> Result<(), CallError> {
        let method = "thread/loaded/list";
        let line = encode(method, &RequestLine { method, id: reserved.0, params: &serde_json::json!({}) })?;
        let sent = self.inner.lanes.push(Lane::Normal, Outgoing { id: None, line });
        sent.map_err(|_closed| self.not_sent(method))
    }

    /// Says no more: what waits is written, then Codex's stdin is closed, and it ends.
    pub fn close(&self) {
        self.inner.lanes.close();
    }

    /// Waits for the end and says how it came.
    pub async fn ended(&self) -> Arc<End> {
        let mut end = self.inner.end.subscribe();
        match end.wait_for(Option::is_some).await.as_deref() {
            Ok(Some(end)) => Arc::clone(end),
            // The sender lives in `inner`, and so longer than this.
            _ => Arc::new(End::unknown()),
        }
    }

    /// Whether it has ended: nothing is answered any more, though what Codex said last may still wait to be read.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.inner.table.ended().is_some()
    }

    /// The values that this conversation never writes down.
    #[must_use]
    pub fn redactions(&self) -> &Redactions {
        &self.inner.redactions
    }

    pub(crate) fn notify(&self, method: &str) -> Result<(), CallError> {
        self.say(method, &NotificationLine { method })
    }

    pub(crate) fn table(&self) -> &Arc<RequestTable> {
        &self.inner.table
    }

    pub(crate) fn end_sender(&self) -> watch::Sender<Option<Arc<End>>> {
        self.inner.end.clone()
    }

    fn say(&self, what: &str, line: &impl Serialize) -> Result<(), CallError> {
        let line = encode(what, line)?;
        self.inner
            .lanes
            .push(Lane::Urgent, Outgoing { id: None, line })
            .map_err(|_closed| self.not_sent(what))
    }

    /// Sends once and waits for the answer's line.
    async fn attempt<P: Serialize>(
        &self,
        request: &RequestLine<'_, P>,
        limit: Limit,
    ) -> Result<Line, CallError> {
        let inner = &*self.inner;
        let RequestLine { id, method, .. } = *request;
        let lane = Lane::of(method);
        let _permit = match lane {
            Lane::Urgent => None,
            Lane::Normal => match timeout_at(limit.deadline, inner.in_flight.acquire()).await {
                Ok(permit) => permit.ok(),
                Err(_elapsed) => return Err(limit.passed(method, false)),
            },
        };
        let mut waiting = inner.table.open(id, method).map_err(|end| CallError::Ended {
            method: method.to_owned(),
            end,
            sent: false,
        })?;
        let mut open = OpenRequest { inner, id, answered: false };
        let line = encode(method, request)?;
        inner.lanes.push(lane, Outgoing { id: Some(id), line }).map_err(|_closed| self.not_sent(method))?;
        tokio::select! {
            biased;
            answer = &mut waiting => {
                open.answered = true;
                answer.map_err(|_gone| self.ended_before(method, open.withdraw()))
            }
            () = sleep_until(limit.deadline) => {
                let sent = open.give_up();
                // It may have been answered in this very moment; then the table no longer had it to give up.
                waiting.try_recv().map_err(|_nothing| limit.passed(method, sent))
            }
        }
    }

    fn not_sent(&self, what: &str) -> CallError {
        match self.inner.table.ended() {
            Some(end) => CallError::Ended { method: what.to_owned(), end, sent: false },
            None => CallError::InputClosed { method: what.to_owned() },
        }
    }

    fn ended_before(&self, method: &str, withdrawn: bool) -> CallError {
        let end = self.inner.table.ended().unwrap_or_else(|| Arc::new(End::unknown()));
        CallError::Ended { method: method.to_owned(), end, sent: !withdrawn }
    }
}

/// When a call has to be answered, and how long that was at its start.
#[derive(Clone, Copy)]
struct Limit {
    deadline: Instant,
    limit: Duration,
}

impl Limit {
    fn passed(self, method: &str, sent: bool) -> CallError {
        CallError::TimedOut { method: method.to_owned(), after: self.limit, sent }
    }
}

/// A request in the table. However its caller leaves, the table learns it.
struct OpenRequest<'a> {
    inner: &'a Inner,
    id: i64,
    answered: bool,
}

impl OpenRequest<'_> {
    /// Takes it out of its lane; true if it was still there.
    fn withdraw(&self) -> bool {
        self.inner.lanes.withdraw(self.id)
    }

    /// Gives up waiting; true if it may have been sent.
    fn give_up(&mut self) -> bool {
        self.answered = true;
        let sent = !self.withdraw();
        self.inner.table.abandon(self.id, sent);
        sent
    }
}

impl Drop for OpenRequest<'_> {
    fn drop(&mut self) {
        if !self.answered {
            self.give_up();
        }
    }
}

/// One whole line.
fn encode(what: &str, message: &impl Serialize) -> Result<Vec<u8>, CallError> {
    let mut line = serde_json::to_vec(message)
        .map_err(|error| CallError::Unwritable { method: what.to_owned(), error })?;
    line.push(b'\n');
    Ok(line)
}
