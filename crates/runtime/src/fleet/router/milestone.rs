//! A place in an app-server's output, and who still has to make durable what was said before it.

use super::slot::Slot;
use crate::fleet::mailbox::Mailbox;

/// A place in the output.
#[derive(Debug)]
pub(super) struct Milestone {
    offset: u64,
    /// How many of its news each listener had been sent when it was set.
    owed: Vec<(Mailbox, u64)>,
}

impl Milestone {
    /// Here, where so much has been sent to these.
    pub(super) fn at<'a>(offset: u64, listeners: impl Iterator<Item = &'a Slot>) -> Self {
        let owed = listeners.map(|it| (it.mailbox.clone(), it.mailbox.announced())).collect();
        Self { offset, owed }
    }

    /// Whether everything that was said before it is durable.
    pub(super) fn is_reached(&self) -> bool {
        self.owed.iter().all(|(mailbox, many)| mailbox.has_settled(*many))
    }

    /// Where it is.
    pub(super) fn offset(self) -> u64 {
        self.offset
    }
}
