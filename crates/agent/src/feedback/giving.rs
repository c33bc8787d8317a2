//! Asking the providers of a prompt after a call.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Feedback, FeedbackContext, FeedbackProvider, FilesSeen, Trigger};

/// A provider with its trigger.
#[derive(Clone)]
pub(crate) struct Provider {
    pub(crate) provider: Arc<dyn FeedbackProvider>,
    pub(crate) trigger: Trigger,
}

/// The providers of one toolbox.
pub(crate) struct Giving {
    providers: Vec<Provider>,
    /// Calls that end side by side ask one after the other: else both would hear what is due once.
    turn: Mutex<()>,
}

impl Giving {
    pub(crate) fn new(providers: Vec<Provider>) -> Self {
        Self { providers, turn: Mutex::default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.providers.is_empty()
    }

    /// What the model is told now; nothing, if nobody has anything to say. Who is asked is found first: what one says does not keep another from it.
    pub(crate) fn give(&self, context: &FeedbackContext<'_>) -> Option<String> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let due: Vec<&Provider> =
            self.providers.iter().filter(|it| it.trigger.fires(context, it.provider.name())).collect();
        let said: Vec<(&Provider, Feedback)> =
            due.into_iter().filter_map(|it| Some((it, it.provider.provide(context)?))).collect();
        let call_index = context.call_count();
        let files: Vec<String> =
            said.iter().filter_map(|(it, _)| it.trigger.new_file(context).map(str::to_owned)).collect();
        if !files.is_empty() {
            context.session().update(move |seen: &mut FilesSeen| seen.0.extend(files.iter().cloned()));
        }
        let blocks = said.into_iter().map(|(it, feedback)| {
            let (provider_name, prompt_name) =
                (it.provider.name().to_owned(), context.prompt_name().to_owned());
            let feedback = Feedback { provider_name, prompt_name, call_index, ..feedback };
            let words = feedback.render();
            context.session().append(feedback);
            words
        });
        let blocks: Vec<String> = blocks.collect();
        (!blocks.is_empty()).then(|| blocks.join("\n\n"))
    }
}
