//! The tasks behind one conversation: a reader that never waits for anyone, and a writer of whole lines.

use std::{io, sync::Arc};

use selvedge_protocol::frame::{Frame, leading_method};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    task::{JoinHandle, JoinSet},
};

use crate::{
    client::Client,
    end::{ClosedBy, End},
    inbox::{Inbox, InboxLimits, Outlet, inbox},
    lanes::Lanes,
    limits::TimeLimits,
    line::Line,
    login::{REFRESH_METHOD, Refresher, TokenSource},
    redactions::Redactions,
    splitter::Splitter,
    table::RequestTable,
    tap::{self, Listener},
};

/// How a conversation is held.
#[derive(Debug, Clone)]
pub struct Options {
    /// Which attachment to the same app-server this is; request ids begin at `epoch × 10⁹`.
    pub epoch: u32,
    /// Where in the app-server's output this conversation begins to read.
    pub offset: u64,
    /// A longer line becomes a value that says so.
    pub line_limit: usize,
    /// Requests that may wait for Codex at once. A burst of 1,000 loses replies in Codex itself.
    pub in_flight: usize,
    /// How long Codex may take.
    pub time_limits: TimeLimits,
    /// How much may wait for the consumer.
    pub inbox: InboxLimits,
    /// Hears both directions.
    pub tap: Option<Arc<dyn Listener>>,
    /// Answers Codex when its external tokens have expired.
    pub token_source: Option<TokenSource>,
    /// Values that must never be written anywhere; login adds to it.
    pub redactions: Redactions,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            epoch: 1,
            offset: 0,
            line_limit: 64 * 1024 * 1024,
            in_flight: 64,
            time_limits: TimeLimits::default(),
            inbox: InboxLimits::default(),
            tap: None,
            token_source: None,
            redactions: Redactions::default(),
        }
    }
}

/// Holds a conversation over any two streams. It ends when `input` ends; dropping the client closes `output`.
pub fn connect(
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
    options: &Options,
) -> (Client, Inbox) {
    connect_to(input, output, options, |closed_by| async { End::new(closed_by, None, "") })
}

/// The same with a process that somebody else holds: `look` finds out, after its last word, how it ended.
pub fn connect_to<F: Future<Output = End> + Send>(
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
    options: &Options,
    look: impl FnOnce(ClosedBy) -> F + Send + 'static,
) -> (Client, Inbox) {
    let (client, inbox, streams) = start(input, output, options);
    let table = Arc::clone(client.table());
    let ended = client.end_sender();
    // Owned by the conversation: it ends with the streams, and how it ended is the `End`.
    #[expect(clippy::disallowed_methods, reason = "the task's end is published as the conversation's `End`")]
    tokio::spawn(async move {
        let closed_by = streams.read_to_end().await;
        let end = Arc::new(look(closed_by).await);
        table.close(Arc::clone(&end));
        ended.send_replace(Some(end));
    });
    (client, inbox)
}

/// The two tasks of a conversation, for whoever owns it.
pub(crate) struct Streams {
    reader: JoinHandle<io::Result<()>>,
    /// Aborted when dropped: with the reader gone there is nobody to write to.
    writer: JoinSet<()>,
    lanes: Arc<Lanes>,
}

impl Streams {
    /// Waits until Codex has said its last.
    pub(crate) async fn read_to_end(mut self) -> ClosedBy {
        self.end_of_reading().await
    }

    /// The same for an owner that goes on to use the streams.
    pub(crate) async fn end_of_reading(&mut self) -> ClosedBy {
        match (&mut self.reader).await {
            Ok(Ok(())) if self.lanes.closed_by_us() => ClosedBy::Us,
            Ok(Ok(())) => ClosedBy::Codex,
            Ok(Err(error)) => ClosedBy::ReadError(error.to_string()),
            Err(panicked) => ClosedBy::ReadError(panicked.to_string()),
        }
    }

    /// Closes Codex's stdin, after what waits is written.
    pub(crate) fn close_input(&self) {
        self.lanes.close();
    }

    /// Waits until we say no more: by word, or because the last client is gone.
    pub(crate) fn input_closed(&self) -> impl Future<Output = ()> + Send + 'static {
        let lanes = Arc::clone(&self.lanes);
        async move { lanes.closed().await }
    }

    /// Stops reading although the stream has not ended.
    pub(crate) fn stop_reading(&self) {
        self.reader.abort();
    }

    /// Ends the writer; what waits is not written.
    pub(crate) fn stop_writing(&mut self) {
        self.lanes.fail();
        self.writer.abort_all();
    }
}

/// Starts the tasks of a conversation.
pub(crate) fn start(
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
    options: &Options,
) -> (Client, Inbox, Streams) {
    let (outlet, inbox) = inbox(options.inbox.clone());
    let lanes = Arc::new(Lanes::default());
    let table = Arc::new(RequestTable::new(options.epoch));
    let refresher = options
        .token_source
        .clone()
        .map(|source| Refresher::new(source, Arc::clone(&lanes), options.redactions.clone()));
    let reader = Reader {
        splitter: Splitter::new(options.offset, options.line_limit),
        table: Arc::clone(&table),
        outlet,
        tap: options.tap.clone(),
        refresher,
    };
    #[expect(clippy::disallowed_methods, reason = "the handle is kept in `Streams`, whose owner awaits it")]
    let reader = tokio::spawn(reader.run(input));
    let mut writer = JoinSet::new();
    writer.spawn(write_lines(output, Arc::clone(&lanes), options.tap.clone()));
    let client = Client::new(Arc::clone(&lanes), table, options);
    (client, inbox, Streams { reader, writer, lanes })
}

struct Reader {
    splitter: Splitter,
    table: Arc<RequestTable>,
    outlet: Outlet,
    tap: Option<Arc<dyn Listener>>,
    refresher: Option<Refresher>,
}

impl Reader {
    async fn run(mut self, mut input: impl AsyncRead + Unpin) -> io::Result<()> {
        let mut batch = Vec::new();
        let ended = loop {
            match input.read_buf(self.splitter.space()).await {
                Ok(0) => break Ok(()),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => break Err(error),
            }
            self.splitter.cut(&mut batch);
            self.hand_over(&mut batch).await;
        };
        let rest = std::mem::replace(&mut self.splitter, Splitter::new(0, 0)).finish();
        batch.extend(rest);
        self.hand_over(&mut batch).await;
        ended
    }

    /// Responses to their callers, everything else to the inbox.
    async fn hand_over(&mut self, batch: &mut Vec<Line>) {
        if let Some(tap) = &self.tap {
            batch.iter().for_each(|line| tap.received(line.bytes()));
        }
        batch.retain(|line| !self.is_for_a_caller(line));
        self.outlet.push(batch).await;
    }

    fn is_for_a_caller(&mut self, line: &Line) -> bool {
        if let Some(method) = leading_method(line.bytes()) {
            if method == REFRESH_METHOD.as_bytes() {
                self.refresh_tokens(line);
            }
            return false;
        }
        match line.frame() {
            Frame::Response { id, .. } => self.table.answer(&id, line.clone()).is_ok(),
            Frame::Request { method, .. } if method == REFRESH_METHOD => {
                self.refresh_tokens(line);
                false
            }
            _ => false,
        }
    }

    /// Answered here, because a consumer that pauses must not let the login expire. It still sees the request.
    fn refresh_tokens(&mut self, line: &Line) {
        if let (Some(refresher), Frame::Request { id, params, .. }) = (&mut self.refresher, line.frame()) {
            refresher.refresh(id.into_owned(), params);
        }
    }
}

/// Writes whole lines until the lanes close, then closes `output`, which is the leash.
async fn write_lines(mut output: impl AsyncWrite + Unpin, lanes: Arc<Lanes>, tap: Option<Arc<dyn Listener>>) {
    while let Some(lines) = lanes.next().await {
        if let Some(tap) = &tap {
            tap::sent(tap.as_ref(), &lines);
        }
        let written = async {
            output.write_all(&lines).await?;
            output.flush().await
        };
        if written.await.is_err() {
            // Its reader is gone. Callers learn it from the end of the other stream, which says why.
            return lanes.fail();
        }
    }
    let _closed = output.shutdown().await;
}
