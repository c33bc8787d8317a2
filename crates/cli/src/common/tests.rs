//! What beats what.

use std::fs;

use clap::Parser;

use super::*;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    common: Common,
}

/// Parsed without the environment of whoever runs the tests: clap reads it, so nothing of ours may be set there.
fn parsed(words: &[&str]) -> Common {
    Line::try_parse_from([&["selvedge"], words].concat()).unwrap().common
}

#[test]
fn what_is_said_at_the_command_line_beats_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let text =
        "codex = \"/from/file\"\nmodel = \"from-file\"\nsandbox = \"read-only\"\ncodex_config = [\"a=1\"]\n";
    fs::write(folder.path().join("selvedge.toml"), text).unwrap();
    type Case<'a> = (&'a [&'a str], &'a str, &'a str, Option<Sandbox>, &'a [&'a str]);
    let cases: &[Case<'_>] = &[
        (&[], "/from/file", "from-file", Some(Sandbox::ReadOnly), &["a=1"]),
        (&["--model", "said"], "/from/file", "said", Some(Sandbox::ReadOnly), &["a=1"]),
        (
            &["--codex", "rehearsal", "--sandbox", "workspace-write", "--codex-config", "a=2"],
            "rehearsal",
            "from-file",
            Some(Sandbox::WorkspaceWrite),
            &["a=1", "a=2"],
        ),
    ];
    for (words, codex, model, sandbox, config) in cases {
        let read = parsed(&[&["--data-dir", data], *words].concat()).config().unwrap();
        assert_eq!(read.codex.as_deref(), Some(Path::new(codex)), "{words:?}");
        assert_eq!(read.model.as_deref(), Some(*model), "{words:?}");
        assert_eq!(
            (read.sandbox, read.codex_config.as_slice()),
            (*sandbox, &config.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()[..]),
            "{words:?}"
        );
        assert_eq!(read.data_dir, folder.path());
    }
}

#[test]
fn a_named_configuration_may_say_where_the_data_lies() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.toml");
    fs::write(&file, "data_dir = \"/somewhere/else\"\n").unwrap();
    let file = file.to_str().unwrap();
    assert_eq!(parsed(&["--config", file]).config().unwrap().data_dir, Path::new("/somewhere/else"));
    let said = parsed(&["--config", file, "--data-dir", "/said"]).config().unwrap();
    assert_eq!(said.data_dir, Path::new("/said"));
}

#[test]
fn what_cannot_be_used_is_refused_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let missing = parsed(&["--config", "/no/such.toml"]).config().unwrap_err();
    assert_eq!(missing.told().0, 2);
    let file = folder.path().join("selvedge.toml");
    fs::write(&file, "\nmodle = \"x\"\n").unwrap();
    let wrong = parsed(&["--config", file.to_str().unwrap()]).config().unwrap_err();
    assert!(wrong.told().1.contains("modle") && wrong.told().1.contains("hint: look at line 2"), "{wrong:?}");
    let nowhere = Common::directory(&parsed(&["--cwd", "/no/such"]).config().unwrap()).unwrap_err();
    assert!(nowhere.told().1.contains("hint: name another with --cwd"), "{nowhere:?}");
    assert!(Line::try_parse_from(["selvedge", "--sandbox", "none"]).is_err());
}
