//! Starts an app-server, and looks after it to its end.

use std::{sync::Arc, time::Duration};

use selvedge_client::{AppServer, CallError, End};
use uuid::Uuid;

use super::{
    counters::Counters,
    environment::Environment,
    error::FleetError,
    generation::{Generation, Parts},
    options::FleetOptions,
    pool::Pool,
    router::{Board, Router},
};

/// A new app-server that has introduced itself, and who reads it.
pub(super) struct Started {
    pub(super) generation: Arc<Generation>,
    pub(super) router: Router,
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
    let launch = environment.launch(id, options);
    let AppServer { client, inbox, process } =
        AppServer::spawn(launch).map_err(|error| Failed::Hopeless(error.into()))?;
    let info = match client.initialize(&options.introduction).await {
        Ok(info) => info,
        Err(refused @ CallError::Refused { .. }) => {
            process.shut_down().await;
            return Err(Failed::Hopeless(FleetError::Handshake(refused)));
        }
        Err(CallError::Ended { end, .. }) => return Err(Failed::Died(end)),
        Err(_unanswered) => return Err(Failed::Died(process.kill().await)),
    };
    let board = Arc::new(Board::new(id, options.hold.clone()));
    let router = Router::new((&client, inbox), Arc::clone(&board), options, (id, Arc::clone(counters)));
    let (threads, probe_limit) = (options.threads_per_process, options.probe);
    let parts = Parts { id, client, process: Some(process), info, stamp, board, threads, probe_limit };
    Ok(Started { generation: Arc::new(Generation::new(parts)), router })
}

/// Reads one to its end, and ends it when it is not needed any more.
pub(super) async fn look_after(started: Started, pool: Arc<Pool>, idle: Duration) {
    let Started { generation, router } = started;
    let seats = generation.occupancy.subscribe();
    let reading = router.run(|end| pool.ended(&generation, end), seats);
    let ending = async {
        tokio::select! {
            () = generation.finished() => {}
            () = generation.done() => generation.shut_down().await,
            () = nobody_left(&generation, &pool, idle) => generation.shut_down().await,
        }
    };
    tokio::join!(reading, ending);
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
