//! Contexts: each is a session, under the name that its caller has for it.

use std::collections::BTreeMap;

use selvedge_runtime::SessionHandle;
use selvedge_session::SessionId;
use serde_json::Value;

use super::{Desk, fault};
use crate::a2a::{
    tools,
    words::{Fault, Kind},
};

/// The longest name of a context, in bytes.
const LONGEST_NAME: usize = 1_024;

/// A context: a session, as its caller calls it.
pub(super) struct Context {
    pub(super) name: String,
    pub(super) session: SessionHandle,
}

impl Desk {
    /// The session that a context is; a new one, if nobody knows it. One without a name is the same for the same key.
    pub(super) async fn context(&self, name: Option<&str>, key: Option<&str>) -> Result<Context, Fault> {
        let runtime = self.runtime();
        if name.is_some_and(|name| name.len() > LONGEST_NAME) {
            return Err(Fault::invalid("message.contextId", "it may have 1,024 bytes"));
        }
        if let Some(name) = name {
            let key = self.whose.context(name);
            if let Some(note) = runtime.noted(&key).await.map_err(fault)? {
                let session = runtime.session(note.session).await.map_err(fault)?;
                return Ok(Context { name: name.to_owned(), session });
            }
            // Another one's session looks like none, and is not made anew under its id.
            if let Ok(id) = name.parse()
                && runtime.session(SessionId(id)).await.is_ok()
            {
                let message = format!("there is no context {name:?}");
                return Err(Fault::new(Kind::TaskNotFound, message).about("contextId", name));
            }
        }
        self.new_context(name, key).await
    }

    async fn new_context(&self, name: Option<&str>, key: Option<&str>) -> Result<Context, Fault> {
        let labels = [("a2a_agent", &self.whose.agent), ("a2a_caller", &self.whose.owner)];
        let labels = labels.map(|(name, value)| (name.to_owned(), value.clone()));
        let mut new = self.agent.session(BTreeMap::from(labels), tools::of(&self.agent));
        // Two messages at once with the same new name are of one context.
        let nameless = || key.map(|key| format!("{}/nameless/{key}", self.whose.agent));
        new.idempotency_key = name.map(|name| self.whose.context(name)).or_else(nameless);
        let session = self.runtime().create(new).await.map_err(fault)?;
        let name = name.map_or_else(|| session.id().to_string(), str::to_owned);
        let note = (self.whose.context(&name), Some(Value::from(name.as_str())));
        self.runtime().note(session.id(), vec![note]).await.map_err(fault)?;
        Ok(Context { name, session })
    }
}
