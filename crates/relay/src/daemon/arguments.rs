//! A daemon's command line: written by whoever starts it, read by the same program a moment later.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::{Error, Launch, Options, Place};

const LOG_STDIN: &str = "log-stdin";
const DIFF_STAT: &str = "diff-stat";
const AHEAD: &str = "ahead";
const IDLE: &str = "idle-ms=";
/// The next word is a name, the one after it a value.
const SIGN: &str = "sign";

/// What a daemon is to do.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) place: Place,
    pub(super) options: Options,
    pub(super) signs: Vec<(OsString, OsString)>,
    pub(super) command: Vec<OsString>,
}

/// `relay daemon STATE DIRECTORY [WORD …] -- COMMAND …`
pub(crate) fn written(launch: &Launch) -> Vec<OsString> {
    let Launch { place, options, command, signs, .. } = launch;
    let mut words: Vec<OsString> = vec!["relay".into(), "daemon".into()];
    words.extend([place.directory().into(), options.directory.clone().into_os_string()]);
    words.extend(options.log_stdin.then(|| LOG_STDIN.into()));
    words.extend(options.diff_stat.then(|| DIFF_STAT.into()));
    words.extend(options.ahead.then(|| AHEAD.into()));
    words.extend(options.idle.map(|idle| format!("{IDLE}{}", idle.as_millis()).into()));
    for (name, value) in signs {
        words.extend([SIGN.into(), name.clone(), value.clone()]);
    }
    words.push("--".into());
    words.extend(command.iter().cloned());
    words
}

/// Reads what stands after `relay daemon`.
pub(super) fn read(mut words: impl Iterator<Item = OsString>) -> Result<Task, Error> {
    let wrong =
        || Error::input("a relay's daemon is not started by hand", "`selvedge relay serve-attach` starts it");
    let state = words.next().ok_or_else(wrong)?;
    let directory = words.next().map(PathBuf::from).ok_or_else(wrong)?;
    let mut options = Options { directory, log_stdin: false, diff_stat: false, ahead: false, idle: None };
    let mut signs = Vec::new();
    loop {
        let word = words.next().ok_or_else(wrong)?;
        match word.to_str().ok_or_else(wrong)? {
            "--" => break,
            LOG_STDIN => options.log_stdin = true,
            DIFF_STAT => options.diff_stat = true,
            AHEAD => options.ahead = true,
            SIGN => signs.push((words.next().ok_or_else(wrong)?, words.next().ok_or_else(wrong)?)),
            other => {
                let milliseconds = other.strip_prefix(IDLE).and_then(|number| number.parse().ok());
                options.idle = Some(Duration::from_millis(milliseconds.ok_or_else(wrong)?));
            }
        }
    }
    Ok(Task { place: Place::at(Path::new(&state))?, options, signs, command: words.collect() })
}

#[cfg(test)]
mod tests {
    use std::{path::Path, time::Duration};

    use super::{read, written};
    use crate::{Launch, Options, Place};

    #[test]
    fn what_is_written_is_read() {
        for (log_stdin, diff_stat, ahead, idle) in [
            (true, false, false, None),
            (false, true, false, Some(Duration::from_millis(5))),
            (false, false, true, None),
            (true, true, true, None),
        ] {
            let options = Options { directory: "/srv/a b".into(), log_stdin, diff_stat, ahead, idle };
            let place = Place::at(Path::new("/state")).unwrap();
            let command = vec!["sh".into(), "-c".into(), "--".into(), "".into()];
            let (environment, signs) = (Vec::new(), vec![("NAME".into(), "a value --".into())]);
            let launch = Launch { program: "selvedge".into(), place, options, command, environment, signs };
            let words = written(&launch);
            assert_eq!(words[..2], ["relay", "daemon"]);
            let task = read(words.into_iter().skip(2)).unwrap();
            assert_eq!((task.place, task.options), (launch.place, launch.options));
            assert_eq!((task.command, task.signs), (launch.command, launch.signs));
        }
    }

    #[test]
    fn other_words_are_refused() {
        for words in [
            vec![],
            vec!["/state"],
            vec!["/state", "/srv"],
            vec!["/state", "/srv", "what", "--"],
            vec!["/state", "/srv", "sign", "a"],
        ] {
            assert!(read(words.into_iter().map(Into::into)).unwrap_err().wrong_input);
        }
    }
}
