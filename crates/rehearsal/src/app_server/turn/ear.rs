//! What the client says to a turn while it runs: heard at every wait, answered at once, acted upon when it fits.

use std::{collections::VecDeque, pin::pin};

use tokio::sync::mpsc;

use super::{
    super::{
        outbox::{Out, Outbox},
        params::UserMessage,
        thread::Signal,
        wire::RequestId,
    },
    Cut, Played,
};

/// Whether new input cuts a wait short. Codex cuts the model's stream, but lets a tool finish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Steering {
    Cuts,
    Waits,
}

/// The turn's ear.
pub(super) struct Ear {
    signals: mpsc::Receiver<Signal>,
    outbox: Outbox,
    steers: VecDeque<UserMessage>,
    interrupts: Vec<RequestId>,
}

impl Ear {
    pub(super) fn new(signals: mpsc::Receiver<Signal>, outbox: Outbox) -> Self {
        Self { signals, outbox, steers: VecDeque::new(), interrupts: Vec::new() }
    }

    /// Waits for something, unless the client cuts it short.
    pub(super) async fn unless<T>(&mut self, steering: Steering, what: impl Future<Output = T>) -> Played<T> {
        let mut what = pin!(what);
        loop {
            tokio::select! {
                biased;
                Some(signal) = self.signals.recv() => {
                    let steered = self.take(signal).await;
                    if !self.interrupts.is_empty() {
                        return Err(Cut::Interrupted);
                    }
                    if steered && steering == Steering::Cuts {
                        return Err(Cut::Steered);
                    }
                }
                result = &mut what => return Ok(result),
            }
        }
    }

    /// Hears what was said, without waiting. Says whether there was something.
    pub(super) async fn take(&mut self, signal: Signal) -> bool {
        match signal {
            Signal::Interrupt(id) => {
                self.interrupts.push(id);
                false
            }
            Signal::Steer { message, answer } => {
                self.outbox.send(Out::Lines(answer)).await;
                self.steers.push_back(message);
                true
            }
        }
    }

    /// Something that was said and not yet heard.
    pub(super) fn unheard(&mut self) -> Option<Signal> {
        self.signals.try_recv().ok()
    }

    pub(super) fn next_steer(&mut self) -> Option<UserMessage> {
        self.steers.pop_front()
    }

    pub(super) fn has_steer(&self) -> bool {
        !self.steers.is_empty()
    }

    pub(super) fn is_interrupted(&self) -> bool {
        !self.interrupts.is_empty()
    }

    /// The interrupts that wait for their answer.
    pub(super) fn take_interrupts(&mut self) -> Vec<RequestId> {
        std::mem::take(&mut self.interrupts)
    }
}
