//! What a connection's Codex can do. Whoever wants something that not every Codex has asks this table, and nobody compares
//! versions: it is right for those between the measured ones, for those to come, and for the stand-in.

mod asking;
mod refusal;
mod tests;

use std::collections::BTreeSet;

use asking::{Answers, Field};

use crate::{client::Client, error::CallError};

/// The versions that the judge has heard, oldest first; any other is used too, by what it says of itself.
pub const JUDGED: [&str; 4] = ["0.72.0", "0.98.0", "0.120.0", "0.166.0"];

/// What one Codex can do, as it said itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Abilities {
    /// Every request it knows; nothing if it did not say.
    methods: Option<BTreeSet<String>>,
    policies: Option<Vec<String>>,
    efforts: Option<Vec<String>>,
    own_message_ids: bool,
    plan_mode: bool,
    fork_up_to_a_turn: bool,
    tools: Tools,
    tokens: TokenShape,
}

/// Which tools of ours a thread takes; each kind takes those before it too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tools {
    /// None.
    None,
    /// By name.
    Flat,
    /// And those that the model only sees when it looks for them.
    Deferred,
    /// And those under a common name.
    Namespaced,
}

/// What of a thread can be copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fork {
    /// Nothing.
    No,
    /// All of it.
    Whole,
    /// All of it, or up to a turn.
    UpToATurn,
}

/// How turns are taken out of a thread's history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unwind {
    /// Not at all.
    No,
    /// `thread/rollback`: so many of the newest.
    Rollback,
    /// `thread/revert`: this one, and all after it.
    Revert,
}

/// How a thread's past is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum History {
    /// Only in the answer to `thread/resume`.
    OnResume,
    /// `thread/read`, all of it.
    Whole,
    /// `thread/turns/list`, in pages.
    Pages,
}

/// What `thread/unsubscribe` does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unsubscribe {
    /// There is none.
    No,
    /// Unloads the thread at once.
    Unloads,
    /// Leaves it loaded for a while.
    KeepsLoaded,
}

/// Which efforts a turn may be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Efforts<'a> {
    /// These, and any other is refused.
    Only(&'a [String]),
    /// Any word; the model's provider decides.
    Any,
}

/// How tokens from outside are handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenShape {
    /// Not at all.
    No,
    /// With an id token.
    WithIdToken,
    /// As an access token and the account's id.
    AccessToken,
}

impl Client {
    /// Asks what this Codex can do: once, after the handshake. Nothing that is asked can do anything.
    pub async fn abilities(&self) -> Result<Abilities, CallError> {
        Ok(Abilities::read(&asking::ask(self).await?))
    }
}

impl Default for Abilities {
    fn default() -> Self {
        Self::newest()
    }
}

impl Abilities {
    /// Those of the version our types are made from, for what a Codex did not say.
    #[must_use]
    pub fn newest() -> Self {
        Self {
            methods: None,
            policies: None,
            efforts: None,
            own_message_ids: true,
            plan_mode: true,
            fork_up_to_a_turn: true,
            tools: Tools::Namespaced,
            tokens: TokenShape::AccessToken,
        }
    }

    fn read(answers: &Answers) -> Self {
        let newest = Self::newest();
        Self {
            methods: answers.methods.clone().map(|names| names.into_iter().collect()),
            policies: answers.policies.clone(),
            efforts: answers.efforts.clone(),
            own_message_ids: answers.own_message_ids.known_or(newest.own_message_ids),
            plan_mode: answers.plan_mode.known_or(newest.plan_mode),
            fork_up_to_a_turn: answers.fork_up_to_a_turn.known_or(newest.fork_up_to_a_turn),
            tools: tools(answers).unwrap_or(newest.tools),
            tokens: tokens(answers).unwrap_or(newest.tokens),
        }
    }

    /// What it cannot that today's Codex can, in words for people.
    #[must_use]
    pub fn lacking(&self) -> Vec<&'static str> {
        let lacks = [
            (!self.steer(), "take a message into a running turn"),
            (self.fork() == Fork::No, "copy threads"),
            (self.fork() == Fork::Whole, "copy a thread up to a turn by itself"),
            (self.unwind() == Unwind::No, "take turns back"),
            (self.tools() == Tools::None, "use a session's own tools"),
            (!self.output_schema(), "be asked for JSON of a shape"),
            (!self.plan_mode(), "plan before it acts"),
            (!self.own_message_ids(), "keep our ids of messages"),
            (self.history() == History::OnResume, "show a thread's past without loading it"),
        ];
        lacks.into_iter().filter_map(|(lacks, what)| lacks.then_some(what)).collect()
    }

    /// Whether it knows a request; one that did not say what it knows is taken to know all.
    #[must_use]
    pub fn has(&self, method: &str) -> bool {
        self.methods.as_ref().is_none_or(|methods| methods.contains(method))
    }

    /// Whether a message can join a turn that runs.
    #[must_use]
    pub fn steer(&self) -> bool {
        self.has("turn/steer")
    }

    /// What of a thread can be copied.
    #[must_use]
    pub fn fork(&self) -> Fork {
        match (self.has("thread/fork"), self.fork_up_to_a_turn) {
            (false, _) => Fork::No,
            (true, false) => Fork::Whole,
            (true, true) => Fork::UpToATurn,
        }
    }

    /// How turns are taken out of the history.
    #[must_use]
    pub fn unwind(&self) -> Unwind {
        if self.has("thread/revert") {
            Unwind::Revert
        } else if self.has("thread/rollback") {
            Unwind::Rollback
        } else {
            Unwind::No
        }
    }

    /// Whether there is the approval policy `on-failure`. Who did not name its policies is taken to be new, and without.
    #[must_use]
    pub fn on_failure(&self) -> bool {
        self.policies.as_ref().is_some_and(|policies| policies.iter().any(|policy| policy == "on-failure"))
    }

    /// Which tools of ours a thread takes.
    #[must_use]
    pub fn tools(&self) -> Tools {
        self.tools
    }

    /// Whether a message's own id is stored with it (`clientUserMessageId`).
    #[must_use]
    pub fn own_message_ids(&self) -> bool {
        self.own_message_ids
    }

    /// Whether a turn can be asked for JSON of a shape. The field takes anything, so it cannot be asked for by itself; it
    /// came with `thread/read` (0.72 has neither, 0.98 both).
    #[must_use]
    pub fn output_schema(&self) -> bool {
        self.has("thread/read")
    }

    /// Whether a thread can be kept off the disk. It came with `thread/read` too.
    #[must_use]
    pub fn ephemeral(&self) -> bool {
        self.has("thread/read")
    }

    /// Whether `turn/start` on a busy thread answers with a turn that never ends (0.98, 0.120), instead of the one that it
    /// joined. Both it and ids of our own came after 0.120.
    #[must_use]
    pub fn phantom_turns(&self) -> bool {
        !self.own_message_ids
    }

    /// Whether `turn/completed` has the last message among its items.
    #[must_use]
    pub fn items_at_the_end(&self) -> bool {
        self.own_message_ids
    }

    /// Whether each notification says when it was sent (`emittedAtMs`).
    #[must_use]
    pub fn emitted_at(&self) -> bool {
        self.own_message_ids
    }

    /// Whether a thread that one process has loaded cannot be loaded by another. It came with the history in pages.
    #[must_use]
    pub fn holds_threads(&self) -> bool {
        self.has("thread/turns/list")
    }

    /// How a thread's past is read.
    #[must_use]
    pub fn history(&self) -> History {
        if self.has("thread/turns/list") {
            History::Pages
        } else if self.has("thread/read") {
            History::Whole
        } else {
            History::OnResume
        }
    }

    /// What `thread/unsubscribe` does.
    #[must_use]
    pub fn unsubscribe(&self) -> Unsubscribe {
        match (self.has("thread/unsubscribe"), self.has("thread/turns/list")) {
            (false, _) => Unsubscribe::No,
            (true, false) => Unsubscribe::Unloads,
            (true, true) => Unsubscribe::KeepsLoaded,
        }
    }

    /// Which efforts a turn may be given.
    #[must_use]
    pub fn efforts(&self) -> Efforts<'_> {
        self.efforts.as_deref().map_or(Efforts::Any, Efforts::Only)
    }

    /// How tokens from outside are handed over.
    #[must_use]
    pub fn tokens(&self) -> TokenShape {
        self.tokens
    }

    /// Whether Codex can be told to plan before it acts (`collaborationMode`).
    #[must_use]
    pub fn plan_mode(&self) -> bool {
        self.plan_mode
    }

    /// Whether commands outlive their turn, and can be ended (`thread/backgroundTerminals/clean`).
    #[must_use]
    pub fn background_terminals(&self) -> bool {
        self.has("thread/backgroundTerminals/clean")
    }
}

fn tools(answers: &Answers) -> Option<Tools> {
    Some(match (answers.tools, answers.deferred_tools, answers.tool_namespaces) {
        (Field::Unsaid, ..) => return None,
        (Field::Unknown, ..) => Tools::None,
        // Asked with a namespace that is as it has to be: whoever takes it gets to what is wrong behind it.
        (Field::Known, _, Field::Unknown) => Tools::Namespaced,
        (Field::Known, Field::Known, _) => Tools::Deferred,
        (Field::Known, ..) => Tools::Flat,
    })
}

fn tokens(answers: &Answers) -> Option<TokenShape> {
    let kinds = answers.logins.as_ref()?;
    Some(match answers.id_token {
        _ if !kinds.iter().any(|kind| kind == "chatgptAuthTokens") => TokenShape::No,
        Field::Known => TokenShape::WithIdToken,
        Field::Unknown | Field::Unsaid => TokenShape::AccessToken,
    })
}
