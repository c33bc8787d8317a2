//! A message that somebody waits for: if nobody does any more, it is stopped.

use std::mem;

use selvedge_runtime::session::{Code, MessageId};
use selvedge_runtime::{Error, Message, Receipt, SessionHandle};
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

/// A message on its way. Dropped before it is let go, it is taken back, or its turn interrupted.
pub(super) struct Guard {
    session: SessionHandle,
    sent: Sent,
}

enum Sent {
    /// In a task of its own: cut short, nobody would know whether it was accepted.
    Sending(JoinHandle<Result<Receipt, Error>>),
    Accepted(MessageId),
    Done,
}

impl Guard {
    pub(super) fn send(session: &SessionHandle, message: Message) -> Self {
        let sender = session.clone();
        let sending = Handle::current().spawn(async move { sender.send(message).await });
        Self { session: session.clone(), sent: Sent::Sending(sending) }
    }

    /// The message's id, once it is accepted.
    pub(super) async fn accepted(&mut self) -> Result<MessageId, Error> {
        if let Sent::Sending(sending) = &mut self.sent {
            let panicked = |_| Err(Error::of(Code::Internal));
            let receipt = sending.await.unwrap_or_else(panicked);
            self.sent = match &receipt {
                Ok(receipt) => Sent::Accepted(receipt.message_id),
                Err(_) => Sent::Done,
            };
            return receipt.map(|receipt| receipt.message_id);
        }
        match &self.sent {
            Sent::Accepted(id) => Ok(*id),
            Sent::Sending(_) | Sent::Done => Err(Error::of(Code::NotFound)),
        }
    }

    /// It has ended: there is nothing to be stopped.
    pub(super) fn let_go(&mut self) {
        self.sent = Sent::Done;
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let sent = mem::replace(&mut self.sent, Sent::Done);
        let (Ok(handle), false) = (Handle::try_current(), matches!(sent, Sent::Done)) else { return };
        let session = self.session.clone();
        // Nobody waits for it: whoever did is gone. The runtime brings the message to its end within seconds.
        handle.spawn(async move {
            let id = match sent {
                Sent::Sending(sending) => {
                    sending.await.ok().and_then(Result::ok).map(|receipt| receipt.message_id)
                }
                Sent::Accepted(id) => Some(id),
                Sent::Done => None,
            };
            if let Some(id) = id {
                // One that has ended meanwhile needs no stopping.
                let _ended = session.take_back(id).await;
            }
        });
    }
}
