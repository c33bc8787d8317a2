//! What goes into the machine, and what comes out.

use crate::{
    code::Code,
    effect::Effect,
    event::{
        Event,
        data::{ApprovalKind, Decision, DeltaKind, FileDiff, PlanStep},
    },
    fact::{Fact, MadeWith},
    ids::{ApprovalId, MessageId, ToolCallId},
    json::Json,
    message::{Failure, InputPart, NewMessage, Status},
    patch::Patch,
    usage::Usage,
};

/// Something for the machine to decide about.
#[derive(Debug, Clone)]
pub enum Input {
    /// What somebody wants.
    Command(Command),
    /// What became known.
    Heard(Heard),
    /// Time has passed.
    Tick,
}

/// What somebody wants. It may be refused; then nothing has changed.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Say this to the agent.
    Send(Box<NewMessage>),
    /// Take a queued message back, or stop the running one.
    TakeBack(MessageId),
    /// Say something else in a queued message, or in another place.
    Edit {
        /// Which.
        message_id: MessageId,
        /// Instead of what it says.
        input: Option<Vec<InputPart>>,
        /// Instead of its place.
        position: Option<usize>,
    },
    /// Stop the running turn.
    Interrupt {
        /// By killing its process, now.
        force: bool,
    },
    /// Answer what Codex asks.
    Answer {
        /// Which.
        approval_id: ApprovalId,
        /// What.
        decision: Decision,
        /// Who answers.
        by: String,
        /// What is said with it.
        message: Option<String>,
        /// Answers, content or amendment, in Codex's words.
        content: Option<Json>,
    },
    /// Answer a tool call.
    AnswerTool {
        /// Which.
        tool_call_id: ToolCallId,
        /// Whether it worked.
        success: bool,
        /// What it gave.
        content: Json,
    },
    /// Call one of the session's tools.
    CallTool(Box<ToolCall>),
    /// Whoever called a tool has gone.
    HangUp(ToolCallId),
    /// Work with other settings from the next turn on.
    Update(Box<Patch>),
    /// Go on after `stopped`, `failed`, or a held queue.
    Start,
    /// Stop: the turn is interrupted, the queue ends.
    Stop,
    /// Sum the conversation up; only when nothing runs.
    Compact,
    /// Look over what was done, with Codex's own parameters; only when nothing runs.
    Review(Json),
    /// Put it away: stopped, and its thread archived.
    Archive,
    /// Take it out again.
    Unarchive,
}

/// A call of one of the session's tools that reaches it by another way than a request of Codex's.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ToolCall {
    /// A fresh id for it.
    pub id: ToolCallId,
    /// Who waits for it.
    pub key: RequestKey,
    /// The tool's name.
    pub tool: String,
    /// What it is called with.
    pub arguments: Json,
    /// Whether the agent itself calls: then the call is a part of its turn.
    pub by_agent: bool,
}

/// Which request of Codex's, on which app-server.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct RequestKey(pub String);

/// How the keys of calls begin that are not Codex's requests.
const CALL: &str = "call/";

impl RequestKey {
    /// Of a call that comes by another way than a request of Codex's, and who waits for its answer.
    #[must_use]
    pub fn of_call(id: ToolCallId, caller: &str) -> Self {
        Self(format!("{CALL}{id}/{caller}"))
    }

    /// Who waits for the answer, if it is such a call.
    #[must_use]
    pub fn caller(&self) -> Option<&str> {
        self.0.strip_prefix(CALL)?.split_once('/').map(|(_, caller)| caller)
    }

    pub(crate) fn is_call(&self) -> bool {
        self.caller().is_some()
    }
}

/// Where something was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Codex's thread.
    pub thread: String,
    /// Its turn.
    pub turn: String,
}

/// What was handed to Codex, and not answered yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Begun {
    /// The message that begins a turn.
    pub message: Option<MessageId>,
    /// Or something that is wished for: a compaction, a review.
    pub wish: bool,
}

/// What became known from Codex, or about it.
#[derive(Debug, Clone)]
pub enum Heard {
    /// The thread is loaded; of a resumed one the first total is a baseline.
    ThreadReady {
        /// Its id.
        thread_id: String,
    },
    /// What Codex said of a thread that is new to the session.
    MadeWith(MadeWith),
    /// There is no thread to be had.
    ThreadFailed(Failure),
    /// `turn/start` was answered.
    TurnAccepted {
        /// The turn it named.
        turn_id: String,
    },
    /// `turn/start`, a compaction or a review was refused.
    TurnRefused(Failure),
    /// `turn/start` was not answered in time, and the app-server lives.
    StartUnanswered,
    /// A steer was not answered in time, and the app-server lives.
    SteerUnanswered {
        /// Which message.
        message_id: MessageId,
    },
    /// A steer was answered.
    Steered {
        /// Which message.
        message_id: MessageId,
        /// Whether it joined.
        joined: bool,
    },
    /// What the agent was to be told was answered.
    Told {
        /// Into which turn.
        turn_id: String,
        /// Whether it reached it.
        reached: bool,
    },
    /// A turn began.
    TurnStarted(Place),
    /// A turn ended.
    TurnEnded(Place, TurnEnd),
    /// An item began.
    ItemStarted(Place, Json),
    /// An item ended.
    ItemCompleted(Place, Json),
    /// A piece of an item.
    Delta {
        /// Where.
        place: Place,
        /// Of which item.
        item_id: String,
        /// Of what in it.
        kind: DeltaKind,
        /// The piece.
        delta: String,
    },
    /// What a thread has used in all.
    Usage {
        /// Where.
        place: Place,
        /// Codex's total.
        total: Usage,
        /// Of the last response.
        last: Usage,
        /// How much the model can hold.
        context_window: Option<u64>,
    },
    /// The plan changed.
    Plan(Place, Vec<PlanStep>),
    /// The files changed.
    Diff(Place, Vec<FileDiff>),
    /// Codex asks a person.
    Asked {
        /// A fresh id for it.
        approval_id: ApprovalId,
        /// How it is answered.
        key: RequestKey,
        /// Where.
        place: Place,
        /// For which item.
        item_id: Option<String>,
        /// What for.
        kind: ApprovalKind,
        /// Codex's own fields.
        request: Json,
    },
    /// Codex calls one of the session's tools.
    ToolCalled {
        /// A fresh id for it.
        tool_call_id: ToolCallId,
        /// How it is answered.
        key: RequestKey,
        /// Where.
        place: Place,
        /// For which item.
        item_id: Option<String>,
        /// The tool's name.
        tool: String,
        /// What it is called with.
        arguments: Json,
        /// How long it may take.
        timeout_seconds: Option<u64>,
    },
    /// Codex no longer wants an answer.
    Withdrawn(RequestKey),
    /// Codex reports trouble.
    Trouble {
        /// Where.
        place: Place,
        /// Whether it tries again by itself.
        will_retry: bool,
        /// What it said.
        failure: Failure,
    },
    /// The session's own thread is idle.
    Idle,
    /// `turn/interrupt` was answered.
    InterruptAnswered {
        /// Codex says that the turn has not started.
        not_started: bool,
    },
    /// What became of the turn, asked of Codex or found out after a crash.
    Verdict(Verdict),
    /// Codex put the thread away or took it out, or never will.
    PutAway {
        /// Which of both.
        away: bool,
    },
    /// Codex answered to a name.
    Named {
        /// To which.
        name: String,
        /// It has it, or never will; else it can be told only when the thread is loaded.
        told: bool,
    },
    /// Its owner gives up its place at the app-server while nothing runs: the thread has to be loaded again.
    Parted,
    /// Its owner is another one, the app-server the same, and all that was said meanwhile has been heard.
    CaughtUp {
        /// What was begun when it came. What it has begun itself since then is in no doubt.
        begun: Begun,
    },
    /// Its owner is another one, and the app-server it had was known to be gone before that.
    Orphaned,
    /// The app-server is gone.
    ProcessGone {
        /// How.
        reason: String,
        /// The last it wrote to stderr.
        stderr_tail: String,
    },
    /// Another app-server took its place.
    ProcessBack {
        /// The how manieth.
        attempt: u32,
        /// Its version.
        version: Option<String>,
    },
    /// No app-server can be had: too many ended.
    GaveUp(String),
    /// Something a person should know.
    Warning {
        /// What.
        code: Code,
        /// In words.
        message: String,
        /// What to do.
        hint: Option<String>,
    },
    /// Known, without an event of its own.
    Notice {
        /// What.
        method: String,
        /// With what.
        params: Json,
    },
    /// Unknown, kept.
    Unknown {
        /// From Codex, or to it.
        direction: String,
        /// The line.
        raw: String,
    },
}

impl Heard {
    /// Where it was said, if it is about a turn.
    #[must_use]
    pub fn place(&self) -> Option<&Place> {
        match self {
            Self::TurnStarted(place)
            | Self::TurnEnded(place, _)
            | Self::ItemStarted(place, _)
            | Self::ItemCompleted(place, _)
            | Self::Delta { place, .. }
            | Self::Usage { place, .. }
            | Self::Plan(place, _)
            | Self::Diff(place, _)
            | Self::Asked { place, .. }
            | Self::ToolCalled { place, .. }
            | Self::Trouble { place, .. } => Some(place),
            _ => None,
        }
    }
}

/// How a turn ended, in what Codex says.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnEnd {
    /// How.
    pub status: Status,
    /// Why it failed.
    pub error: Option<Failure>,
    /// The answer, if Codex gives it with the end.
    pub text: Option<String>,
}

/// What became of a turn.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// It goes on.
    InProgress {
        /// Which it is, if that is known.
        turn_id: Option<String>,
    },
    /// It ended like this.
    Ended(TurnEnd),
    /// Our message never reached the model.
    NeverReached,
    /// It was cut.
    Cut {
        /// Codex's own record shows that it did something.
        acted: bool,
    },
    /// Nobody can say.
    Unknown,
}

/// What an input came to.
#[derive(Debug, Default)]
pub struct Output {
    /// Shown, after they are durable.
    pub events: Vec<Event>,
    /// Kept with them; each with the number of events of this output that come before it.
    pub facts: Vec<(usize, Fact)>,
    /// Done, after both are durable.
    pub effects: Vec<Effect>,
}
