//! What a page of YAAR's says.

use selvedge_session::{ApprovalId, BusyPolicy, Patch, data::Decision};
use serde::Deserialize;

use crate::wish::Wish;

/// What a page said, understood.
#[derive(Debug, Clone, PartialEq)]
pub enum Heard {
    /// It wants something done.
    Wishes {
        /// By which it is done once.
        key: Option<String>,
        /// What, in this order.
        wishes: Vec<Wish>,
    },
    /// It cannot be done, and why.
    Refused(String),
    /// It is of another language.
    Nothing,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
enum Said {
    UserMessage(Message),
    WindowMessage(Message),
    Interrupt,
    InterruptAgent,
    DialogFeedback { dialog_id: String, confirmed: bool, remember_choice: Option<String> },
    Reset,
    SetProvider,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    content: String,
    message_id: Option<String>,
    /// As YAAR's own server gives it with each query. Another one than before holds for a new thread.
    system_prompt: Option<String>,
}

impl Message {
    /// An agent that is busy is steered; what cannot join its turn waits. So does a message with its own instructions: the
    /// turn that runs has others. It is the same wishes whether they are new or not, for they may be sent again.
    fn heard(self) -> Heard {
        let Self { content, message_id: key, system_prompt } = self;
        let when_busy = if system_prompt.is_some() { BusyPolicy::Queue } else { BusyPolicy::Steer };
        let instructed = system_prompt.map(|words| {
            Wish::Update(Box::new(Patch { base_instructions: Some(words), ..Patch::default() }))
        });
        let pictures = Vec::new();
        let send = Wish::Send { text: content, pictures, key: key.clone(), when_busy: Some(when_busy) };
        Heard::Wishes { key, wishes: instructed.into_iter().chain([send]).collect() }
    }
}

/// Understands a page's words.
#[must_use]
pub fn understand(frame: &str) -> Heard {
    let Ok(said) = serde_json::from_str::<Said>(frame) else { return Heard::Nothing };
    let wish = |wish| Heard::Wishes { key: None, wishes: vec![wish] };
    match said {
        Said::UserMessage(message) | Said::WindowMessage(message) => message.heard(),
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
