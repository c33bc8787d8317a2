//! What a line says, read by its method.

use selvedge_protocol::{
    frame::{Frame, Malformed, Outcome, RequestId},
    see::{Notification, ServerRequest},
};

/// A line as a message; what is new in Codex is in `Unknown` of its kind, whole.
#[derive(Debug, Clone)]
pub enum Message<'a> {
    /// Codex tells us something.
    Notification(Notification<'a>),
    /// Codex asks us something, and waits until the id is answered or refused.
    Request {
        /// What [`Client::answer_to`](crate::Client::answer_to) and [`Client::refuse`](crate::Client::refuse) are given.
        id: RequestId<'a>,
        /// What it asks.
        request: ServerRequest<'a>,
    },
    /// The answer to a call whose caller has given up; [`Client::take_late`](crate::Client::take_late) says which.
    Response {
        /// Which request.
        id: RequestId<'a>,
        /// How it went.
        outcome: Outcome<'a>,
    },
    /// The line is none of these; [`Line::bytes`](crate::Line::bytes) has it.
    Malformed(Malformed),
}

impl<'a> From<Frame<'a>> for Message<'a> {
    fn from(frame: Frame<'a>) -> Self {
        match frame {
            Frame::Notification { method, params } => Self::Notification(Notification::read(method, params)),
            Frame::Request { id, method, params } => {
                Self::Request { id, request: ServerRequest::read(method, params) }
            }
            Frame::Response { id, outcome } => Self::Response { id, outcome },
            Frame::Malformed(flaw) => Self::Malformed(flaw),
        }
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::line::Line;

    fn line(text: &'static str) -> Line {
        Line::whole(0, Bytes::from_static(text.as_bytes()))
    }

    #[test]
    fn a_line_is_read_as_what_it_is() {
        let told = line(
            r#"{"method":"item/agentMessage/delta","params":{"threadId":"t","turnId":"u","itemId":"i","delta":"hi"}}"#,
        );
        let Message::Notification(Notification::ItemAgentMessageDelta(it)) = told.message() else {
            panic!("{told:?}")
        };
        assert_eq!((it.thread_id.as_ref(), it.delta().as_deref()), ("t", Some("hi")));
        let asked = line(r#"{"method":"brand/new","id":0,"params":{}}"#);
        let Message::Request { id: RequestId::Int(0), request } = asked.message() else {
            panic!("{asked:?}")
        };
        assert!(matches!(&request, ServerRequest::Unknown { method, .. } if method == "brand/new"));
        let answered = line(r#"{"id":"a","result":{}}"#);
        let Message::Response { id, outcome: Outcome::Result(_) } = answered.message() else {
            panic!("{answered:?}")
        };
        assert_eq!(id, RequestId::Text("a".into()));
        assert!(matches!(line("what?").message(), Message::Malformed(Malformed::NotJson)));
    }
}
