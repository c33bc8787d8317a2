//! A gateway, asked over HTTP: sessions that live in another process, perhaps on another machine.

mod address;
mod answer;
mod ask;
mod events;
mod http;
mod reader;
mod session;
mod sessions;
mod sse;
mod target;
mod words;

pub(crate) use address::{Address, encoded};
pub(crate) use events::Events;
pub(crate) use session::Session;
pub(crate) use target::{Found, Target};

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use hyper::{Response, body::Incoming};
use selvedge_runtime::Error;
use serde::de::DeserializeOwned;
use tokio::time::{sleep, timeout};

use answer::Answer;
use ask::Ask;
use http::Http;

/// How long a request may take until its answer begins: to remove a session waits for its turn.
const LONGEST_REQUEST: Duration = Duration::from_secs(120);
/// How long the first one may take: who does not answer that does not answer.
const FIRST_REQUEST: Duration = Duration::from_secs(15);
/// How long a request whose connection broke is sent again.
const LONGEST_REPEAT: Duration = Duration::from_secs(10);
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// A gateway. Clones are the same one.
#[derive(Clone)]
pub(crate) struct Gateway(Arc<Inner>);

struct Inner {
    target: Mutex<Target>,
    http: Http,
    /// It has answered us: if it is silent now, it may come back.
    known: AtomicBool,
}

impl Gateway {
    /// Nothing is sent yet.
    pub(crate) fn new(target: Target) -> Result<Self, Error> {
        let http = Http::new(target.address.is_https())?;
        let known = AtomicBool::new(false);
        Ok(Self(Arc::new(Inner { target: Mutex::new(target), http, known })))
    }

    fn target(&self) -> Target {
        self.0.target.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// One that was found may have another address or token after it was started anew.
    fn look_again(&self) {
        self.0.target.lock().unwrap_or_else(PoisonError::into_inner).look_again();
    }

    fn is_known(&self) -> bool {
        self.0.known.load(Ordering::Relaxed)
    }

    /// What it answers, read.
    async fn ask<T: DeserializeOwned>(&self, ask: Ask) -> Result<T, Error> {
        let answer = self.answered(&ask).await?;
        answer.read().map_err(|why| words::foreign(&self.target(), &why))
    }

    /// Has something done; what it says about it does not matter.
    async fn tell(&self, ask: Ask) -> Result<(), Error> {
        self.answered(&ask).await.map(drop)
    }

    /// What it answers, if it does as asked. A request whose connection breaks is sent again if it knows us.
    async fn answered(&self, ask: &Ask) -> Result<Answer, Error> {
        let (since, mut pause) = (Instant::now(), FIRST_PAUSE);
        loop {
            let target = self.target();
            let why = match self.once(ask, &target).await {
                Ok(answer) => return self.understood(answer, &target),
                Err(why) => why,
            };
            if !(ask.may_repeat() && self.is_known()) || since.elapsed() > LONGEST_REPEAT.min(target.patience)
            {
                return Err(words::unreachable(&target, &why));
            }
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
            self.look_again();
        }
    }

    async fn once(&self, ask: &Ask, target: &Target) -> Result<Answer, String> {
        Answer::whole(self.response(ask, target).await?).await
    }

    /// The answer's head; its body is still to come.
    async fn response(&self, ask: &Ask, target: &Target) -> Result<Response<Incoming>, String> {
        let request = ask.request(target).map_err(|error| error.to_string())?;
        let longest = if self.is_known() { LONGEST_REQUEST } else { FIRST_REQUEST };
        match timeout(longest, self.0.http.request(request)).await {
            Ok(response) => response,
            Err(_late) => Err(format!("nothing came within {} s", longest.as_secs())),
        }
    }

    fn understood(&self, answer: Answer, target: &Target) -> Result<Answer, Error> {
        let answer = answer.understood(target)?;
        self.0.known.store(true, Ordering::Relaxed);
        Ok(answer)
    }
}
