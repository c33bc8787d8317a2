//! What a page of YAAR's says.

use selvedge_session::{ApprovalId, BusyPolicy, data::Decision};
use serde::Deserialize;

use crate::wish::Wish;

/// What a page said, understood.
#[derive(Debug, Clone, PartialEq)]
pub enum Heard {
    /// It wants something done.
    Wish {
        /// By which it is done once.
        key: Option<String>,
        /// What.
        wish: Wish,
    },
    /// It cannot be done, and why.
    Refused(String),
    /// It is of another language.
    Nothing,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
enum Said {
    UserMessage { content: String, message_id: Option<String> },
    WindowMessage { content: String, message_id: Option<String> },
    Interrupt,
    InterruptAgent,
    DialogFeedback { dialog_id: String, confirmed: bool, remember_choice: Option<String> },
    Reset,
    SetProvider,
}

/// Understands a page's words.
#[must_use]
pub fn understand(frame: &str) -> Heard {
    let Ok(said) = serde_json::from_str::<Said>(frame) else { return Heard::Nothing };
    let wish = |wish| Heard::Wish { key: None, wish };
    match said {
        // An agent that is busy is steered; what cannot join its turn waits.
        Said::UserMessage { content, message_id } | Said::WindowMessage { content, message_id } => {
            let when_busy = Some(BusyPolicy::Steer);
            let send = Wish::Send { text: content, pictures: Vec::new(), key: message_id.clone(), when_busy };
            Heard::Wish { key: message_id, wish: send }
        }
        Said::Interrupt | Said::InterruptAgent => wish(Wish::Interrupt),
        Said::DialogFeedback { dialog_id, confirmed, remember_choice } => {
            let Ok(id) = dialog_id.parse() else {
                return Heard::Refused(format!("nothing is asked as {dialog_id:?}"));
            };
            let decision = match (confirmed, remember_choice.as_deref()) {
                (true, Some("always")) => Decision::AcceptForSession,
                (true, _) => Decision::Accept,
                (false, _) => Decision::Decline,
            };
            wish(Wish::Answer { approval_id: ApprovalId(id), decision, message: None, content: None })
        }
        Said::Reset | Said::SetProvider => {
            Heard::Refused("make a new session instead: this one keeps its history and its Codex".to_owned())
        }
    }
}
