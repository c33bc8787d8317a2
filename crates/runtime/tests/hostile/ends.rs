//! Every message has ended, with its words.

use selvedge_runtime::{MessageState, MessageView};

use crate::{
    conversation::{Ended, Expected},
    proxy_log::Did,
};

/// Panics if one has not ended as it should.
pub(crate) fn check(ended: &[Ended], did: &[Did]) {
    for Ended { said, view, expected } in ended {
        let renamed = ended_in_a_new_way(view, did);
        let words = match expected {
            // Of a lost one, what was said so far.
            Expected::WordsOrLost(words) if view.state == MessageState::Lost => &words[..1],
            Expected::Words(words) | Expected::WordsOrLost(words) => words,
            Expected::Stopped => "",
        };
        assert!(view.text.contains(words), "{said} has lost its words: {view:?}");
        match (view.state, expected) {
            (MessageState::Completed, Expected::Words(_) | Expected::WordsOrLost(_)) if !renamed => {}
            (MessageState::Interrupted, Expected::Stopped) if !renamed => {}
            // What nobody knows is no success, and it is said so.
            (MessageState::Failed, _) if renamed => {
                assert_eq!(view.error.as_ref().unwrap().code, "unknown_status", "{said}: {view:?}");
            }
            (MessageState::Lost, Expected::WordsOrLost(_)) => {
                assert_eq!(view.error.as_ref().unwrap().code, "outcome_unknown", "{said}: {view:?}");
            }
            _ => panic!("{said} ended otherwise (renamed: {renamed}): {view:?}"),
        }
    }
}

/// Whether the proxy gave the end of its turn a name that nobody knows, as it was told or as it is stored.
fn ended_in_a_new_way(view: &MessageView, did: &[Did]) -> bool {
    let Some(failure) = &view.error else { return false };
    let is_status = |did: &&Did| did.path.ends_with("/status");
    did.iter().filter(is_status).any(|did| failure.message.ends_with(&format!("\"{}\"", did.mark)))
}
