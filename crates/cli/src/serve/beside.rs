//! A gateway that something else happens beside.

use std::{pin::pin, process::ExitCode};

use selvedge_runtime::{Config, Runtime};
use selvedge_server::{Ended, Listening, Settings, Stop};
use tokio::sync::watch;

use super::{announce, signals};
use crate::{exit, failure::Failure};

/// A gateway that something else happens beside.
pub(crate) struct Serving(Listening);

impl Serving {
    /// Takes its place, and says where that is.
    pub(crate) async fn open(settings: Settings, config: Config) -> Result<Self, Failure> {
        let listening = Box::pin(Listening::open(settings, config)).await?;
        announce(&listening, false).map_err(|error| Failure::output(&error))?;
        Ok(Self(listening))
    }

    pub(crate) fn runtime(&self) -> Runtime {
        self.0.runtime().clone()
    }

    /// Serves until it is told to end, whatever becomes of what happens beside; what went wrong there ends it too.
    pub(crate) async fn beside(
        self,
        work: impl Future<Output = Result<(), Failure>>,
    ) -> Result<ExitCode, Failure> {
        let (stop, stopped) = watch::channel(Stop::No);
        let (again, _nobody_takes_over) = watch::channel(false);
        let said = signals::Said { stop: stop.clone(), relays: false, again };
        let _signals = signals::listen(said).map_err(Failure::start)?;
        let mut serving = pin!(self.0.run(stopped));
        let worked = tokio::select! {
            worked = work => worked,
            ended = &mut serving => return Ok(exit_of(ended)),
        };
        if worked.is_err() {
            stop.send_replace(Stop::Drain);
        }
        let ended = serving.await;
        worked.map(|()| exit_of(ended))
    }
}

fn exit_of(ended: Ended) -> ExitCode {
    match ended {
        Ended::AtRest | Ended::Left => ExitCode::SUCCESS,
        Ended::AtOnce => ExitCode::from(exit::INTERRUPTED),
    }
}
