//! What was used: differences of totals, their price, and the limits on both.

use super::Deciding;
use crate::{
    event::{What, data::UsageUpdated},
    fact::{Cause, Fact},
    input::{Heard, Place},
    price::Cost,
    settings::Budget,
    usage::Usage,
};

impl Deciding<'_> {
    pub(super) fn used(&mut self, heard: Heard) {
        let Heard::Usage { place, total, last, context_window } = heard else { return };
        let added = self.added(&place, total, last);
        self.note(Fact::Total { thread_id: place.thread.clone(), total });
        let session = self.session.usage.plus(added);
        let cost = self.cost_with(added);
        let running = self.session.turn.as_ref();
        let turn = running.map_or(Usage::default(), |turn| session.since(turn.usage_before));
        let turn_cost =
            cost.unwrap_or_default().since(running.and_then(|turn| turn.cost_before).unwrap_or_default());
        // Only the session's own thread tells how full its context is.
        let own = self.session.is_own(&place.thread);
        let context_used_percent =
            context_window.filter(|window| own && *window > 0).map(|window| last.total * 100 / window);
        let scope = self.scope(&place);
        let cost_usd = cost.map(Cost::usd);
        self.emit_in(
            scope,
            What::UsageUpdated(UsageUpdated {
                turn,
                session,
                cost_usd,
                context_window,
                context_used_percent,
            }),
        );
        if self.budget().is_some_and(|budget| exceeds(&turn, turn_cost, &budget)) {
            self.interrupt(Cause::Budget);
        }
    }

    /// What a report adds. Totals grow; of a thread with a past that we did not see, the first total is where we begin to
    /// count, and only the response that was reported with it can be ours.
    fn added(&self, place: &Place, total: Usage, last: Usage) -> Usage {
        let before = self.session.totals.get(&place.thread);
        if let Some(before) = before.filter(|before| total.total >= before.total) {
            return total.since(*before);
        }
        let own = self.session.is_own(&place.thread);
        let in_turn = self.session.turn.as_ref().is_some_and(|turn| {
            // Older versions repeat the last total when a turn begins, before anything is said.
            if own { turn.spoke && turn.turn_id.as_ref() == Some(&place.turn) } else { before.is_none() }
        });
        if in_turn { last } else { Usage::default() }
    }

    /// What the session cost with this: the message that opened the turn says at what price.
    fn cost_with(&self, added: Usage) -> Option<Cost> {
        let opener = self.session.turn.as_ref().and_then(|turn| turn.opener.as_ref());
        match opener.and_then(|opener| self.session.price(&opener.options)) {
            Some(price) => Some(self.session.cost.unwrap_or_default().plus(price.of(added))),
            None => self.session.cost,
        }
    }

    fn budget(&self) -> Option<Budget> {
        let opener = self.session.turn.as_ref()?.opener.as_ref();
        opener.and_then(|opener| opener.options.budget).or(self.session.settings.budget)
    }
}

fn exceeds(used: &Usage, cost: Cost, budget: &Budget) -> bool {
    let over = |used: u64, limit: Option<u64>| limit.is_some_and(|limit| used > limit);
    over(used.total, budget.max_total_tokens)
        || over(used.input, budget.max_input_tokens)
        || over(used.output, budget.max_output_tokens)
        || budget.max_cost_usd.is_some_and(|limit| cost > Cost::from_usd(limit))
}
