//! Which place it is: `--local`, a gateway that was named, the one that serves the data directory, or this process.

use std::{env, time::Duration};

use clap::Args;
use selvedge_runtime::Config;
use selvedge_server::{Running, Secret};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    common::Common,
    failure::Failure,
    gateway::{Address, Found, Target},
};

/// Options of every command that works with sessions, wherever they live.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Where the sessions live")]
pub(crate) struct Reach {
    /// The gateway at this address [default: the one that serves the data directory, if there is one]
    #[arg(long, value_name = "URL", env = "SELVEDGE_GATEWAY", hide_env_values = true, global = true)]
    gateway: Option<String>,
    /// The gateway's token; better in the environment or the file, for a flag can be seen by everybody on the machine
    #[arg(long, env = "SELVEDGE_TOKEN", hide_env_values = true, global = true, value_parser = secret)]
    token: Option<Secret>,
    /// Works in this process even if a gateway serves the data directory
    #[arg(long, env = "SELVEDGE_LOCAL", global = true)]
    local: bool,
    // Last: what follows it would stand under its heading in the help.
    #[command(flatten)]
    pub(crate) common: Common,
}

/// A token from a flag or the environment.
pub(crate) fn secret(text: &str) -> Result<Secret, String> {
    Ok(Secret::new(text))
}

/// The table `[gateway]` of `selvedge.toml`.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct InFile {
    url: Option<String>,
    token: Option<Secret>,
    local: bool,
    /// So many seconds a gateway that was there is waited for.
    patience: u64,
}

impl Default for InFile {
    fn default() -> Self {
        Self { url: None, token: None, local: false, patience: 60 }
    }
}

/// Where the sessions live.
#[derive(Debug)]
pub(crate) enum Chosen {
    Here,
    There(Target),
}

/// What a flag or the environment says.
#[derive(Debug, PartialEq, Eq)]
enum Said<'a> {
    Nothing,
    Local,
    Gateway(&'a str),
}

impl Chosen {
    pub(crate) fn is_here(&self) -> bool {
        matches!(self, Self::Here)
    }
}

impl Reach {
    /// The place of the sessions, for a command that works with them.
    pub(crate) fn choose(&self, config: &Config) -> Result<Chosen, Failure> {
        let Some(target) = self.target(config)? else { return Ok(Chosen::Here) };
        self.common.reaches_a_gateway()?;
        target.is_of_our_version()?;
        Ok(Chosen::There(target))
    }

    /// The address of a gateway that was named: what lies on this machine is then not what is meant.
    pub(crate) fn elsewhere(&self, config: &Config) -> Result<Option<Address>, Failure> {
        let named = self.target(config)?.filter(|target| target.found.is_none());
        Ok(named.map(|target| target.address))
    }

    /// The gateway that is meant, if it is one.
    pub(crate) fn target(&self, config: &Config) -> Result<Option<Target>, Failure> {
        let file = InFile::of(config)?;
        let said = self.said(|name| env::var(name).ok())?;
        if said == Said::Local || (said == Said::Nothing && file.local) {
            return Ok(None);
        }
        match self.named(&said, &file, config)? {
            Some(named) => Ok(Some(named)),
            None => self.found(&file, config),
        }
    }

    /// A flag beats the environment; of two flags, or two variables, nobody knows which is meant.
    fn said(&self, variable: impl Fn(&str) -> Option<String>) -> Result<Said<'_>, Failure> {
        let Some(address) = self.gateway.as_deref() else {
            return Ok(if self.local { Said::Local } else { Said::Nothing });
        };
        if !self.local {
            return Ok(Said::Gateway(address));
        }
        let address_by_variable = variable("SELVEDGE_GATEWAY").as_deref() == Some(address);
        let local_by_variable = variable("SELVEDGE_LOCAL").is_some();
        match (local_by_variable, address_by_variable) {
            (true, false) => Ok(Said::Gateway(address)),
            (false, true) => Ok(Said::Local),
            _ => Err(Failure::bad_input("a gateway was named, and `--local` said too", "say one of them")),
        }
    }

    fn named(&self, said: &Said<'_>, file: &InFile, config: &Config) -> Result<Option<Target>, Failure> {
        let (address, of_file) = match (said, file.url.as_deref()) {
            (Said::Gateway(address), _) => (*address, None),
            // The file's token goes to the file's address, and nowhere else.
            (_, Some(address)) => (address, file.token.clone()),
            (_, None) => return Ok(None),
        };
        let address = Address::parse(address)?;
        let own = || Running::find(&config.data_dir).filter(|own| own.url == address.to_string());
        let token = self.token.clone().or(of_file).or_else(|| own()?.token.map(Secret::new));
        let patience = Duration::from_secs(file.patience);
        Ok(Some(Target { address, token, found: None, patience }))
    }

    fn found(&self, file: &InFile, config: &Config) -> Result<Option<Target>, Failure> {
        let directory = config.data_dir.clone();
        let Some(Running { url, pid, version, token }) = Running::find(&directory) else { return Ok(None) };
        let found = Found { directory, pid, version, own_token: self.token.is_none() };
        let token = self.token.clone().or_else(|| token.map(Secret::new));
        let (address, patience) = (Address::parse(&url)?, Duration::from_secs(file.patience));
        Ok(Some(Target { address, token, found: Some(found), patience }))
    }
}

impl InFile {
    fn of(config: &Config) -> Result<Self, Failure> {
        let said = Value::Object(config.gateway.clone());
        let read: Self = serde_path_to_error::deserialize(&said).map_err(|error| {
            let path = error.path().to_string();
            // What is wrong with a token is not shown: it may be most of one.
            let what = match path.as_str() {
                "token" => "`gateway.token` in the configuration is no text".to_owned(),
                "." => format!("`gateway` in the configuration: {}", error.inner()),
                path => format!("`gateway.{path}` in the configuration: {}", error.inner()),
            };
            Failure::bad_input(what, "docs/configuration.md lists every key")
        })?;
        if read.token.is_some() && read.url.is_none() {
            let what = "`gateway.token` in the configuration says a token, but not whose";
            return Err(Failure::bad_input(what, "put `url` beside it"));
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests;
