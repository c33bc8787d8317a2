//! What is to be done after a record is durable.

use serde::{Deserialize, Serialize};

use crate::{
    event::data::{ApprovalKind, Decision},
    ids::MessageId,
    input::RequestKey,
    json::Json,
    message::{InputPart, Options},
};

/// Something for the runtime to do. Each can be seen in the state too, so that a crash before it is done loses nothing.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Start, resume or fork the session's thread: [`Session::thread_source`](crate::Session::thread_source) says which.
    EnsureThread,
    /// Hand a message to Codex.
    StartTurn {
        /// Which.
        message_id: MessageId,
        /// The first, or the one after a crash.
        attempt: u32,
        /// What is said.
        input: Vec<InputPart>,
        /// How it is run.
        options: Box<Options>,
        /// What it was cut from, if it interrupted another.
        after: Option<Cut>,
    },
    /// Add a message to the running turn.
    Steer {
        /// Which.
        message_id: MessageId,
        /// What is said.
        input: Vec<InputPart>,
        /// Into which turn.
        turn_id: String,
    },
    /// Tell the agent something in the running turn that is nobody's message; answered by `Heard::Told`.
    Tell {
        /// Into which turn.
        turn_id: String,
        /// What.
        text: String,
    },
    /// Kill the session's app-server now.
    KillProcess,
    /// Let Codex sum the conversation up.
    Compact,
    /// Let Codex look over what was done; with its own parameters.
    Review(Json),
    /// Tell Codex the thread's name.
    SetName(String),
    /// Let Codex put the thread away.
    Archive,
    /// Let Codex take the thread out again.
    Unarchive,
    /// Stop a turn.
    Interrupt {
        /// Which.
        turn_id: String,
    },
    /// Stop a turn of a sub-agent's: Codex lets it run on when its parent's is stopped.
    InterruptChild {
        /// In which thread.
        thread_id: String,
        /// Which.
        turn_id: String,
    },
    /// Ask Codex what became of the turn.
    AskTurn {
        /// Which, if it is known.
        turn_id: Option<String>,
    },
    /// After a crash: find out what became of the message.
    Examine {
        /// The one that opened the turn.
        message_id: Option<MessageId>,
        /// The turn, if it is known.
        turn_id: Option<String>,
        /// The message was to join that turn, and was never answered: it stands in it, or nobody heard it.
        steered: bool,
    },
    /// Drop a cut turn from the thread before its message is run again.
    DropTurn {
        /// Which.
        turn_id: String,
    },
    /// The turn hears nothing: its process takes nothing new, and the session goes on with a fork elsewhere.
    LeaveProcess,
    /// End the commands that an interrupt left behind.
    CleanTerminals,
    /// Answer a request of Codex's.
    Answer {
        /// Which.
        key: RequestKey,
        /// What.
        answer: Answer,
    },
}

/// What was cut when a message interrupted another: the agent is told.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    /// What had been said to it.
    pub input: Vec<InputPart>,
    /// What it had answered so far.
    pub partial: String,
}

/// An answer to Codex.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// To what it asked a person.
    Approval {
        /// What for.
        kind: ApprovalKind,
        /// What was decided.
        decision: Decision,
        /// Answers, content or amendment.
        content: Option<Json>,
    },
    /// To a tool call.
    Tool {
        /// Whether it worked.
        success: bool,
        /// What it gave.
        content: Json,
    },
}
