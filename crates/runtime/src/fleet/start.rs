//! Starts an app-server, and looks after it to its end.

use std::{sync::Arc, time::Duration};

use selvedge_client::{AppServer, CallError, Client, End, Inbox, Listener, ServerInfo, process::Process};
use selvedge_recording::Conversation;
use uuid::Uuid;

use super::{
    counters::Counters,
    environment::Environment,
    error::FleetError,
    generation::{Generation, Hold, Parts},
    options::FleetOptions,
    pool::Pool,
    relays::{self, Backend, Gate, Relayed, Through},
    router::{Board, Router},
    within::Held,
};
use crate::recording::Ear;

/// A new app-server that has introduced itself, and who reads it.
pub(super) struct Started {
    pub(super) generation: Arc<Generation>,
    pub(super) router: Router,
    /// Records it, as soon as it is known what must not be.
    pub(super) ear: Option<Arc<Ear>>,
}

/// Why there is none.
pub(super) enum Failed {
    /// It ended, or did not answer; another one may do better.
    Died(Arc<End>),
    /// No other one will do better.
    Hopeless(FleetError),
}

/// Starts one. The binary is looked at before: what is replaced in this moment is then seen as outdated, not as new.
pub(super) async fn start(
    environment: &Environment,
    options: &FleetOptions,
    counters: &Arc<Counters>,
) -> Result<Started, Failed> {
    let stamp = environment.stamp();
    let id = Uuid::now_v7();
    let ear = listen(id, environment.program.backend(), options);
    let Begun { client, inbox, hold } = begin(id, environment, options, ear.as_ref()).await?;
    let introduced = client.initialize(&options.introduction).await;
    if let Some(ear) = ear {
        ear.introduced(introduced.as_ref().ok());
    }
    let info = match introduced {
        Ok(info) => info,
        Err(error) => return Err(unusable(error, hold, &client, FleetError::Handshake).await),
    };
    if let Some(Err(error)) = log_in(&client, options).await {
        let refused = |refused: CallError| {
            FleetError::Login(options.redactions.apply(&refused.to_string()).into_owned())
        };
        return Err(unusable(error, hold, &client, refused).await);
    }
    let hold = hold.noted(environment, &info, &client).await.map_err(Failed::Hopeless)?;
    let board = Arc::new(Board::new(id, options.hold.clone()));
    let router = Router::new((&client, inbox), Arc::clone(&board), options, (id, Arc::clone(counters)));
    let (threads, probe_limit) = (options.threads_per_process, options.probe);
    let (is_astray, gate) = (false, Gate::open());
    let parts = Parts { id, client, hold, info, stamp, is_astray, board, threads, probe_limit, gate };
    Ok(Started { generation: Arc::new(Generation::new(parts)), router, ear: None })
}

/// With what this program brought, if it did.
async fn log_in(client: &Client, options: &FleetOptions) -> Option<Result<(), CallError>> {
    match &options.login {
        Some(login) => Some(login.log_in(client).await),
        None => None,
    }
}

/// Ends one that cannot be used: what it refuses, every other one will.
async fn unusable(
    error: CallError,
    hold: NewHold,
    client: &Client,
    refused: impl FnOnce(CallError) -> FleetError,
) -> Failed {
    match error {
        error @ CallError::Refused { .. } => {
            hold.end(client).await;
            Failed::Hopeless(refused(error))
        }
        CallError::Ended { end, .. } => {
            hold.end(client).await;
            Failed::Died(end)
        }
        _unanswered => Failed::Died(hold.kill(client).await),
    }
}

/// A conversation that has not been introduced yet.
struct Begun {
    client: Client,
    inbox: Inbox,
    hold: NewHold,
}

/// Who holds it.
enum NewHold {
    Child(Process),
    Relay(Relayed),
    Within(Held, Duration),
}

async fn begin(
    id: Uuid,
    environment: &Environment,
    options: &FleetOptions,
    ear: Option<&Arc<Ear>>,
) -> Result<Begun, Failed> {
    let mut launch = environment.launch(id, options);
    launch.options.tap = ear.map(|ear| Arc::clone(ear) as Arc<dyn Listener>);
    if let (Backend::Rehearsal, Some(within)) = (environment.program.backend(), &options.within) {
        let patience = launch.ladder.after_eof;
        let (client, inbox, held) = within.begin(launch);
        return Ok(Begun { client, inbox, hold: NewHold::Within(held, patience) });
    }
    let through = relays::start(&launch, options).await;
    if let Some(through) = through.map_err(|error| Failed::Hopeless(FleetError::Relay(error)))? {
        let Through { client, inbox, relayed } = through;
        return Ok(Begun { client, inbox, hold: NewHold::Relay(relayed) });
    }
    let started = AppServer::spawn(launch);
    let AppServer { client, inbox, process } = started.map_err(|error| Failed::Hopeless(error.into()))?;
    Ok(Begun { client, inbox, hold: NewHold::Child(process) })
}

impl NewHold {
    async fn end(&self, client: &Client) {
        match self {
            Self::Within(held, patience) => held.shut_down(client, *patience).await,
            Self::Child(process) => drop(process.shut_down().await),
            Self::Relay(relayed) => {
                relayed.shut_down().await;
                relayed.remove();
            }
        }
    }

    async fn kill(&self, client: &Client) -> Arc<End> {
        match self {
            Self::Within(held, _) => held.kill(client).await,
            Self::Child(process) => process.kill().await,
            Self::Relay(relayed) => {
                relayed.kill().await;
                let end = client.ended().await;
                relayed.remove();
                end
            }
        }
    }

    /// With what whoever comes next has to know.
    async fn noted(
        self,
        environment: &Environment,
        info: &ServerInfo,
        client: &Client,
    ) -> Result<Hold, FleetError> {
        let relayed = match self {
            Self::Within(held, patience) => return Ok(Hold::Within(held, patience)),
            Self::Child(process) => return Ok(Hold::Child(process)),
            Self::Relay(relayed) => relayed,
        };
        let note = relays::note_of(environment, info);
        if let Err(error) = note.write(relayed.place().directory()) {
            let error = relays::failed(relayed.place(), &error);
            Self::Relay(relayed).end(client).await;
            return Err(FleetError::Relay(error));
        }
        Ok(Hold::Relay(relayed, note.into()))
    }
}

/// Records what is said, if that was asked for.
pub(super) fn listen(process: Uuid, backend: Backend, options: &FleetOptions) -> Option<Arc<Ear>> {
    let conversation = Conversation { process, backend: backend.name() };
    options.recordings.as_ref().map(|all| Ear::begin(all, &conversation, &options.redactions))
}

/// Reads one to its end, and ends it when it is not needed any more.
pub(super) async fn look_after(started: Started, pool: Arc<Pool>, idle: Duration) {
    let Started { generation, router, ear } = started;
    let seats = generation.occupancy.subscribe();
    let reading = async {
        generation.gate.pass().await;
        // Whoever talks with it has come, and with each the secrets that are not to be recorded.
        if let Some(ear) = ear {
            ear.introduced(Some(&generation.info));
        }
        let read = router.run(|end| pool.ended(&generation, end), seats);
        tokio::select! {
            () = read => {}
            () = generation.keep_note() => {}
        }
    };
    let unneeded = async {
        // Whose turn runs there sits down when it comes; until then it only looks as if nobody did.
        generation.gate.pass().await;
        tokio::select! {
            () = generation.done() => {}
            () = nobody_left(&generation, &pool, idle) => {}
        }
    };
    let ending = async {
        tokio::select! {
            () = generation.finished() => {}
            () = unneeded => generation.shut_down().await,
        }
    };
    tokio::join!(reading, ending);
    generation.clear_away();
}

/// Waits until the whole environment is unused for so long that even an open process is not worth its memory.
async fn nobody_left(generation: &Generation, pool: &Pool, idle: Duration) {
    loop {
        pool.unused_for(idle).await;
        if generation.end_if_empty() {
            return;
        }
    }
}
