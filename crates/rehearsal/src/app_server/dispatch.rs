//! One line in: to whom it goes. A match that routes, and the gates before it.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{
    messages,
    outbox::Out,
    params::{self, Initialize},
    requests::{account, history, session, threads, turns},
    server::{Client, Server},
    views::VERSION,
    wire::{Incoming, Request, RequestId, RpcError},
};

/// Methods that need `experimentalApi`.
const EXPERIMENTAL_METHODS: &[&str] =
    &["thread/backgroundTerminals/clean", "thread/backgroundTerminals/list"];
/// Fields that need it, by method. `null` passes.
const EXPERIMENTAL_FIELDS: &[(&str, &[&str])] = &[
    (
        "thread/start",
        &["dynamicTools", "environments", "historyMode", "permissions", "projectId", "multiAgentMode"],
    ),
    ("thread/resume", &["history", "path", "permissions", "initialTurnsPage"]),
    ("thread/fork", &["beforeTurnId", "path", "permissions", "attachToSource"]),
    (
        "turn/start",
        &["additionalContext", "collaborationMode", "environments", "permissions", "multiAgentMode"],
    ),
    ("turn/steer", &["additionalContext"]),
];
/// Every method, for the words of the answer to an unknown one.
const METHODS: &[&str] = &[
    "initialize",
    "thread/start",
    "thread/resume",
    "thread/fork",
    "thread/archive",
    "thread/delete",
    "thread/unsubscribe",
    "thread/name/set",
    "thread/unarchive",
    "thread/compact/start",
    "thread/backgroundTerminals/clean",
    "thread/backgroundTerminals/list",
    "thread/revert",
    "thread/list",
    "thread/loaded/list",
    "thread/read",
    "thread/turns/list",
    "thread/items/list",
    "turn/start",
    "turn/steer",
    "turn/interrupt",
    "model/list",
    "account/login/start",
    "config/read",
    "account/read",
];

/// What a handler answers now; `Later` when the turn will answer, or nobody.
pub(super) enum Reply {
    Now(Value),
    Later,
}

/// What handlers give back.
pub(super) type Handled = Result<Reply, RpcError>;

/// A request that a handler works on.
pub(super) struct Ask<'a> {
    pub(super) server: &'a Arc<Server>,
    pub(super) id: RequestId,
    pub(super) params: Option<Value>,
}

impl Ask<'_> {
    /// Answers before going on: what is said next must come after it.
    pub(super) async fn answer(&self, result: Value) {
        self.server.outbox.send(Out::Lines(messages::response(&self.id, &Ok(result)))).await;
    }
}

/// Reads what the client says, in order.
pub(super) struct Dispatcher {
    server: Arc<Server>,
    overloads_left: u64,
}

impl Dispatcher {
    pub(super) fn new(server: Arc<Server>) -> Self {
        let overloads_left = server.faults.overload_first;
        Self { server, overloads_left }
    }

    /// Takes one line.
    pub(super) async fn take(&mut self, incoming: Incoming) {
        match incoming {
            Incoming::Request(_) | Incoming::Notification { .. } if self.server.faults.silent => {}
            Incoming::Request(request) => self.request(request).await,
            Incoming::Notification { method } if method == "initialized" => {}
            Incoming::Notification { method } => eprintln!("rehearsal: unknown notification {method}"),
            Incoming::Answer { id, answer } => self.server.calls.answer(id, answer),
            Incoming::Dropped { why } => eprintln!("rehearsal: a line was dropped: {why}"),
        }
    }

    async fn request(&mut self, request: Request) {
        let id = request.id.clone();
        let result = match Box::pin(self.handle(request)).await {
            Ok(Reply::Later) => return,
            Ok(Reply::Now(result)) => Ok(result),
            Err(error) => Err(error),
        };
        self.server.outbox.send(Out::Lines(messages::response(&id, &result))).await;
    }

    async fn handle(&mut self, request: Request) -> Handled {
        let Request { id, method, params } = request;
        if !METHODS.contains(&method.as_str()) {
            return Err(unknown(&method));
        }
        let ask = Ask { server: &self.server, id, params };
        if method == "initialize" {
            return initialize(ask).await;
        }
        if self.server.client.get().is_none() {
            return Err(RpcError::invalid("Not initialized"));
        }
        if self.overloads_left > 0 {
            self.overloads_left -= 1;
            return Err(RpcError::overloaded());
        }
        check_experimental(&self.server, &method, ask.params.as_ref())?;
        route(&method, ask).await
    }
}

async fn route(method: &str, ask: Ask<'_>) -> Handled {
    match method {
        "thread/start" => threads::start(ask).await,
        "thread/resume" => threads::resume(ask).await,
        "thread/fork" => threads::fork(ask).await,
        "thread/archive" => session::archive(ask).await,
        "thread/unarchive" => session::unarchive(ask).await,
        "thread/delete" => session::delete(ask).await,
        "thread/unsubscribe" => session::unsubscribe(ask),
        "thread/name/set" => session::set_name(ask).await,
        "thread/revert" => session::revert(ask).await,
        "thread/backgroundTerminals/list" => session::terminals(ask),
        "thread/backgroundTerminals/clean" => session::clean_terminals(ask).await,
        "thread/read" => history::read(ask).await,
        "thread/list" => history::list(ask),
        "thread/loaded/list" => Ok(Reply::Now(history::loaded(ask.server))),
        "thread/turns/list" => history::turns(ask),
        "thread/items/list" => history::items(ask),
        "thread/compact/start" => turns::compact(ask).await,
        "turn/start" => turns::start(ask).await,
        "turn/steer" => turns::steer(ask),
        "turn/interrupt" => turns::interrupt(ask),
        "model/list" => Ok(Reply::Now(account::models())),
        "account/read" => Ok(Reply::Now(account::account())),
        "account/login/start" => account::login(ask).await,
        "config/read" => Ok(Reply::Now(account::config())),
        unknown_method => Err(unknown(unknown_method)),
    }
}

fn unknown(method: &str) -> RpcError {
    let known: Vec<String> = METHODS.iter().map(|method| format!("`{method}`")).collect();
    RpcError::invalid_request(format!("unknown variant `{method}`, expected one of {}", known.join(", ")))
}

fn check_experimental(server: &Server, method: &str, params: Option<&Value>) -> Result<(), RpcError> {
    if server.is_experimental() {
        return Ok(());
    }
    let needs = |what: &str| Err(RpcError::invalid(format!("{what} requires experimentalApi capability")));
    if EXPERIMENTAL_METHODS.contains(&method) {
        return needs(method);
    }
    let fields =
        EXPERIMENTAL_FIELDS.iter().find(|(of, _)| *of == method).map_or(&[][..], |(_, fields)| fields);
    let is_set =
        |field: &&&str| params.and_then(|params| params.get(**field)).is_some_and(|value| !value.is_null());
    if let Some(field) = fields.iter().find(is_set) {
        return needs(&format!("{method}.{field}"));
    }
    if params.is_some_and(|params| params["approvalPolicy"].get("granular").is_some()) {
        return needs("askForApproval.granular");
    }
    Ok(())
}

async fn initialize(ask: Ask<'_>) -> Handled {
    let Initialize { client_info, capabilities } = params::read(ask.params.clone())?;
    if let Some(late) = ask.server.faults.slow_initialize {
        tokio::time::sleep(late).await;
    }
    let user_agent = format!(
        "selvedge-rehearsal/{VERSION} (rehearsal; {}) selvedge ({}; {})",
        std::env::consts::ARCH,
        client_info.name,
        client_info.version
    );
    let client = Client { name: client_info.name, capabilities: capabilities.unwrap_or_default() };
    ask.server.client.set(client).map_err(|_| RpcError::invalid("Already initialized"))?;
    ask.answer(json!({
        "userAgent": user_agent, "codexHome": ask.server.codex_home, "platformFamily": std::env::consts::FAMILY,
        "platformOs": std::env::consts::OS,
    }))
    .await;
    ask.server.tell(&messages::this_is_a_rehearsal(&ask.server.scenario.name)).await;
    ask.server.tell(&messages::remote_control_disabled()).await;
    Ok(Reply::Later)
}
