//! What the tour talks to: an app-server that is given, or a real Codex whose model is scripted.

use std::{error::Error, ffi::OsString, fs, io, net::SocketAddr, path::PathBuf, sync::Arc};

use selvedge_client::Launch;
use selvedge_rehearsal::{model::ModelServer, scenario::Scenario};
use tempfile::TempDir;

/// What to talk to.
pub(crate) enum Stage {
    /// This program.
    Given {
        /// What to start.
        program: PathBuf,
        /// With what.
        arguments: Vec<OsString>,
    },
    /// This Codex, with the demonstration as its model and a home of its own.
    RealCodex(PathBuf),
}

/// The stage as it stands during a tour.
pub(crate) struct Set {
    pub(crate) launch: Launch,
    model: Option<ModelServer>,
    /// Removed with the set.
    _home: Option<TempDir>,
}

impl Stage {
    pub(crate) async fn set(self) -> Result<Set, Box<dyn Error>> {
        match self {
            Self::Given { program, arguments } => {
                let mut launch = Launch::program(program);
                launch.arguments = arguments;
                Ok(Set { launch, model: None, _home: None })
            }
            Self::RealCodex(codex) => {
                let loopback = SocketAddr::from(([127, 0, 0, 1], 0));
                let model = ModelServer::start(Arc::new(Scenario::demo()?), loopback).await?;
                let home = tempfile::tempdir()?;
                fs::write(home.path().join("config.toml"), model.codex_config())?;
                let launch = Launch::find(Some(&codex))?.codex_home(home.path());
                Ok(Set { launch, model: Some(model), _home: Some(home) })
            }
        }
    }
}

impl Set {
    pub(crate) async fn strike(self) -> io::Result<()> {
        match self.model {
            Some(model) => model.stop().await,
            None => Ok(()),
        }
    }
}
