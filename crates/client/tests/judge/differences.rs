//! What a version of Codex does otherwise than others: the one place that knows. A case asks here, never for a version.

use selvedge_rehearsal::model::CLASSIC_MODEL;

use crate::version::version;

/// How one version differs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Differences {
    version: &'static str,
    /// A model that it knows and that calls each tool by its own name.
    pub(crate) model: &'static str,
    /// Its user agent begins with our name, and it says where it lives.
    pub(crate) handshake: Handshake,
    /// It says everything once or twice more, as `codex/event/*`.
    pub(crate) legacy: bool,
    /// Usage is told when the tools that a response called have ended, not at a moment of chance.
    pub(crate) usage_has_its_place: bool,
    /// Cases in which it says by chance one thing or another: their conversation is not kept.
    by_chance: &'static [&'static str],
    /// What a thread is about is its first message, at once, not some message at some time.
    pub(crate) previews_at_once: bool,
    /// `turn/completed` of a turn that completed holds its last message.
    pub(crate) end_has_items: bool,
    /// It says itself that a request of its own is settled.
    pub(crate) says_resolved: bool,
    /// Its question about a command says which one.
    pub(crate) asks_with_command: bool,
    /// It asks about every command that wants to leave the sandbox, also about one that could do no harm.
    pub(crate) asks_about_harmless: bool,
    /// How often, and with which status, a declined file change is completed.
    pub(crate) declined_change: &'static [&'static str],
    /// A turn may ask for an answer by a schema.
    pub(crate) output_schema: bool,
    /// Causes that it calls `other`.
    pub(crate) unnamed_causes: &'static [&'static str],
    /// By default an unreachable provider is tried for ever.
    pub(crate) unbounded_retries: bool,
    /// An interrupt is of the turn that it names, and of no other.
    pub(crate) interrupt_is_of_its_turn: bool,
    pub(crate) terminals: Terminals,
    pub(crate) steer: Steer,
    pub(crate) busy: Busy,
    /// There is `thread/fork`.
    pub(crate) fork: bool,
    /// A fork says of which thread it is one.
    pub(crate) fork_names_source: bool,
    pub(crate) history: History,
    /// Turns keep their ids in the history.
    pub(crate) keeps_turn_ids: bool,
    /// The status in the history of a turn that was cut.
    pub(crate) cut_turn: &'static str,
    /// Our own id of a message is kept with it.
    pub(crate) own_message_ids: bool,
    pub(crate) tools: Tools,
    pub(crate) schemas: Schemas,
    /// There are models that call tools by scripts.
    pub(crate) code_mode: bool,
    pub(crate) sub_agents: bool,
    /// Tokens that we bring log in.
    pub(crate) external_tokens: bool,
    /// Its sandbox needs a user namespace.
    pub(crate) sandbox_of_namespaces: bool,
}

/// What the answer to `initialize` says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Handshake {
    /// A version, after a name of its own.
    Bare,
    /// A version, after our name.
    Named,
    /// Also where it lives.
    WithHome,
}

/// What becomes of a command when its turn is interrupted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Terminals {
    /// It ends.
    EndWithTheTurn,
    /// It lives on until the terminals are cleaned.
    Cleaned,
    /// And they can be listed.
    Listed,
}

/// What `turn/steer` does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Steer {
    Unknown,
    /// The model hears of it when it has said what it says.
    AtTheNextRequest,
    /// The model is cut short.
    AtOnce,
}

/// What `turn/start` does while a turn runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Busy {
    /// It answers with a turn that is said to start and never ends, and nobody hears what was said.
    Lost,
    /// The same, but the running turn hears what was said, as in the cases below.
    StartedPhantom,
    /// It answers with a turn that is never heard of.
    Phantom,
    /// It answers with the running turn.
    Joins,
}

/// Where stored turns are found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum History {
    /// In the answer to `thread/resume`.
    Resume,
    /// By `thread/read`.
    Read,
    /// By `thread/turns/list`.
    List,
}

/// What becomes of dynamic tools; each can what the ones before it can.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(crate) enum Tools {
    /// They are passed over.
    Ignored,
    /// They are called, and no item says so. Names are hardly checked.
    WithoutItems,
    /// Items say so; names are hardly checked.
    WithItems,
    /// And names are checked.
    Checked,
}

/// What the model sees of a dynamic tool's schema; of each what the ones before it show. Limits and defaults are never seen, and any value is a string.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(crate) enum Schemas {
    /// Types and descriptions. A choice is a string.
    Types,
    /// Names that can be chosen, null, and `anyOf`.
    Names,
    /// `oneOf` and references.
    Whole,
}

const V0_72_0: Differences = Differences {
    version: "0.72.0",
    model: "gpt-5.2",
    handshake: Handshake::Bare,
    legacy: true,
    usage_has_its_place: false,
    // Whether the item of a cancelled command is completed.
    by_chance: &["command_cancelled"],
    previews_at_once: true,
    end_has_items: false,
    says_resolved: false,
    asks_with_command: false,
    asks_about_harmless: false,
    declined_change: &["declined"],
    output_schema: false,
    unnamed_causes: &["serverOverloaded", "httpConnectionFailed", "modelNotFound"],
    unbounded_retries: false,
    interrupt_is_of_its_turn: false,
    terminals: Terminals::EndWithTheTurn,
    steer: Steer::Unknown,
    busy: Busy::Lost,
    fork: false,
    fork_names_source: false,
    history: History::Resume,
    keeps_turn_ids: false,
    cut_turn: "completed",
    own_message_ids: false,
    tools: Tools::Ignored,
    schemas: Schemas::Types,
    code_mode: false,
    sub_agents: false,
    external_tokens: false,
    sandbox_of_namespaces: false,
};

const V0_98_0: Differences = Differences {
    version: "0.98.0",
    model: "gpt-5.2-codex",
    handshake: Handshake::Named,
    by_chance: &[],
    asks_with_command: true,
    declined_change: &["declined", "failed"],
    output_schema: true,
    busy: Busy::StartedPhantom,
    fork: true,
    history: History::Read,
    tools: Tools::WithoutItems,
    external_tokens: true,
    ..V0_72_0
};

const V0_120_0: Differences = Differences {
    version: "0.120.0",
    model: "gpt-5.4",
    handshake: Handshake::WithHome,
    legacy: false,
    // The word that a child has ended may be one more thing for its parent to answer.
    by_chance: &["sub_agent"],
    previews_at_once: false,
    says_resolved: true,
    declined_change: &["declined", "declined"],
    unnamed_causes: &["httpConnectionFailed", "modelNotFound"],
    terminals: Terminals::Cleaned,
    steer: Steer::AtTheNextRequest,
    busy: Busy::Phantom,
    fork_names_source: true,
    keeps_turn_ids: true,
    cut_turn: "interrupted",
    tools: Tools::WithItems,
    schemas: Schemas::Names,
    sub_agents: true,
    sandbox_of_namespaces: true,
    ..V0_98_0
};

const V0_166_0: Differences = Differences {
    version: "0.166.0",
    model: CLASSIC_MODEL,
    usage_has_its_place: true,
    by_chance: &[],
    previews_at_once: true,
    end_has_items: true,
    declined_change: &["declined"],
    unnamed_causes: &[],
    asks_about_harmless: true,
    unbounded_retries: true,
    interrupt_is_of_its_turn: true,
    terminals: Terminals::Listed,
    steer: Steer::AtOnce,
    busy: Busy::Joins,
    history: History::List,
    own_message_ids: true,
    tools: Tools::Checked,
    schemas: Schemas::Whole,
    code_mode: true,
    ..V0_120_0
};

const TABLE: [&Differences; 4] = [&V0_72_0, &V0_98_0, &V0_120_0, &V0_166_0];

fn row() -> Option<&'static Differences> {
    TABLE.into_iter().find(|row| row.version == version())
}

/// Of the version that is judged. One without a row is held to the newest.
pub(crate) fn differences() -> &'static Differences {
    row().unwrap_or(&V0_166_0)
}

/// Whether the conversation of a case is kept for this version. Of one without a row nothing is: it is judged by what the
/// cases assert.
pub(crate) fn is_kept(case: &str) -> bool {
    row().is_some_and(|row| !row.by_chance.contains(&case))
}
