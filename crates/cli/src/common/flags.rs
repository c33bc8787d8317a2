//! Which flags stand on the command line that only the process they were given to can follow.

use clap::{ArgMatches, Args, Command, Error, FromArgMatches, parser::ValueSource};

/// By their names here, and as they are written.
const OF_A_PROCESS: [(&str, &str); 5] = [
    ("codex_home", "--codex-home"),
    ("codex_config", "--codex-config"),
    ("durability", "--durability"),
    ("scenario", "--scenario"),
    ("faults", "--faults"),
];

/// Flags that were given; what the environment or the file says is meant for whoever does the work.
#[derive(Debug, Clone, Default)]
pub(super) struct Flags(Vec<&'static str>);

impl Flags {
    pub(super) fn first(&self) -> Option<&'static str> {
        self.0.first().copied()
    }
}

impl FromArgMatches for Flags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = |name: &str| matches.value_source(name) == Some(ValueSource::CommandLine);
        let flags = OF_A_PROCESS.into_iter().filter(|(name, _)| given(name)).map(|(_, flag)| flag);
        // The stand-in can be had from every gateway; a path is a path of this machine.
        let codex = matches.get_raw("codex").and_then(|mut values| values.next());
        let path = (given("codex") && codex.is_some_and(|codex| codex != "rehearsal")).then_some("--codex");
        Ok(Self(flags.chain(path).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// It looks at arguments, and has none.
impl Args for Flags {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}
