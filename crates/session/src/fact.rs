//! Facts: what a session's owner must know after a crash and nobody is shown.

use serde::{Deserialize, Serialize};

use crate::{
    effect::Answer,
    event::data::{ApprovalKind, Decision},
    ids::{ApprovalId, MessageId, ToolCallId},
    input::RequestKey,
    json::Json,
    message::{InputPart, Options, Status},
    price::Price,
    usage::Usage,
};

/// Something kept in a record beside its events. (Not tagged from inside: raw JSON cannot be read through such a tag.)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// An accepted message, before its event: everything that is needed to run it.
    Queued {
        /// Which.
        message_id: MessageId,
        /// How.
        options: Box<Options>,
        /// What it says.
        input: Vec<InputPart>,
        /// It goes to the front of the queue, because it interrupts.
        first: bool,
        /// It joins a running turn if it can.
        joins: bool,
    },
    /// A queued message is no longer in the queue's place it had.
    Moved {
        /// Which.
        message_id: MessageId,
        /// Its new place.
        position: usize,
    },
    /// The thread was asked for, or that came to nothing.
    ThreadWanted {
        /// Whether it is awaited.
        wanted: bool,
    },
    /// The thread is loaded and can take a turn.
    ThreadReady {
        /// Codex's id of it.
        thread_id: String,
    },
    /// The thread was loaded with what no longer holds.
    Stale,
    /// It is loaded again.
    Reloading,
    /// The thread is to be left for a new one as soon as nothing runs on it.
    RenewalDue,
    /// It was left.
    Renewed,
    /// What Codex said of the thread when it was made.
    MadeWith(MadeWith),
    /// The thread is no longer loaded for us.
    Parted,
    /// Codex has the opening message, in this turn.
    TurnBound {
        /// Which.
        turn_id: String,
    },
    /// Codex stops the turn by another name than the one it is shown under.
    ActiveAs {
        /// Which.
        turn_id: String,
    },
    /// A steer is about to be sent.
    Steering {
        /// Which.
        message_id: MessageId,
    },
    /// The steer was refused: the message is queued again.
    SteerRefused {
        /// Which.
        message_id: MessageId,
    },
    /// Nobody knows whether the steer was heard: the message is queued again, and Codex is asked before it is handed over.
    SteerUnanswered {
        /// Which.
        message_id: MessageId,
    },
    /// Codex has nothing of the opening message, which was in doubt.
    NotThere,
    /// The running turn of a sub-agent is being stopped.
    StoppingChild {
        /// By its thread.
        thread_id: String,
    },
    /// The running turn is to be stopped.
    Interrupting {
        /// Why.
        cause: Cause,
    },
    /// The process of the running turn is to be killed.
    Killing,
    /// The interrupt was sent again.
    InterruptSent,
    /// Codex answered the interrupt.
    InterruptAnswered {
        /// It had not started yet: to be asked again when it has.
        again: bool,
    },
    /// Codex waits for an answer.
    Request {
        /// To what.
        id: RequestRef,
        /// How it is answered.
        key: RequestKey,
        /// In which thread.
        thread: String,
        /// In which turn.
        turn: String,
        /// What it asks about, if it asks a person.
        kind: Option<ApprovalKind>,
        /// How long it may take.
        timeout_seconds: Option<u64>,
        /// What may be answered.
        offered: Vec<Decision>,
    },
    /// A request was answered; the answer may have to be sent again if Codex asks again.
    Given {
        /// Which.
        key: RequestKey,
        /// What.
        answer: Answer,
        /// It waits until the agent has been told what was said with it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        held: bool,
    },
    /// Codex has the answer.
    Settled {
        /// To which request.
        key: RequestKey,
    },
    /// Codex reported an error after which it does not try again.
    Failing {
        /// What it said.
        failure: crate::message::Failure,
    },
    /// Codex says that the thread is idle.
    Idle,
    /// We asked Codex what became of the turn.
    Asked,
    /// Codex says that the turn goes on.
    Alive,
    /// Nobody knows what became of the turn; it is being found out.
    Examining {
        /// The app-server lives: it only did not answer.
        alive: bool,
    },
    /// The turn was found, and goes on.
    Found {
        /// Which it is.
        turn_id: String,
    },
    /// The turn hears nothing: its thread is left to it, and the session goes on with a fork.
    Left,
    /// The total that a thread has used, as Codex counts.
    Total {
        /// The thread.
        thread_id: String,
        /// Its total.
        total: Usage,
    },
    /// A thread is a sub-agent's of this session.
    Child {
        /// Codex's id of it.
        thread_id: String,
    },
    /// The queue waits for somebody to say go, or goes on.
    Held {
        /// Whether it waits.
        held: bool,
    },
    /// Nothing is taken until somebody says go, or it is.
    Stopped {
        /// Whether it is stopped.
        stopped: bool,
    },
    /// The session failed for good until somebody says go.
    Broken {
        /// Why; nothing when it works again.
        reason: Option<String>,
    },
    /// A queued message says something else.
    Edited {
        /// Which.
        message_id: MessageId,
        /// What it says.
        input: Vec<InputPart>,
    },
    /// The turn of a steer ended before the steer was answered; the message ends as the turn did, if it had joined.
    Adrift {
        /// Which.
        message_id: MessageId,
        /// How the turn ended.
        status: Status,
        /// With what answer.
        text: String,
    },
    /// The message that comes next interrupts: it is told what was cut.
    CutKept,
    /// Something beside messages is wanted of Codex.
    Wished {
        /// What.
        wish: Wish,
    },
    /// It was handed to Codex.
    WishSent,
    /// Codex named its turn.
    WishNamed {
        /// Which it is.
        turn_id: String,
    },
    /// It was done, or cannot be.
    WishOver,
    /// The session is put away, or no longer.
    Archived {
        /// Whether it is.
        archived: bool,
    },
    /// Codex was told to put the thread away, or to take it out again.
    PutAway {
        /// Whether it is.
        away: bool,
    },
    /// It did, or never will.
    PutAwayDone,
    /// Whether Codex has still to be told the session's name, when it loads the thread.
    NameDue {
        /// Whether it has.
        due: bool,
    },
    /// Codex is told the session's name.
    Naming,
    /// It answered.
    Named {
        /// It has the name, or never will; else it is told when it loads the thread.
        told: bool,
    },
    /// The agent is to be told this in the running turn.
    Telling {
        /// What.
        text: String,
    },
    /// The first that the agent was to be told reached it, or did not and waits for the next message.
    Told {
        /// Whether it did.
        reached: bool,
    },
    /// The agent is to be told this with the next message.
    Noted {
        /// What.
        text: String,
    },
}

/// What a thread works with unless somebody says otherwise. A turn's own model and effort stay with Codex's thread, also
/// when it is loaded again, so what there was before has to be remembered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MadeWith {
    /// The model.
    pub model: Option<String>,
    /// How hard it thinks; nothing if Codex leaves that to the model.
    pub effort: Option<String>,
    /// What that model's tokens cost, if it is known: messages that were accepted before the thread was made have no price
    /// of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
}

/// What is wanted of Codex beside messages: a turn of its own kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wish {
    /// Sum the conversation up.
    Compact,
    /// Look over what was done; with Codex's own parameters.
    Review(Json),
}

/// What Codex waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestRef {
    /// A person's answer.
    Approval(ApprovalId),
    /// A tool's result.
    Tool(ToolCallId),
}

/// Why a turn is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// Somebody wanted it, or a message that came in its place.
    Person,
    /// Its time is over.
    Deadline,
    /// It used too much.
    Budget,
    /// It said nothing for too long.
    Stall,
}
