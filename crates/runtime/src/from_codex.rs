//! The only reader of the wire: one message of Codex's becomes what it means to a session.
//!
//! Nothing behind this file sees a method name or a view, and nothing before it sees a session.

mod diff;
mod failure;
mod key;
mod legacy;
mod more;
mod notifications;
mod piece;
mod requests;

use selvedge_protocol::{
    frame::{Frame, RequestId},
    see::{Notification, ServerRequest},
};
use selvedge_session::{Heard, Json, RequestKey};
use uuid::Uuid;

pub use failure::{failure_of, failure_of_turn};
pub(crate) use key::asked_by;
pub(crate) use legacy::Legacy;
pub(crate) use piece::Piece;

/// What one line means.
#[derive(Debug)]
pub enum Meaning {
    /// Something for the session that has this thread.
    Thread {
        /// Codex's thread.
        thread: String,
        /// What it hears.
        heard: Box<Heard>,
        /// The line, if it says more than that, which nobody knows.
        more: Option<String>,
    },
    /// Something about the whole app-server.
    Process {
        /// What it tells.
        method: String,
        /// With what.
        params: Json,
    },
    /// A request that is answered here, without a session.
    Reply {
        /// Which.
        id: RequestId<'static>,
        /// With what.
        reply: Reply,
    },
    /// An answer that nobody waits for any more.
    LateAnswer {
        /// To which request.
        id: RequestId<'static>,
    },
    /// What we do not know, kept as it is.
    Unknown {
        /// The line, or what there is of it.
        raw: String,
        /// The request that has to be refused, if it is one.
        refuse: Option<RequestId<'static>>,
    },
}

/// An answer that needs no session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// What time it is.
    Time,
    /// Answered by the client itself: new tokens.
    Tokens,
    /// No, and why.
    Refuse(&'static str),
}

/// What a reader needs beside the line: fresh ids, and which app-server it reads.
#[derive(Debug)]
pub struct Reader<F> {
    /// Gives a new id.
    pub fresh: F,
    /// Part of every request's key: ids begin at 0 in each app-server.
    pub process: Uuid,
}

impl<F: FnMut() -> Uuid> Reader<F> {
    /// Reads one line.
    pub fn read(&mut self, line: &str) -> Meaning {
        match Frame::read(line) {
            Frame::Notification { method, params } => match Notification::read(method, params) {
                ref notification @ Notification::ServerRequestResolved(ref it) => {
                    let withdrawn = of_thread(&it.thread_id, Heard::Withdrawn(self.key(&it.request_id)));
                    withdrawn.with_more(more::says_more(notification), line)
                }
                notification => notifications::read(line, &notification),
            },
            Frame::Request { id, method, params } => {
                self.request(line, id.into_owned(), &ServerRequest::read(method, params))
            }
            Frame::Response { id, .. } => Meaning::LateAnswer { id: id.into_owned() },
            Frame::Malformed(_) => unknown(line),
        }
    }

    fn key(&self, id: &RequestId<'_>) -> RequestKey {
        key::key_of(self.process, id)
    }
}

impl Meaning {
    /// The line is kept too, if it says more than is heard.
    fn with_more(mut self, says_more: bool, line: &str) -> Self {
        if let Self::Thread { more, .. } = &mut self {
            *more = says_more.then(|| line.to_owned());
        }
        self
    }
}

fn unknown(line: &str) -> Meaning {
    Meaning::Unknown { raw: line.to_owned(), refuse: None }
}

fn of_thread(thread: &str, heard: Heard) -> Meaning {
    Meaning::Thread { thread: thread.to_owned(), heard: Box::new(heard), more: None }
}
