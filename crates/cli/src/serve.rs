//! `selvedge serve`: the gateway, until it is told to end.

mod log;
mod signals;

use std::{
    io::{self, IsTerminal as _, Write as _},
    net::SocketAddr,
    path::PathBuf,
    process::ExitCode,
};

use clap::Args;
use selvedge_runtime::Config;
use selvedge_server::{Ended, Listening, Secret, Settings};
use tokio::sync::watch;

use self::log::Log;

use crate::{common::Common, exit, failure::Failure, gateway::encoded, local, place::secret};

/// Options of `serve`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Where to listen; port 0 takes a free one [default: 127.0.0.1:7433]
    #[arg(long, value_name = "ADDR", env = "SELVEDGE_LISTEN")]
    listen: Option<SocketAddr>,
    /// The token of whoever starts it [default: made at the first start, and kept in the data directory]
    #[arg(long, env = "SELVEDGE_TOKEN", hide_env_values = true, value_parser = secret)]
    token: Option<Secret>,
    /// Nobody is asked for a token; on a loopback address only
    #[arg(long, env = "SELVEDGE_NO_AUTH")]
    no_auth: bool,
    /// How long running turns get when it is told to end [default: 30]
    #[arg(long, value_name = "SECONDS", env = "SELVEDGE_DRAIN")]
    drain: Option<u64>,
    /// A name by which it is reached, beside its address and `localhost`; may be repeated
    #[arg(long, value_name = "NAME", env = "SELVEDGE_HOST", value_delimiter = ',')]
    host: Vec<String>,
    /// Sessions work, and files are looked at, only below this directory; may be repeated
    #[arg(long, value_name = "DIR", env = "SELVEDGE_ALLOW_ROOT")]
    allow_root: Vec<PathBuf>,
    /// Sessions of which nothing was heard for so long are removed [default: none]
    #[arg(long, value_name = "DAYS", env = "SELVEDGE_RETAIN_DAYS")]
    retain_days: Option<u64>,
    #[command(flatten)]
    common: Common,
}

impl Options {
    /// A flag beats the environment beats the file; what may be repeated is added.
    fn settings(&self, config: &Config) -> Result<Settings, Failure> {
        let mut settings = Settings::of(config)?;
        settings.listen = self.listen.unwrap_or(settings.listen);
        settings.token = self.token.clone().or(settings.token);
        settings.no_auth |= self.no_auth;
        settings.drain = self.drain.unwrap_or(settings.drain);
        settings.host.extend(self.host.iter().cloned());
        settings.allow_root.extend(self.allow_root.iter().cloned());
        for root in &settings.allow_root {
            if !root.is_dir() {
                let what = format!("the root {} is no directory", root.display());
                return Err(Failure::bad_input(what, "name one that there is with --allow-root"));
            }
        }
        Ok(settings)
    }
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, Failure> {
    let mut config = options.common.config()?;
    config.retain_days = options.retain_days.or(config.retain_days);
    let settings = options.settings(&config)?;
    local::block_on(serve(settings, config))
}

async fn serve(settings: Settings, config: Config) -> Result<ExitCode, Failure> {
    let log = Log::begin()?;
    let (stop, stopped) = watch::channel(selvedge_server::Stop::No);
    let _signals = signals::listen(stop).map_err(Failure::start)?;
    if config.is_rehearsal() {
        eprintln!("{}", local::REHEARSAL);
    }
    let given = settings.token.is_some();
    let listening = Box::pin(Listening::open(settings, config)).await?;
    announce(&listening, given).map_err(|error| Failure::output(&error))?;
    match Box::pin(listening.run(stopped)).await {
        Ended::AtRest => {
            log.end().await;
            Ok(ExitCode::SUCCESS)
        }
        // Whatever still waits is not waited for.
        Ended::AtOnce => std::process::exit(i32::from(exit::INTERRUPTED)),
    }
}

/// The one line that says where it is, and how to open it.
fn announce(listening: &Listening, given: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let page = listening.url();
    let open = match listening.token() {
        None => format!("{page}/"),
        Some(_) if is_kept_elsewhere(given) => format!("{page}/?token=…"),
        Some(token) => format!("{page}/?token={}", encoded(token.reveal())),
    };
    writeln!(out, "listening on http://{} (open {open})", listening.address())?;
    out.flush()
}

/// A system's log is read by others, and a token that somebody gave us is theirs to show.
fn is_kept_elsewhere(given: bool) -> bool {
    let terminal = io::stdout().is_terminal();
    !terminal && (given || std::env::var_os("JOURNAL_STREAM").is_some())
}
