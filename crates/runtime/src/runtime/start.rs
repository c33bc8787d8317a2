//! How a runtime starts: the journal, what a dead owner left, and every session that has work to do.

use std::{
    fs,
    os::unix::fs::DirBuilderExt,
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use selvedge_client::Introduction;
use selvedge_journal::{Options, SqliteStore};
use selvedge_session::Code;
use tokio::{sync::mpsc, task::JoinHandle};

use super::{Runtime, daily};
use crate::{
    clock::Clock,
    config::{Config, Restarts},
    endpoint::Endpoints,
    error::Error,
    files::Files,
    fleet::{Fleet, FleetOptions, Owner, RelayOptions, RestartLimits, relays_of, sweep_orphans},
    git,
    house::{Actors, House},
    ledger,
    login::Login,
    named::Named,
    once::Answers,
    recording, relayed,
    secrets::{Secrets, inherited},
    tally::Tallies,
    unclaimed::{self, Keeper},
};

pub(super) async fn open(config: Config, clock: Clock) -> Result<Runtime, Error> {
    let runtime = open_quietly(config, clock).await?;
    runtime.house.last_leftovers().await;
    daily::begin(&runtime).await?;
    let open = runtime.house.open_sessions().await?;
    relayed::adopt_all(&runtime.house, &open).await?;
    for id in open {
        // One that another living process works on says so, and rests again.
        runtime.house.wake(id)?;
    }
    Ok(runtime)
}

pub(super) async fn open_quietly(config: Config, clock: Clock) -> Result<Runtime, Error> {
    config.check()?;
    let directory = config.data_dir.clone();
    private_directory(&directory)?;
    let mut options = Options::new(directory.join("journal.db"))
        .indexer(ledger::indexer())
        .durability(config.durability.into());
    options.max_bytes = config.max_journal_bytes;
    let store = tokio::task::spawn_blocking(move || SqliteStore::open(options))
        .await
        .map_err(|error| Error::coded(Code::Internal, error.to_string()))??;
    let (unclaimed, coming) = mpsc::channel(unclaimed::WAITING);
    let keeper = Keeper::begin(store.clone(), clock.clone(), coming);
    let recordings = recording::recordings(&config);
    let options = FleetOptions { unclaimed: Some(unclaimed), recordings, ..fleet_options(&config) };
    let looks = git::Looks::new(&directory.join("looks"))?;
    let house = House {
        fleet: Fleet::new(options),
        keeper: Mutex::new(Some(keeper)),
        files: Files::new(directory.join("files"))?,
        secrets: Secrets::new(directory.join("secrets"))?,
        endpoints: Endpoints::open(&directory.join("secrets"), config.tools_at.clone())?,
        owner: Owner::this(),
        actors: Actors::default(),
        room: tokio::sync::Mutex::default(),
        making: Named::default(),
        switching: tokio::sync::Mutex::default(),
        adopting: tokio::sync::Mutex::default(),
        answering: Named::default(),
        answers: Answers::default(),
        git: Arc::new(git::Recent::new(looks.clone())),
        looks,
        tallies: Tallies::default(),
        door: Mutex::default(),
        broom: Mutex::default(),
        leftovers: Mutex::new(Some(end_leftovers())),
        config,
        clock,
        store,
    };
    let runtime = Runtime { house: Arc::new(house) };
    runtime.house.open_door();
    Ok(runtime)
}

/// Ends what a dead owner left running. Whoever only looks does not wait for it before the end.
fn end_leftovers() -> JoinHandle<()> {
    #[expect(clippy::disallowed_methods, reason = "the house holds the handle, and awaits it at its end")]
    tokio::spawn(async { _ = sweep_orphans(|_| false).await })
}

fn private_directory(directory: &Path) -> Result<(), Error> {
    if directory.as_os_str().is_empty() {
        return Err(Error::coded(Code::InvalidArgument, "no data directory was given"));
    }
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(|error| {
        let message = format!("the data directory {} cannot be made: {error}", directory.display());
        Error::coded(Code::InvalidArgument, message).hint("choose another with --data-dir")
    })
}

fn fleet_options(config: &Config) -> FleetOptions {
    let mut options = FleetOptions {
        restart: restart_limits(config.restarts),
        threads_per_process: config.threads_per_process,
        keep_warm: config.keep_warm,
        time_limits: config.limits.into(),
        relays: Some(RelayOptions {
            program: config.relay.as_ref().map(|relay| relay.program.clone()),
            directory: relays_of(&config.data_dir),
            idle: config.relay.as_ref().and_then(|relay| relay.idle),
        }),
        tools_at: config.tools_at.clone(),
        login: config.login.clone(),
        token_source: config.login.as_ref().and_then(Login::source),
        within: config.rehearsal.within.clone(),
        redactions: config.hidden.clone(),
        ..FleetOptions::default()
    };
    for secret in inherited(std::env::vars_os()) {
        options.redactions.add(&secret);
    }
    if let Some(introduction) = &config.introduction {
        options.introduction = Introduction::clone(introduction);
    }
    if let Some(login) = &config.login {
        login.hide(&options.redactions);
    }
    options
}

fn restart_limits(restarts: Restarts) -> RestartLimits {
    let seconds = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    RestartLimits {
        first_delay: seconds(restarts.first_delay_seconds),
        longest_delay: seconds(restarts.longest_delay_seconds),
        restarts: restarts.max,
        within: Duration::from_secs(restarts.within_seconds),
        healthy_after: Duration::from_secs(restarts.healthy_after_seconds),
    }
}
