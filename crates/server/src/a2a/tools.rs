//! Tools that an agent's model calls and the gateway runs: to offer what it made, and to talk to other agents.
//!
//! A call is durable: what was open when a gateway ended is run by the next one.

mod offering;
mod talking;

use std::{collections::HashSet, sync::Arc, sync::Mutex, sync::PoisonError};

use selvedge_runtime::{Error, Feed, Noted};
use selvedge_session::{Json, SessionId, ToolCallId, ToolSpec, What};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::agents::Agent;
use crate::gateway::Gateway;

/// The tools of an agent.
pub(crate) fn of(agent: &Agent) -> Vec<ToolSpec> {
    let offering = agent.offer_artifacts.then(offering::spec);
    let talking = (!agent.peers.is_empty()).then(|| talking::spec(agent));
    offering.into_iter().chain(talking).collect()
}

/// A call that waits.
struct Call {
    id: ToolCallId,
    session: SessionId,
    tool: String,
    arguments: Value,
}

/// Where a call is run.
struct Place {
    gateway: Gateway,
    agent: Arc<Agent>,
    owner: String,
}

/// What a call came to: words for the model, or why it failed.
type Came = Result<String, String>;

/// Who runs calls.
#[derive(Default)]
pub(crate) struct Errands {
    running: Mutex<JoinSet<()>>,
}

impl Errands {
    /// Runs what waits, and what comes, until the gateway ends.
    pub(crate) async fn start(&self, gateway: &Gateway) -> Result<(), Error> {
        if gateway.options().agents.is_empty() {
            return Ok(());
        }
        // Opened before the list is read, so that nothing comes in between.
        let feed = gateway.runtime().feed(Some(Feed::NOW)).await?;
        let open = gateway.runtime().tool_calls().await?;
        let open = open.into_iter().map(|call| Call {
            id: call.tool_call_id,
            session: call.session_id,
            tool: call.tool,
            arguments: read(&call.arguments),
        });
        let mut runner = Runner { gateway: gateway.clone(), known: HashSet::new(), tasks: JoinSet::new() };
        for call in open {
            runner.take(call).await;
        }
        let closing = gateway.closing();
        let running = async move {
            tokio::select! {
                () = closing => {}
                () = runner.run(feed) => {}
            }
        };
        self.running.lock().unwrap_or_else(PoisonError::into_inner).spawn(running);
        Ok(())
    }
}

struct Runner {
    gateway: Gateway,
    /// Calls under way.
    known: HashSet<ToolCallId>,
    tasks: JoinSet<ToolCallId>,
}

impl Runner {
    /// Until the journal is closed.
    async fn run(mut self, mut feed: Feed) {
        loop {
            tokio::select! {
                noted = feed.next() => match noted {
                    Ok(noted) => self.take_all(noted).await,
                    Err(_closed) => return,
                },
                Some(done) = self.tasks.join_next() => {
                    if let Ok(id) = done {
                        self.known.remove(&id);
                    }
                }
            }
        }
    }

    async fn take_all(&mut self, noted: Vec<Noted>) {
        for noted in noted.into_iter().filter(|noted| noted.event.name() == "tool.requested") {
            let Ok(event) = noted.event.read() else { continue };
            let What::ToolRequested(it) = event.what else { continue };
            let (id, tool, arguments) = (it.tool_call_id, it.tool, read(&it.arguments));
            self.take(Call { id, session: event.session_id, tool, arguments }).await;
        }
    }

    /// Runs it, if it is one of an agent's.
    async fn take(&mut self, call: Call) {
        if ![offering::NAME, talking::NAME].contains(&call.tool.as_str()) || !self.known.insert(call.id) {
            return;
        }
        if let Some(place) = self.place(call.session).await {
            self.tasks.spawn(run(place, call));
        }
    }

    /// Whose session it is; none of ours has another runner.
    async fn place(&self, session: SessionId) -> Option<Place> {
        let session = self.gateway.runtime().session(session).await.ok()?;
        let mut labels = session.summary().await.ok()?.labels;
        let agent = self.gateway.options().agents.find(Some(labels.get("a2a_agent")?))?;
        Some(Place { gateway: self.gateway.clone(), agent, owner: labels.remove("a2a_caller")? })
    }
}

async fn run(place: Place, call: Call) -> ToolCallId {
    let came = match call.tool.as_str() {
        offering::NAME => offering::run(&place, &call).await,
        _ => talking::run(&place, &call).await,
    };
    let (success, words) = match came {
        Ok(words) => (true, words),
        Err(why) => (false, why),
    };
    let content = Json::from(json!([{"type": "text", "text": words}]));
    // Answered meanwhile, or its turn has ended: then nobody waits for it.
    let _answered = place.gateway.runtime().answer_tool(call.id, success, content).await;
    call.id
}

fn read(arguments: &Json) -> Value {
    serde_json::from_str(arguments.text()).unwrap_or_default()
}
