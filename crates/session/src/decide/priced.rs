//! What a message's tokens cost, and whether that is known early enough for a limit in money.

use crate::{message::Options, price::Price, state::Session};

impl Session {
    /// The price that goes with a message. One that was accepted before there was a thread, with a model that nobody chose,
    /// has the price of the thread's own model.
    pub(super) fn price(&self, options: &Options) -> Option<Price> {
        let of_thread = || self.made_with.as_ref().filter(|_| !self.chose_model(options))?.price;
        options.price.or_else(of_thread)
    }

    /// Whether a message's limit in money, if it has one, can be kept.
    pub(super) fn can_keep_limit(&self, options: &Options) -> bool {
        let budget = options.budget.or(self.settings.budget);
        let limited = budget.is_some_and(|budget| budget.max_cost_usd.is_some());
        !limited || self.price(options).is_some()
    }

    /// Whether it becomes known with the thread which model a message is for.
    pub(super) fn learns_model(&self, options: &Options) -> bool {
        self.made_with.is_none() && !self.chose_model(options)
    }

    fn chose_model(&self, options: &Options) -> bool {
        options.model.is_some() || self.settings.model.is_some()
    }
}
