//! The one list of stable codes: what a program reads when something failed, was refused, or should be known.

use std::fmt;

use crate::message::Phase;

macro_rules! codes {
    ($($variant:ident = $name:literal, $phase:ident, $message:literal, hint $hint:literal;)+) => {
        /// A stable code. New ones may come; none changes its meaning.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $message] $variant,)+
        }

        impl Code {
            /// Every code there is.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// As programs read it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// As people read it.
            #[must_use]
            pub const fn message(self) -> &'static str {
                match self { $(Self::$variant => $message,)+ }
            }

            /// What to do.
            #[must_use]
            pub const fn hint(self) -> &'static str {
                match self { $(Self::$variant => $hint,)+ }
            }

            /// In which part of the work it arises.
            #[must_use]
            pub const fn phase(self) -> Phase {
                match self { $(Self::$variant => Phase::$phase,)+ }
            }
        }
    };
}

codes! {
    // How a message of ours may fail.
    DeadlineExceeded = "deadline_exceeded", Request, "the turn took longer than it may", hint "give it more with `deadline_seconds`";
    BudgetExceeded = "budget_exceeded", Budget, "the turn used more than it may", hint "give it more with `budget`";
    Stalled = "stalled", Request, "the turn said nothing for too long", hint "`stall_seconds` says how long it may be silent";
    QueueTimeExceeded = "queue_time_exceeded", Request, "it waited in the queue longer than it may", hint "give it more with `queue_seconds`";
    OutcomeUnknown = "outcome_unknown", Response, "what became of the turn is not known", hint "look at what it did before you send it again";
    OutputInvalid = "output_invalid", Response, "the answer does not have the shape that was asked for", hint "its text is kept";
    Crashed = "crashed", Request, "the app-server ended again and again", hint "`selvedge doctor` says what is wrong; start the session when it is mended";
    ThreadFailed = "thread_failed", Request, "Codex could not make or load the thread", hint "its message says why; `selvedge doctor` looks at Codex itself";
    RequestTimedOut = "request_timed_out", Request, "Codex did not answer in time", hint "try it again; `selvedge doctor` says whether Codex answers at all";
    Declined = "declined", Tool, "what it wanted to do was declined", hint "accept it when it asks again, or allow it by the approval policy";

    // How Codex says that a turn failed.
    ContextWindowExceeded = "context_window_exceeded", Response, "the conversation is longer than the model can hold", hint "compact the session, or fork it earlier";
    UsageLimitExceeded = "usage_limit_exceeded", Budget, "the account's limit is used up", hint "`GET /v1/account` says when there is more";
    SessionBudgetExceeded = "session_budget_exceeded", Budget, "Codex's own budget for the session is used up", hint "go on in a new session, or raise it in Codex's configuration";
    RateLimitExceeded = "rate_limit_exceeded", Budget, "too many requests to the model", hint "try again later";
    ModelCap = "model_cap", Budget, "the model's limit is used up", hint "choose another model, or try again later";
    HttpConnectionFailed = "http_connection_failed", Request, "the model could not be reached", hint "look at the network, and at the provider's address in Codex's configuration";
    Unauthorized = "unauthorized", Request, "the model's provider does not know this account", hint "log in with `codex login`";
    BadRequest = "bad_request", Request, "the model's provider refused the request", hint "its details have what the provider said";
    ResponseTooManyFailedAttempts = "response_too_many_failed_attempts", Request, "the model could not be reached in many attempts", hint "look at the network, and send it again later";
    ResponseStreamConnectionFailed = "response_stream_connection_failed", Request, "the model's answer could not be received", hint "look at the network, and send it again";
    ResponseStreamDisconnected = "response_stream_disconnected", Request, "the model's answer broke off", hint "send it again; what had come is kept";
    ServerOverloaded = "server_overloaded", Request, "the model's provider is overloaded", hint "try again later";
    FlexUnavailable = "flex_unavailable", Request, "the cheaper service tier has no room", hint "try again later, or choose another tier";
    PolicyCapacityUnavailable = "policy_capacity_unavailable", Request, "the provider has no room to check the request", hint "try again later";
    InternalServerError = "internal_server_error", Response, "the model's provider failed", hint "try again later";
    ModelNotFound = "model_not_found", Request, "there is no such model", hint "`GET /v1/models` lists what can be chosen";
    ActiveTurnNotSteerable = "active_turn_not_steerable", Request, "the running turn takes no further message", hint "let it wait with the `busy_policy` `queue`";
    ThreadRollbackFailed = "thread_rollback_failed", Response, "Codex could not take the turn back", hint "fork the session before that turn, and go on there";
    SandboxError = "sandbox_error", Tool, "the sandbox failed", hint "`selvedge doctor` says whether a sandbox can be used here";
    TooManyDenials = "too_many_denials", Tool, "too much of what it wanted was declined", hint "tell it what it may do, or allow more by the approval policy";
    CyberPolicy = "cyber_policy", Response, "the model's provider stopped it by its policy", hint "its details have what the provider said; ask for something else";
    MisalignmentPolicyViolation = "misalignment_policy_violation", Response, "the model's provider stopped it by its policy", hint "its details have what the provider said; ask for something else";
    UnknownStatus = "unknown_status", Response, "the turn ended in a way we do not know", hint "its details have what Codex said; look at what it did before you send it again";
    Other = "other", Response, "Codex failed and does not say how", hint "its details have what Codex said; look at what it did before you send it again";

    // What people should know.
    Quiet = "quiet", Response, "the turn has said nothing for five minutes", hint "it may be thinking; interrupt it if it should not go on";
    Retrying = "retrying", Request, "Codex has trouble and tries again", hint "nothing is to be done, unless you want to interrupt it";
    HistoryGone = "history_gone", Request, "the thread could not be loaded: a new one begins, without the history", hint "tell it again what it has to know; what was said is still in the session's events";
    NewThread = "new_thread", Request, "the instructions changed, and hold for a new thread: what was said before is not known there", hint "a session with the old `thread_id` goes on with the old thread";
    SandboxUnavailable = "sandbox_unavailable", Tool, "commands fail because this machine makes no sandbox: no user namespace can be made", hint "allow user namespaces, or use the sandbox `danger-full-access` where something else isolates";
    PolicyReplaced = "policy_replaced", Request, "this Codex has no such approval policy: another took its place", hint "choose the other one yourself, or use a Codex that has it";
    AbilityMissing = "ability_missing", Request, "this Codex cannot do that: something else took its place", hint "a newer Codex can";
    SwitchWithoutEffect = "switch_without_effect", Request, "this Codex has no such switch", hint "`docs/dialects/yaar.md` lists which version has which";
    CodexUnjudged = "codex_unjudged", Request, "this version of Codex was never tried with this version of Selvedge", hint "`docs/versions.md` lists which were";
    CompactionLost = "compaction_lost", Request, "the compaction did not take place", hint "ask for it again";
    ReviewLost = "review_lost", Request, "the review did not take place", hint "ask for it again";
    NameNotSet = "name_not_set", Request, "Codex did not take the name", hint "name it again";
    ArchiveFailed = "archive_failed", Request, "Codex did not put the thread away, or did not take it out again", hint "ask for it again";

    // What the gateway refuses before anybody deeper is asked.
    BodyInvalid = "body_invalid", Request, "the body is not as it has to be", hint "`/docs` shows what is expected";
    QueryInvalid = "query_invalid", Request, "the address has a parameter that is not as it has to be", hint "`/docs` shows what is expected";
    BodyTooLarge = "body_too_large", Request, "the body is larger than it may be", hint "send less at once; the limit is in `docs/configuration.md`";
    BodyTooSlow = "body_too_slow", Request, "the body did not come in time", hint "send less at once, or over a faster line; the limit is `body_seconds` in `docs/configuration.md`";
    MediaTypeUnsupported = "media_type_unsupported", Request, "the body has to be JSON", hint "send it with `Content-Type: application/json`";
    MethodNotAllowed = "method_not_allowed", Request, "this address does not take that method", hint "`/docs` lists what there is";
    OriginRefused = "origin_refused", Request, "another site may not ask this", hint "ask from the gateway's own page or from a program; `--host` names the gateway's other addresses";
    HostRefused = "host_refused", Request, "this is not a name of the gateway", hint "use the address it listens on, or allow the name with `--host`";
    TooManyAttempts = "too_many_attempts", Request, "too many tokens were wrong", hint "wait a minute";
    TooMuch = "too_much", Request, "there is more of it than the gateway takes", hint "the limits are in `docs/configuration.md`";
    OutsideRoots = "outside_roots", Request, "this path is not under an allowed root", hint "`--allow-root` says which are";
    GatewayUnreachable = "gateway_unreachable", Request, "the gateway does not answer", hint "look whether `selvedge serve` runs there";
    GatewayForeign = "gateway_foreign", Request, "what answers is no gateway of this version", hint "look at the address; both have to be of the same minor version";
    Draining = "draining", Request, "the gateway is ending and takes nothing new", hint "try again in a moment";

    // Why something was not done.
    Busy = "busy", Request, "a turn is running, and this is not to wait", hint "send it with another `busy_policy`, or when the turn has ended";
    NotRunning = "not_running", Request, "the session is stopped or has failed", hint "start it";
    Archived = "archived", Request, "the session is put away", hint "unarchive it";
    NotFound = "not_found", Request, "there is no such thing", hint "see whether its id or name is right; it may have been removed";
    NotQueued = "not_queued", Request, "the message is no longer in the queue", hint "look how it stands; a running one can be interrupted";
    AlreadyAnswered = "already_answered", Request, "it was answered before", hint "nothing is left to be said to it";
    Idle = "idle", Request, "no turn is running", hint "send a message first";
    KeyReused = "key_reused", Request, "this idempotency key was used with another request", hint "use a new key for a new request";
    Duplicate = "duplicate", Request, "a message with this id was accepted before", hint "look it up by that id, or send it with another one";
    PriceUnknown = "price_unknown", Request, "a limit in money needs the model's price", hint "put the price into `selvedge.toml`";
    DecisionNotOffered = "decision_not_offered", Request, "Codex does not offer this decision here", hint "choose one that the request offers";
    InputTooLong = "input_too_long", Request, "the input is longer than 1,048,576 characters", hint "put it into a file";
    ImageUrlRefused = "image_url_refused", Request, "nothing is fetched: an image is sent as data", hint "send the image itself, or a `data:` address";
    StorageFull = "storage_full", Request, "the disk is full: nothing new is taken", hint "make room; it goes on by itself";
    OwnedElsewhere = "owned_elsewhere", Request, "another program holds this session", hint "end the other program, or talk to it";
    CodexMissing = "codex_missing", Request, "there is no Codex", hint "install it, or say where it is with `--codex`";
    CodexUnusable = "codex_unusable", Request, "Codex does not run", hint "`selvedge doctor` says what is wrong";
    CodexTooOld = "codex_too_old", Request, "this Codex cannot do that", hint "use a newer Codex";
    NotLoggedIn = "not_logged_in", Request, "Codex is not logged in", hint "log in with `codex login`";
    JournalNewer = "journal_newer", Request, "the journal was written by a newer version", hint "use that version";
    JournalDamaged = "journal_damaged", Request, "the journal is damaged", hint "restore a backup";
    CursorAhead = "cursor_ahead", Request, "there are not that many events yet", hint "read from the newest one";
    InvalidArgument = "invalid_argument", Request, "an argument is not as it has to be", hint "its message says which, and what it may be";
    AmbiguousId = "ambiguous_id", Request, "more than one id ends like this", hint "give more of it";
    ThreadBusy = "thread_busy", Request, "another process writes to this thread", hint "end the other process, or fork the thread";
    ToolsFixed = "tools_fixed", Request, "a thread's tools are fixed when it is made", hint "make a new session";
    Unauthenticated = "unauthenticated", Request, "a valid token is needed", hint "send it as `Authorization: Bearer …`";
    Forbidden = "forbidden", Request, "this is not allowed", hint "use a token that has the scope for it";
    Internal = "internal", Response, "something went wrong here that should not", hint "please report it";
}

impl Code {
    /// Whether a session is told it once, and not again and again while nothing changes.
    #[must_use]
    pub(crate) fn is_told_once(self) -> bool {
        matches!(
            self,
            Self::PolicyReplaced | Self::AbilityMissing | Self::SwitchWithoutEffect | Self::CodexUnjudged
        )
    }

    /// The code that is written like this.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == name)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_code_is_found_by_its_one_name() {
        let names: BTreeSet<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(names.len(), Code::ALL.len(), "no name twice");
        for code in Code::ALL {
            assert_eq!(Code::named(code.as_str()), Some(*code));
            assert!(code.as_str().bytes().all(|letter| letter.is_ascii_lowercase() || letter == b'_'));
        }
    }
}
