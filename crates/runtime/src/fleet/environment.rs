//! What an app-server is started with: whoever wants the same can share one.

use std::{
    env,
    ffi::OsString,
    fmt,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use selvedge_client::Launch;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{
    options::FleetOptions,
    owner::{OWNER, Owner},
    relays::Backend,
    stamp::Stamp,
};
use crate::files::hex;

/// Names the directory where Codex keeps its files.
const HOME: &str = "CODEX_HOME";

/// Names the directory of its databases, if that is another one.
const DATABASES: &str = "CODEX_SQLITE_HOME";

/// What lets somebody into a gateway is nothing for an agent, unless its session says so.
const KEPT_BACK: [&str; 1] = ["SELVEDGE_TOKEN"];

/// Has Codex keep a login in memory only.
const LOGIN_IN_MEMORY: &str = "cli_auth_credentials_store=\"ephemeral\"";

/// Which program speaks as an app-server does.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Program {
    /// Codex's native binary.
    Codex(PathBuf),
    /// A stand-in, asked for by name.
    Rehearsal {
        /// What is started.
        program: PathBuf,
        /// With all of these, and nothing else.
        arguments: Vec<OsString>,
    },
}

impl Program {
    /// Who plays Codex.
    pub(super) fn backend(&self) -> Backend {
        match self {
            Self::Codex(_) => Backend::Codex,
            Self::Rehearsal { .. } => Backend::Rehearsal,
        }
    }

    pub(super) fn path(&self) -> &PathBuf {
        match self {
            Self::Codex(path) | Self::Rehearsal { program: path, .. } => path,
        }
    }
}

/// Everything that is the same for all threads of one app-server. Processes are shared by it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Environment {
    /// What is started.
    pub(crate) program: Program,
    /// Where it keeps its files; its own default, if none.
    pub(crate) codex_home: Option<PathBuf>,
    /// Set in its environment, or with `None` removed.
    pub(crate) env: Vec<(OsString, Option<OsString>)>,
    /// Its process-wide configuration, each `key=value`.
    pub(crate) config: Vec<String>,
    /// Where sessions without the user's own instructions and skills have their home; they share with each other only.
    pub(crate) bare: Option<PathBuf>,
    /// By what the login that it gets is told from another: whoever is logged in otherwise must not go on with it.
    pub(crate) login: Option<String>,
}

// Names without values: the environment is where secrets are, and what is debugged ends in logs.
impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.env.iter().map(|(name, _)| name).collect();
        f.debug_struct("Environment")
            .field("program", &self.program)
            .field("codex_home", &self.codex_home)
            .field("env", &names)
            .field("config", &self.config.len())
            .field("bare", &self.bare)
            .field("login", &self.login.is_some())
            .finish()
    }
}

impl Environment {
    /// Where Codex will keep its files, as it finds that out itself. A stand-in's home has nothing to migrate.
    pub(crate) fn home(&self) -> Option<PathBuf> {
        let Program::Codex(_) = self.program else { return None };
        let set = self.env.iter().rfind(|(name, _)| name == HOME).map(|(_, value)| value.clone());
        let named = set.unwrap_or_else(|| env::var_os(HOME)).map(PathBuf::from);
        self.codex_home.clone().or(named).or_else(|| env::home_dir().map(|home| home.join(".codex")))
    }

    /// A name for it that another program finds too, and that gives none of its values away.
    pub(super) fn digest(&self) -> String {
        let mut digest = Sha256::new();
        // Each with its length, so that no two lists are written the same.
        let mut add = |bytes: &[u8]| {
            digest.update((bytes.len() as u64).to_le_bytes());
            digest.update(bytes);
        };
        add(self.program.path().as_os_str().as_bytes());
        if let Program::Rehearsal { arguments, .. } = &self.program {
            arguments.iter().for_each(|argument| add(argument.as_bytes()));
        }
        add(self.codex_home.as_ref().map_or(b"", |home| home.as_os_str().as_bytes()));
        for (name, value) in &self.env {
            add(name.as_bytes());
            add(value.as_ref().map_or(b"\0none", |value| value.as_bytes()));
        }
        self.config.iter().for_each(|config| add(config.as_bytes()));
        // As it was written when it was yes or no.
        add(self.bare.as_ref().map_or(&[0], |place| place.as_os_str().as_bytes()));
        // Last, and only where there is one: whoever brings none is found under the name that an earlier version gave.
        self.login.iter().for_each(|login| add(login.as_bytes()));
        hex(&digest.finalize())
    }

    /// How it is started, with marker and owner.
    pub(super) fn launch(&self, marker: Uuid, options: &FleetOptions) -> Launch {
        let mut launch = Launch::program(self.program.path().clone());
        match &self.program {
            Program::Codex(_) => {
                for key_value in &self.config {
                    launch = launch.config(key_value);
                }
                // The login that lies in Codex's directory is its owner's, and stays as it is.
                if options.login.is_some() {
                    launch = launch.config(LOGIN_IN_MEMORY);
                }
            }
            Program::Rehearsal { arguments, .. } => launch.arguments.clone_from(arguments),
        }
        launch.environment = KEPT_BACK.map(|name| (name.into(), None)).into();
        launch.environment.extend_from_slice(&self.env);
        if let Some(home) = self.bare.as_ref().or(self.codex_home.as_ref()) {
            launch = launch.codex_home(home);
        }
        if let (Some(_), Some(home)) = (&self.bare, self.home()) {
            launch = self.with_databases_in(&home, launch);
        }
        launch.marker = marker;
        launch.ladder = options.ladder.clone();
        launch.options = options.conversation();
        launch.env(OWNER, Owner::this().to_string())
    }

    /// Codex finds its databases by their directory: a link that is made before its database is there would be no use to
    /// versions that number them anew. Who has put them elsewhere keeps them there.
    fn with_databases_in(&self, home: &Path, launch: Launch) -> Launch {
        let given = self.env.iter().any(|(name, _)| name == DATABASES) || env::var_os(DATABASES).is_some();
        if given { launch } else { launch.env(DATABASES, home) }
    }

    /// Which binary lies there now, and with which login; `None` while it is being replaced, and when there is none.
    pub(super) fn stamp(&self) -> Option<Stamp> {
        Stamp::of(self.program.path(), self.home().as_deref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment() -> Environment {
        Environment {
            program: Program::Codex("/opt/codex".into()),
            codex_home: Some("/codex".into()),
            env: vec![("API_KEY".into(), Some("sk-very-secret".into())), ("HTTP_PROXY".into(), None)],
            config: vec!["model=\"m\"".into()],
            bare: None,
            login: None,
        }
    }

    #[test]
    fn whoever_is_logged_in_otherwise_has_another_name() {
        let with = |login: Option<&str>| Environment { login: login.map(str::to_owned), ..environment() };
        let names = [None, Some("one"), Some("other")].map(|login| with(login).digest());
        assert!(names[0] != names[1] && names[1] != names[2] && names[0] != names[2], "{names:?}");
        assert_eq!(with(Some("one")).digest(), names[1]);
    }

    #[test]
    fn everything_of_it_reaches_the_launch_and_no_secret_is_debugged() {
        let environment = environment();
        let marker = Uuid::now_v7();
        let launch = environment.launch(marker, &FleetOptions::default());
        assert_eq!(launch.arguments, ["app-server", "-c", "model=\"m\""]);
        assert_eq!(launch.marker, marker);
        let value = |name: &str| launch.environment.iter().find(|(key, _)| key == name).unwrap().1.clone();
        assert_eq!(value("CODEX_HOME"), Some("/codex".into()));
        assert_eq!((value("API_KEY"), value("HTTP_PROXY")), (Some("sk-very-secret".into()), None));
        assert_eq!(value(OWNER), Some(Owner::this().to_string().into()));
        assert_eq!(value("SELVEDGE_TOKEN"), None, "the gateway's own door stays shut");
        assert!(!format!("{environment:?}").contains("sk-very-secret"));
    }

    #[test]
    fn a_bare_one_lives_elsewhere_and_has_its_databases_at_home() {
        let bare = Environment { bare: Some("/data/bare/one".into()), ..environment() };
        let launch = bare.launch(Uuid::now_v7(), &FleetOptions::default());
        let value = |name: &str| launch.environment.iter().rfind(|(key, _)| key == name).unwrap().1.clone();
        assert_eq!((value(HOME), value(DATABASES)), (Some("/data/bare/one".into()), Some("/codex".into())));
        assert_eq!(bare.home(), Some("/codex".into()), "starts take turns with all of that home");
        assert_ne!(bare.digest(), environment().digest());
    }

    #[test]
    fn its_home_is_what_codex_will_take_for_it() {
        let named = environment();
        assert_eq!(named.home(), Some("/codex".into()));
        let set = vec![(HOME.into(), Some("/elsewhere".into()))];
        assert_eq!(
            Environment { codex_home: None, env: set, ..environment() }.home(),
            Some("/elsewhere".into())
        );
        let removed = Environment { codex_home: None, env: vec![(HOME.into(), None)], ..environment() };
        assert_eq!(removed.home(), env::home_dir().map(|home| home.join(".codex")));
        let program = Program::Rehearsal { program: "/opt/stand-in".into(), arguments: Vec::new() };
        assert_eq!(Environment { program, ..named }.home(), None);
    }
}
