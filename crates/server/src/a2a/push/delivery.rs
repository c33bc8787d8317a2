//! Telling: one reader for each configuration, in order, again and again until it was heard.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use selvedge_runtime::Error;
use selvedge_session::MessageId;
use tokio::{
    sync::watch,
    task::{AbortHandle, JoinSet},
};

use super::store::{self, Kept};
use crate::{
    a2a::{
        following::Following,
        notes::Whose,
        out::{Ask, Out},
    },
    gateway::Gateway,
};

/// How long whoever is told may take.
const WITHIN: Duration = Duration::from_secs(15);
/// The longest pause between two tries.
const LONGEST_PAUSE: Duration = Duration::from_secs(300);
/// After so many tries in vain nobody is there: about a day.
const TRIES: u32 = 300;

/// Everybody who is being told something.
#[derive(Default)]
pub(crate) struct Deliveries {
    going: Mutex<Going>,
    /// Rings when a task ended without an event.
    closed: watch::Sender<()>,
}

#[derive(Default)]
struct Going {
    tasks: JoinSet<()>,
    by_key: HashMap<String, AbortHandle>,
}

impl Deliveries {
    /// Goes on with everything that was not told when the last gateway ended.
    pub(crate) async fn resume(&self, gateway: &Gateway) -> Result<(), Error> {
        for kept in store::every(gateway.runtime()).await? {
            self.begin(gateway, kept);
        }
        Ok(())
    }

    /// Whoever follows a task that waits looks again at how it stands when this rings.
    pub(crate) fn closings(&self) -> watch::Receiver<()> {
        self.closed.subscribe()
    }

    /// Everybody looks again at how a task stands: it ended without an event.
    pub(crate) async fn look_again(&self, gateway: &Gateway, task: MessageId) -> Result<(), Error> {
        self.closed.send_replace(());
        for kept in store::all(gateway.runtime(), task).await? {
            self.begin(gateway, kept);
        }
        Ok(())
    }

    /// Begins to tell; what was told under the same name before ends.
    pub(crate) fn begin(&self, gateway: &Gateway, kept: Kept) {
        self.end(&kept);
        let key = kept.key();
        let telling = tell(gateway.clone(), kept);
        let mut going = self.going();
        while going.tasks.try_join_next().is_some() {}
        let handle = going.tasks.spawn(telling);
        going.by_key.retain(|_, handle| !handle.is_finished());
        going.by_key.insert(key, handle);
    }

    /// It is told no longer.
    pub(crate) fn end(&self, kept: &Kept) {
        if let Some(handle) = self.going().by_key.remove(&kept.key()) {
            handle.abort();
        }
    }

    fn going(&self) -> MutexGuard<'_, Going> {
        self.going.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Until the task has ended and that was heard, or the gateway ends.
async fn tell(gateway: Gateway, kept: Kept) {
    let (closing, key) = (gateway.closing(), kept.key());
    tokio::select! {
        () = closing => {}
        told = tell_all(&gateway, kept) => if let Err(why) = told {
            tracing::warn!(key, why, "a task's notifications end");
        },
    }
}

async fn tell_all(gateway: &Gateway, mut kept: Kept) -> Result<(), String> {
    let words = |error: Error| error.message;
    let runtime = gateway.runtime();
    let place = &kept.place;
    let whose = Whose { agent: place.agent.clone(), owner: place.owner.clone() };
    let agent = gateway.options().agents.find(Some(&place.agent)).ok_or("its agent is gone")?;
    let out = Arc::new(Out::new(agent.push_to_private)?);
    let found = whose.find(runtime, place.task).await.map_err(words)?.ok_or("its task is gone")?;
    let (task, context) = (found.id.to_string(), found.note.context.clone());
    let ours = found.note.run == Some(gateway.run());
    let (mut following, mut updates) = Following::from(runtime, found, kept.told).await.map_err(words)?;
    if !ours && !following.telling().has_begun() {
        // Whoever was about to send its message died: nothing will ever be told of it.
        return store::forget(runtime, &kept).await.map_err(words);
    }
    let first_pause = Duration::from_secs_f64(agent.push_retry_seconds.max(0.001));
    loop {
        for (seq, update) in updates {
            let body = update.json(&task, &context, seq).to_string();
            if !heard(&out, &kept, &body, first_pause).await {
                store::forget(runtime, &kept).await.map_err(words)?;
                return Err("nobody heard it".to_owned());
            }
            kept.told = seq;
            // Told again after a restart, rather than never.
            store::tell(runtime, &kept).await.map_err(words)?;
        }
        if following.telling().state().is_end() {
            return store::forget(runtime, &kept).await.map_err(words);
        }
        updates = following.next().await.map_err(words)?;
    }
}

/// Tells one thing until it was heard; whether it was.
async fn heard(out: &Out, kept: &Kept, body: &str, first_pause: Duration) -> bool {
    let mut pause = first_pause;
    for _ in 0..TRIES {
        match out.ask(asking(kept, body)).await {
            Ok((200..=299, _)) => return true,
            // Whoever was there wants to hear no more.
            Ok((410, _)) => return false,
            Ok((status, _)) => tracing::debug!(status, "a notification was refused"),
            Err(why) => tracing::debug!(why, "a notification did not arrive"),
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
    false
}

fn asking<'a>(kept: &'a Kept, body: &str) -> Ask<'a> {
    let config = &kept.config;
    let mut headers =
        vec![("content-type", "application/a2a+json".to_owned()), ("a2a-version", "1.0".to_owned())];
    if let Some(token) = &config.token {
        headers.push(("x-a2a-notification-token", token.clone()));
    }
    if let Some(scheme) = &config.scheme {
        let credentials = config.credentials.as_deref().unwrap_or_default();
        headers.push(("authorization", format!("{scheme} {credentials}").trim_end().to_owned()));
    }
    Ask { url: &config.url, headers, body: Some(Bytes::copy_from_slice(body.as_bytes())), within: WITHIN }
}
