//! The pages name every command, option and variable there is.

use std::{fs, path::Path};

use clap::CommandFactory;

use crate::Arguments;

fn page(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)).unwrap()
}

fn each_command(command: &clap::Command, name: &str, see: &mut impl FnMut(&str, &clap::Command)) {
    see(name, command);
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        each_command(inner, &format!("{name} {}", inner.get_name()), see);
    }
}

#[test]
fn every_command_option_and_variable_is_explained() {
    let (commands, options) = (page("cli.md"), page("configuration.md"));
    let mut missing = Vec::new();
    each_command(&Arguments::command(), "selvedge", &mut |name, command| {
        // The stand-ins have pages of their own.
        if name.starts_with("selvedge rehearse") || name == "selvedge" {
            return;
        }
        if !commands.contains(name) {
            missing.push(name.to_owned());
        }
        for argument in command.get_arguments() {
            let long = argument.get_long().map(|long| format!("--{long}"));
            let known = |long: &String| commands.contains(long) || options.contains(long);
            missing.extend(long.filter(|long| !known(long) && long != "--help" && long != "--version"));
            let variable = argument.get_env().map(|name| name.to_string_lossy().into_owned());
            missing.extend(variable.filter(|name| !options.contains(&format!("`{name}`"))));
        }
    });
    missing.sort();
    missing.dedup();
    assert!(missing.is_empty(), "not in docs/cli.md or docs/configuration.md: {missing:?}");
}

#[test]
fn the_file_that_is_shown_can_be_read_and_shows_the_defaults() {
    let text = page("configuration.md");
    let shown = text.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("selvedge.toml");
    fs::write(&file, shown).unwrap();
    let read = selvedge_runtime::Config::read(&file).unwrap();
    assert_eq!(read.prices.len(), 1);
    let defaults = selvedge_runtime::Config::default();
    let (prices, rehearsal) = (defaults.prices.clone(), defaults.rehearsal.clone());
    let gateway = selvedge_server::Settings::of(&read).unwrap();
    assert_eq!(gateway, selvedge_server::Settings::default());
    assert_eq!(read.agents.len(), 1);
    let (serve, gateway, agents) =
        (defaults.serve.clone(), defaults.gateway.clone(), defaults.agents.clone());
    assert_eq!(selvedge_runtime::Config { prices, rehearsal, serve, gateway, agents, ..read }, defaults);
}
