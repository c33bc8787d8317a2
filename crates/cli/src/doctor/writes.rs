//! What Selvedge and Codex write on this machine, so that nobody is surprised.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use selvedge_runtime::Config;

use super::finding::Finding;

/// What Codex's sandbox makes where it runs, and leaves if a command is cut short.
const LEFT_BEHIND: [&str; 4] = [".git", ".codex", ".agents", ".aws"];

pub(super) fn look(config: &Config, here: &Path) -> Vec<Finding> {
    let own = format!("Selvedge writes only into {}", config.data_dir.display());
    let mut findings = vec![Finding::note("writes", own)];
    if config.is_rehearsal() {
        return findings;
    }
    if let Some(home) = codex_home(config) {
        findings.extend(trust(&home));
        findings.extend(rules(&home));
    }
    findings.extend(empty_directories(here));
    findings
}

fn codex_home(config: &Config) -> Option<PathBuf> {
    let named = config.codex_home.clone().or_else(|| env::var_os("CODEX_HOME").map(PathBuf::from));
    named.or_else(|| env::home_dir().map(|home| home.join(".codex")))
}

/// Codex notes for directories it works in that they are trusted.
fn trust(home: &Path) -> Option<Finding> {
    let file = home.join("config.toml");
    let text = fs::read_to_string(&file).ok()?;
    let trusted = text.lines().filter(|line| line.trim_start().starts_with("trust_level")).count();
    (trusted > 0).then(|| {
        let detail = format!("Codex has noted the trust of {trusted} directories in {}", file.display());
        Finding::note("trust", detail).hint("its [projects.…] tables can be edited or removed")
    })
}

/// A command that was allowed for good is a rule, and outlives every session.
fn rules(home: &Path) -> Option<Finding> {
    let folder = home.join("rules");
    let files = fs::read_dir(&folder).ok()?.flatten();
    let texts = files.filter_map(|entry| fs::read_to_string(entry.path()).ok());
    let is_rule = |line: &&str| line.trim_start().starts_with("prefix_rule");
    let rules: usize = texts.map(|text| text.lines().filter(is_rule).count()).sum();
    (rules > 0).then(|| {
        let detail = format!("{rules} commands are allowed for good by the files in {}", folder.display());
        Finding::careful("rules", detail).hint("read them; what is removed there is asked about again")
    })
}

fn empty_directories(here: &Path) -> Option<Finding> {
    let is_empty = |path: &PathBuf| fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
    let paths = LEFT_BEHIND.iter().map(|name| here.join(name)).filter(is_empty);
    let empty: Vec<String> = paths.map(|path| path.display().to_string()).collect();
    (!empty.is_empty()).then(|| {
        let empty = empty.join(" ");
        Finding::careful("sandbox", format!("Codex's sandbox left empty directories: {empty}"))
            .hint(format!("rmdir {empty}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_codex_left_is_found_and_named_with_its_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let (home, here) = (folder.path().join("home"), folder.path().join("here"));
        fs::create_dir_all(home.join("rules")).unwrap();
        fs::create_dir_all(here.join(".codex")).unwrap();
        fs::create_dir_all(here.join(".git/objects")).unwrap();
        fs::write(home.join("config.toml"), "[projects.\"/a\"]\ntrust_level = \"trusted\"\n").unwrap();
        let rule = "prefix_rule(pattern=[\"touch\"], decision=\"allow\")\n";
        fs::write(home.join("rules/default.rules"), rule).unwrap();
        let config = Config { codex_home: Some(home), ..Config::new("/data") };
        let findings = look(&config, &here);
        let names: Vec<_> = findings.iter().map(|finding| finding.name).collect();
        assert_eq!(names, ["writes", "trust", "rules", "sandbox"]);
        assert!(findings[1].detail.contains("1 directories") && findings[2].detail.contains("1 commands"));
        let remedy = findings[3].hint.as_deref().unwrap();
        assert!(remedy.ends_with("/here/.codex") && !remedy.contains(".git"), "{remedy}");
    }
}
