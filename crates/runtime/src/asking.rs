//! What is asked of an app-server beside any thread: an app-server that runs is asked, or one is started for it.

use std::{sync::Arc, time::Duration};

use selvedge_client::{CallError, Hint as _, Reply};
use selvedge_session::{Code, SessionId, Settings};
use serde::Serialize;
use uuid::Uuid;

use crate::{
    actor,
    error::Error,
    fleet::{Environment, FleetError, Generation, Isolation},
    house::House,
};

/// Whoever asks for a list does not wait longer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Asks what concerns no thread.
pub(crate) async fn ask(house: &House, method: &str, params: &impl Serialize) -> Result<Reply, Error> {
    let environment = environment(house).await?;
    if let Some(running) = house.fleet.running(&environment) {
        match running.client().request_within(method, params, PATIENCE).await {
            // It ended meanwhile: another is asked.
            Err(CallError::Ended { .. } | CallError::InputClosed { .. }) => {}
            answered => return answered.map_err(|error| unanswered(&error)),
        }
    }
    let seat = house.fleet.seat(&environment, Isolation::Shared).await.map_err(|error| no_seat(&error))?;
    let answered = seat.generation.client().request_within(method, params, PATIENCE).await;
    answered.map_err(|error| unanswered(&error))
}

/// Asks one app-server and no other: what it knows alone.
pub(crate) async fn ask_one(
    server: &Generation,
    method: &str,
    params: &impl Serialize,
) -> Result<Reply, Error> {
    let answered = server.client().request_within(method, params, PATIENCE).await;
    answered.map_err(|error| unanswered(&error))
}

/// The version of the app-server that sessions get, unless they want another; one is started if none runs.
pub(crate) async fn version(house: &House) -> Result<Option<String>, Error> {
    let environment = environment(house).await?;
    let version = |server: &Generation| server.version().map(str::to_owned);
    if let Some(running) = house.fleet.running(&environment) {
        return Ok(version(&running));
    }
    let seat = house.fleet.seat(&environment, Isolation::Shared).await.map_err(|error| no_seat(&error))?;
    Ok(version(&seat.generation))
}

/// What a session without wishes of its own gets: it has no secrets, so nobody's are used.
async fn environment(house: &House) -> Result<Arc<Environment>, Error> {
    let nobody = SessionId(Uuid::nil());
    actor::environment(house, nobody, &Settings::default()).await.map(Arc::new)
}

fn no_seat(error: &FleetError) -> Error {
    let code = match error {
        FleetError::ShuttingDown => Code::Draining,
        FleetError::Login(_) => Code::NotLoggedIn,
        _ => Code::CodexUnusable,
    };
    with_hint(Error::coded(code, error.to_string()), error.hint())
}

fn unanswered(error: &CallError) -> Error {
    with_hint(Error::coded(Code::CodexUnusable, error.to_string()), error.hint())
}

pub(crate) fn with_hint(error: Error, hint: Option<String>) -> Error {
    match hint {
        Some(hint) => error.hint(hint),
        None => error,
    }
}
