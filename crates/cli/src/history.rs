//! What a session's events say about its messages: read whole, from the first one on.

use selvedge_runtime::MessageView;
use selvedge_session::{Event, InputPart, MessageId, Timestamp, What};

use crate::{failure::Failure, place::Session};

/// Events read at once.
const PAGE: usize = 1000;

/// Hands every event there is to `each`, in order.
pub(crate) async fn read(
    session: &Session,
    mut each: impl FnMut(Event) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut events = session.events(0).await?;
    loop {
        let page = events.there(PAGE).await?;
        if page.is_empty() {
            return Ok(());
        }
        for written in &page {
            each(written.read()?)?;
        }
    }
}

/// A message and how it ended, if it has.
#[derive(Debug)]
pub(crate) struct Sent {
    pub(crate) id: MessageId,
    pub(crate) at: Timestamp,
    pub(crate) seq: u64,
    pub(crate) text: String,
    pub(crate) end: Option<MessageView>,
}

/// Every message of a session, oldest first.
pub(crate) async fn messages(session: &Session) -> Result<Vec<Sent>, Failure> {
    let mut messages: Vec<Sent> = Vec::new();
    read(session, |event| {
        if let What::MessageAccepted(it) = &event.what {
            let (id, text) = (it.message_id, said(&it.input));
            messages.push(Sent { id, at: event.at, seq: event.seq, text, end: None });
        }
        if let What::MessageUpdated(it) = &event.what
            && let Some(input) = &it.input
            && let Some(sent) = messages.iter_mut().find(|sent| sent.id == it.message_id)
        {
            sent.text = said(input);
        }
        if let Some(end) = MessageView::of_event(&event)
            && let Some(sent) = messages.iter_mut().find(|sent| sent.id == end.message_id)
        {
            sent.end = Some(end);
        }
        Ok(())
    })
    .await?;
    Ok(messages)
}

/// What somebody said, as text.
pub(crate) fn said(input: &[InputPart]) -> String {
    let parts = input.iter().map(|part| match part {
        InputPart::Text { text } => text.clone(),
        InputPart::Image { media_type, .. } => format!("[{media_type}]"),
    });
    parts.collect::<Vec<_>>().join("\n")
}
