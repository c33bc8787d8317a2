//! What the operator's own configuration says of how files are compared and which are ignored. It is theirs, so it is
//! believed; filters and other programs in it are not taken, because they would be led by files that an agent wrote.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

use super::{asking, settings::Settings};

/// It changes rarely: it is asked for once in the life of a program.
static KNOWN: OnceLock<Operator> = OnceLock::new();
const WANTED: &str = r"^core\.(precomposeunicode|trustctime|autocrlf|eol|checkstat|excludesfile)$";

/// What was found there.
#[derive(Debug, Default)]
pub struct Operator {
    pub(super) settings: Settings,
    pub(super) ignored: Option<PathBuf>,
}

impl Operator {
    /// What is known.
    #[must_use]
    pub fn known() -> Option<&'static Self> {
        KNOWN.get()
    }

    /// What git has to be asked for it.
    #[must_use]
    pub fn question() -> Command {
        let mut git = asking::operators_git();
        git.args(["config", "--includes", "-z", "--get-regexp", WANTED]);
        git
    }

    /// What git answered; nothing, if it says none of that.
    pub fn learn(said: &[u8]) -> &'static Self {
        KNOWN.get_or_init(|| Self::read(said, |name| env::var_os(name).map(PathBuf::from)))
    }

    pub(super) fn read(said: &[u8], variable: impl Fn(&str) -> Option<PathBuf>) -> Self {
        let home = variable("HOME");
        let named = said.split(|byte| *byte == 0).filter_map(|entry| str::from_utf8(entry).ok());
        let named = named.filter_map(|entry| entry.strip_prefix("core.excludesfile\n")).next_back();
        let named = named.map(|path| match (path.strip_prefix("~/"), &home) {
            (Some(inside), Some(home)) => home.join(inside),
            _ => PathBuf::from(path),
        });
        let usual = || {
            let settings = variable("XDG_CONFIG_HOME").or_else(|| Some(home.as_ref()?.join(".config")));
            settings.map(|settings| settings.join("git/ignore"))
        };
        let ignored = named.or_else(usual).filter(|path| Path::is_absolute(path));
        Self { settings: Settings::read(said), ignored }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ignored(said: &str, variables: &[(&str, &str)]) -> Option<String> {
        let variable = |name: &str| Some(variables.iter().find(|it| it.0 == name)?.1.into());
        Some(Operator::read(said.as_bytes(), variable).ignored?.to_str()?.to_owned())
    }

    #[test]
    fn what_its_user_ignores_everywhere_is_found_where_git_finds_it() {
        let home = ("HOME", "/at-home");
        assert_eq!(ignored("", &[home]).as_deref(), Some("/at-home/.config/git/ignore"));
        assert_eq!(ignored("", &[home, ("XDG_CONFIG_HOME", "/x")]).as_deref(), Some("/x/git/ignore"));
        let said = "core.eol\nlf\0core.excludesfile\n/first\0core.excludesfile\n~/own\0";
        assert_eq!(ignored(said, &[home]).as_deref(), Some("/at-home/own"));
        assert_eq!(ignored("core.excludesfile\nrelative\0", &[home]), None);
        assert_eq!(ignored("", &[]), None);
    }
}
