//! Where the sessions live: in this process, or behind a gateway. A command is handed one and knows nothing deeper.

mod events;
mod new;
mod reach;
mod session;

pub(crate) use events::{Events, Heard};
pub(crate) use new::New;
pub(crate) use reach::{Chosen, Reach, secret};
pub(crate) use session::Session;

use std::{future::Future, process::ExitCode, sync::Arc, time::Duration};

use selvedge_runtime::{Answer, Config, Error, Filter, Listing, PendingApproval, Runtime};
use selvedge_session::{ApprovalId, Backend, SessionId};

use crate::{common::Common, failure::Failure, gateway::Gateway, ids, local};

/// Calls the same method on whichever it is.
macro_rules! either {
    ($which:expr, $it:ident => $call:expr) => {
        match $which {
            Self::Here($it) => $call,
            Self::There($it) => $call,
        }
    };
}
use either;

/// How a backend is called that is the stand-in.
const REHEARSAL: &str = "rehearsal";

/// Where the sessions live, and what was said about them here.
#[derive(Clone)]
pub(crate) struct Place {
    config: Arc<Config>,
    home: Home,
}

#[derive(Clone)]
enum Home {
    Here(Runtime),
    There(Gateway),
}

/// Finds the place, does the work there, and leaves it as it has to be however the work ended.
pub(crate) fn with_place<F>(reach: &Reach, work: impl FnOnce(Place) -> F) -> Result<ExitCode, Failure>
where
    F: Future<Output = Result<ExitCode, Failure>>,
{
    let config = reach.common.config()?;
    open(reach.choose(&config)?, config, work)
}

/// The same at a place that was chosen.
pub(crate) fn open<F>(
    chosen: Chosen,
    config: Config,
    work: impl FnOnce(Place) -> F,
) -> Result<ExitCode, Failure>
where
    F: Future<Output = Result<ExitCode, Failure>>,
{
    match chosen {
        Chosen::Here => local::with_runtime(config, |runtime| {
            let config = Arc::new(runtime.config().clone());
            work(Place { config, home: Home::Here(runtime) })
        }),
        Chosen::There(target) => local::block_on(async {
            let home = Home::There(Gateway::new(target)?);
            Box::pin(work(Place { config: Arc::new(config), home })).await
        }),
    }
}

impl Place {
    /// What was said at the command line, in the environment and in the file.
    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    /// Makes a session.
    pub(crate) async fn create(&self, new: New) -> Result<Session, Error> {
        Ok(match &self.home {
            Home::Here(runtime) => Session::Here(runtime.create(new.into()).await?),
            Home::There(gateway) => Session::There(gateway.create(&new).await?),
        })
    }

    /// The one session whose id ends like this.
    pub(crate) async fn find(&self, ending: &str) -> Result<Session, Error> {
        Ok(match &self.home {
            Home::Here(runtime) => Session::Here(runtime.find(ending).await?),
            Home::There(gateway) => Session::There(gateway.find(ending).await?),
        })
    }

    /// Sessions in the order in which they were made.
    pub(crate) async fn sessions(&self, filter: &Filter) -> Result<Listing, Error> {
        self.home.sessions(filter).await
    }

    /// Everything that Codex asks a person, oldest first.
    pub(crate) async fn approvals(&self) -> Result<Vec<PendingApproval>, Error> {
        self.home.approvals().await
    }

    /// Answers what Codex asks a person.
    pub(crate) async fn answer(&self, id: ApprovalId, answer: Answer) -> Result<(), Error> {
        self.home.answer(id, answer).await
    }

    /// Removes the sessions of which nothing was heard for so long, but those with work to do.
    pub(crate) async fn prune(&self, older_than: Duration) -> Result<Vec<SessionId>, Error> {
        self.home.prune(older_than).await
    }

    /// Where the agent works. A gateway on another machine may have a directory that there is not here.
    pub(crate) fn directory(&self) -> Result<String, Failure> {
        let named = self.config.cwd.clone().filter(|named| named.is_absolute());
        let cwd = match (Common::directory(&self.config), named) {
            (Err(_), Some(named)) if matches!(self.home, Home::There(_)) => named,
            (directory, _) => directory?,
        };
        cwd.to_str().map(str::to_owned).ok_or_else(|| {
            Failure::bad_input(format!("{} is not UTF-8", cwd.display()), "Codex takes only such paths")
        })
    }

    /// Who is to answer, if somebody was named: a gateway has somebody already.
    pub(crate) fn backend(&self) -> Option<Backend> {
        let named = matches!(self.home, Home::Here(_)) || self.config.codex.is_some();
        let backend = if self.config.is_rehearsal() { Backend::Rehearsal } else { Backend::Codex };
        named.then_some(backend)
    }

    /// A session goes on with whoever it was made with: the stand-in never answers for Codex, nor Codex for it.
    pub(crate) async fn same_backend(&self, session: &Session) -> Result<(), Failure> {
        let now = match self.backend() {
            Some(Backend::Rehearsal) => REHEARSAL,
            Some(Backend::Codex) => "codex",
            None => return self.say_who_answers(session).await,
        };
        let kind = session.summary().await?.backend.kind;
        if kind == now {
            return self.say_who_answers(session).await;
        }
        let what = format!("session {} was made with {kind}, and this is {now}", ids::short(&session.id()));
        let hint = if kind == REHEARSAL { "say --codex rehearsal" } else { "leave `--codex rehearsal` away" };
        Err(Failure::bad_input(what, hint))
    }

    /// Every surface says when the stand-in answers. This process has said so; what a gateway has is known with the session.
    pub(crate) async fn say_who_answers(&self, session: &Session) -> Result<(), Failure> {
        if matches!(self.home, Home::There(_)) && session.summary().await?.backend.kind == REHEARSAL {
            eprintln!("{}", local::REHEARSAL);
        }
        Ok(())
    }
}

impl Home {
    async fn sessions(&self, filter: &Filter) -> Result<Listing, Error> {
        either!(self, it => it.sessions(filter).await)
    }

    async fn approvals(&self) -> Result<Vec<PendingApproval>, Error> {
        either!(self, it => it.approvals().await)
    }

    async fn answer(&self, id: ApprovalId, answer: Answer) -> Result<(), Error> {
        either!(self, it => it.answer(id, answer).await)
    }

    async fn prune(&self, older_than: Duration) -> Result<Vec<SessionId>, Error> {
        either!(self, it => it.prune(older_than).await)
    }
}
