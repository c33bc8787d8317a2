//! `selvedge rehearse model` as a person or a script meets it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    io::{BufRead, BufReader},
    process::{Command, Output, Stdio},
};

#[expect(clippy::disallowed_methods, reason = "the test waits for it, or ends it")]
fn selvedge(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    command
        .args(["rehearse", "model"])
        .args(arguments)
        .env_remove("SELVEDGE_LISTEN")
        .env_remove("SELVEDGE_SCENARIO");
    command
}

fn refused(arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = selvedge(arguments).output().unwrap();
    assert_eq!((status.code(), stdout.len()), (Some(2), 0));
    String::from_utf8(stderr).unwrap()
}

#[test]
fn bad_input_is_refused_with_a_hint() {
    let other_machine = refused(&["--listen", "0.0.0.0:0"]);
    assert!(
        other_machine.starts_with("error: 0.0.0.0:0 is not a loopback address\nhint: "),
        "{other_machine}"
    );
    let no_file = refused(&["--listen", "127.0.0.1:0", "--scenario", "no/such.toml"]);
    assert!(no_file.starts_with("error: cannot read the scenario no/such.toml"), "{no_file}");
    assert!(no_file.contains("\nhint: "), "{no_file}");
}

#[test]
fn the_address_and_a_configuration_for_it_are_printed() {
    let mut child = selvedge(&["--listen", "127.0.0.1:0"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let first = lines.next().unwrap();
    let address =
        first.strip_prefix("listening on ").and_then(|rest| rest.split(' ').next()).unwrap().to_owned();
    assert!(first.ends_with("(scenario: demonstration)"), "{first}");
    let key = "model_providers.rehearsal.base_url";
    assert!(lines.any(|line| line == format!("{key} = \"{address}\"")));
    assert!(
        lines.any(|line| line.starts_with("codex ") && line.contains(&format!("-c '{key}=\"{address}\"'")))
    );
    child.kill().unwrap();
    child.wait().unwrap();
}
