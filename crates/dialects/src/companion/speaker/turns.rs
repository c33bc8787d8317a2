//! How turns and messages end, and what they used.

use selvedge_session::{Status, data};

use super::{Message, Speaker, Update};
use crate::companion::{
    outcome::{Ended, Outcome},
    state::TokenDetails,
};

impl Speaker {
    pub(super) fn turn_completed(
        &mut self,
        it: &data::TurnCompleted,
        turn_id: Option<&str>,
        said: &mut Vec<Message>,
    ) {
        self.ended.clone_from(&it.message_ids);
        if self.compacting {
            self.compacts(false, said);
        }
        // A turn that is run again was cut: its message has not ended.
        if it.message_ids.is_empty() && it.status == Status::Interrupted {
            return;
        }
        self.state.num_turns += 1;
        let ended = Ended {
            status: it.status,
            error: it.error.as_ref(),
            duration_ms: it.duration_ms,
            usage: self.turn.usage,
            id: turn_id.unwrap_or_default().to_owned(),
        };
        said.push(self.result(ended));
    }

    /// A message that never got a turn has no other end that a browser would see.
    pub(super) fn finished(&mut self, it: &data::Finished, said: &mut Vec<Message>) {
        let failed = matches!(it.status, Status::Failed | Status::Lost);
        if !failed || self.ended.contains(&it.message_id) || it.steered_into.is_some() {
            return;
        }
        let ended = Ended {
            status: it.status,
            error: it.error.as_ref(),
            duration_ms: 0,
            usage: it.usage,
            id: it.message_id.to_string(),
        };
        let result = self.result(ended);
        said.push(match result {
            // Another one's turn goes on.
            Message::Result { data } if self.phase.is_busy() => {
                Message::Error { message: data.result.unwrap_or_default() }
            }
            result => result,
        });
    }

    fn result(&self, ended: Ended<'_>) -> Message {
        let state = &self.state;
        let outcome = Outcome::of(ended, &state.session_id, state.num_turns, state.total_cost_usd);
        Message::Result { data: Box::new(outcome) }
    }

    pub(super) fn used(&mut self, it: &data::UsageUpdated, said: &mut Vec<Message>) {
        self.turn.usage = it.turn;
        let window = it.context_window.unwrap_or(self.state.codex_token_details.model_context_window);
        let details = TokenDetails {
            input_tokens: it.session.input,
            output_tokens: it.session.output,
            cached_input_tokens: it.session.cached_input,
            reasoning_output_tokens: it.session.reasoning_output,
            model_context_window: window,
        };
        let update = Update {
            context_used_percent: it.context_used_percent.map(|percent| percent.min(100)),
            codex_token_details: Some(details),
            total_cost_usd: it.cost_usd,
            ..Update::default()
        };
        self.update(update, said);
    }
}
