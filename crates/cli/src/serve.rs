//! `selvedge serve`: the gateway, until it is told to end.

mod again;
mod beside;
mod log;
mod signals;

use std::{
    io::{self, IsTerminal as _, Write as _},
    net::SocketAddr,
    path::PathBuf,
    process::ExitCode,
    time::Duration,
};

use clap::Args;
use selvedge_client::process::own_program;
use selvedge_runtime::{Config, Relay};
use selvedge_server::{Ended, Listening, Secret, Settings};
use tokio::sync::watch;

use self::log::Log;
pub(crate) use beside::Serving;

use crate::{common::Common, exit, failure::Failure, gateway::encoded, local, place::secret, record::Record};

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
    /// Turns go on when the gateway is killed, told to go (SIGTERM) or upgraded (SIGUSR2): the default
    #[arg(long, overrides_with = "no_relay")]
    relay: bool,
    /// App-servers end with the gateway
    #[arg(long, env = "SELVEDGE_NO_RELAY")]
    no_relay: bool,
    /// Turns that go on end after so long without a gateway; 0: never [default: 60]
    #[arg(long, value_name = "MINUTES", env = "SELVEDGE_RELAY_IDLE_MINUTES")]
    relay_idle_minutes: Option<u64>,
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
    record: Record,
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
        settings.relay = self.relay || (settings.relay && !self.no_relay);
        settings.relay_idle_minutes = self.relay_idle_minutes.unwrap_or(settings.relay_idle_minutes);
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
    options.record.put_into(&mut config);
    let mut settings = options.settings(&config)?;
    settings.listen = again::address().unwrap_or(settings.listen);
    if settings.relay {
        config.relay = Some(relay(&settings)?);
    }
    match local::block_on(serve(settings, config))? {
        Then::End(code) => Ok(code),
        Then::Again(address) => Err(again::exec(address)),
    }
}

/// What follows the end.
enum Then {
    End(ExitCode),
    /// Another program takes our place, at this address.
    Again(SocketAddr),
}

fn relay(settings: &Settings) -> Result<Relay, Failure> {
    let idle = Duration::from_secs(settings.relay_idle_minutes.saturating_mul(60));
    Ok(Relay {
        program: own_program().map_err(Failure::start)?,
        idle: Some(idle).filter(|idle| !idle.is_zero()),
    })
}

async fn serve(settings: Settings, config: Config) -> Result<Then, Failure> {
    let log = Log::begin()?;
    let (stop, stopped) = watch::channel(selvedge_server::Stop::No);
    let (again, taken_over) = watch::channel(false);
    let said = signals::Said { stop, relays: settings.relay, again };
    let _signals = signals::listen(said).map_err(Failure::start)?;
    if config.is_rehearsal() {
        eprintln!("{}", local::REHEARSAL);
    }
    let given = settings.token.is_some();
    let listening = Box::pin(Listening::open(settings, config)).await?;
    announce(&listening, given).map_err(|error| Failure::output(&error))?;
    let address = listening.address();
    match Box::pin(listening.run(stopped)).await {
        Ended::AtRest | Ended::Left => {
            log.end().await;
            let again = *taken_over.borrow();
            Ok(if again { Then::Again(address) } else { Then::End(ExitCode::SUCCESS) })
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
