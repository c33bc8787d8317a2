//! `cargo xtask codegen`: the types of the `protocol` crate, from the schema that the installed Codex prints.

mod areas;
pub(crate) mod classify;
mod emit_calls;
mod emit_say;
mod emit_see;
pub(crate) mod methods;
pub(crate) mod model;
pub(crate) mod names;
mod output;
pub(crate) mod schema;
mod unions;

use std::{
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
};

use areas::Area;
use methods::Methods;
use model::Model;
use output::{Files, head};
use schema::Schema;

use crate::{tool::Tool, workspace};

/// Generates from what `codex` prints; `check` compares instead of writing.
pub(crate) fn run(check: bool, codex: &Path) -> Result<(), String> {
    let protocol = workspace::root().join("crates/protocol");
    let scratch = tempfile::tempdir().map_err(|error| format!("cannot make a temporary folder: {error}"))?;
    let version = print_schema(codex, scratch.path())?;
    let schema = Schema::load(scratch.path())?;
    let calls = picked_calls()?;
    let files = output::format(&generate(&schema, &calls, &version)?)?;
    let folder = protocol.join("src/generated");
    if check { output::compare(&folder, &files) } else { output::write(&folder, &files) }
}

/// Lets Codex print the schema of its protocol into `folder`, and gives its version.
pub(crate) fn print_schema(codex: &Path, folder: &Path) -> Result<String, String> {
    let version = ask(codex, &["--version".as_ref()], folder)?;
    let version = version.split_whitespace().next_back().unwrap_or("of an unknown version").to_owned();
    let print = ["app-server", "generate-json-schema"].map(OsStr::new);
    // 0.72 prints all it has, and does not know the word.
    let help = ask(codex, &[&print[..], &["--help".as_ref()]].concat(), folder)?;
    let all = help.contains("--experimental").then_some(OsStr::new("--experimental"));
    let into = [OsStr::new("--out"), folder.as_os_str()];
    ask(codex, &print.into_iter().chain(all).chain(into).collect::<Vec<_>>(), folder)?;
    Ok(version)
}

/// The text of `calls.txt`: the calls that types are made for.
pub(crate) fn picked_calls() -> Result<String, String> {
    let path = workspace::root().join("crates/protocol/calls.txt");
    fs::read_to_string(path).map_err(|error| format!("calls.txt: {error}"))
}

/// Runs Codex with an empty home, and gives what it printed.
fn ask(codex: &Path, args: &[&OsStr], home: &Path) -> Result<String, String> {
    let home = [("CODEX_HOME".to_owned(), OsString::from(home))];
    let printed = Tool::new(codex).args(args).envs(&home).output().map_err(|failure| failure.to_string())?;
    String::from_utf8(printed).map_err(|error| error.to_string())
}

fn generate(schema: &Schema, calls: &str, version: &str) -> Result<Files, String> {
    let model = classify::classify(schema)?;
    let methods = Methods::collect(schema, calls)?;
    let mut files = Files::new();
    let view =
        |name: &str| Ok(model.get(name).map(|it| emit_see::view(&model, name, it)).unwrap_or_default());
    let mut see = side(&model, &areas::seen(&methods), view)?;
    see.push(("messages", "Every message by its method.", emit_calls::messages(&model, &methods)));
    let say_one =
        |name: &str| model.get(name).map_or(Ok(String::new()), |it| emit_say::sent(&model, name, it));
    let say = side(&model, &areas::said(&methods), say_one)?;
    put(&mut files, version, ("see", "What Codex says, as views of the raw text.", "view_macros"), see);
    put(&mut files, version, ("say", "What can be said to Codex: owned, and serialised.", "say_macros"), say);
    let uses = "use serde_json::value::RawValue;\n\nuse crate::{call::Call, say, see, touch::{Seen, touch_reply}};\n\n";
    let text =
        [&head(version, "One unit type per call that we make."), uses, &emit_calls::calls(&methods.calls)]
            .concat();
    files.insert("calls.rs".into(), text);
    let uses = "use crate::{call::ServerCall, say, see};\n\n";
    let text =
        [&head(version, "One unit type per request of Codex."), uses, &emit_calls::asks(&methods.asks)]
            .concat();
    files.insert("asks.rs".into(), text);
    Ok(files)
}

/// Name, doc and text of a generated file.
type Part = (&'static str, &'static str, String);

/// The files of one direction.
fn side(
    model: &Model,
    areas: &[Area],
    emit: impl Fn(&str) -> Result<String, String>,
) -> Result<Vec<Part>, String> {
    let placed = areas::place(model, areas);
    let part = |(area, names): (&Area, Vec<String>)| {
        let text = names.iter().map(|name| emit(name)).collect::<Result<String, String>>()?;
        Ok((area.file, area.doc, text))
    };
    areas.iter().zip(placed).map(part).collect()
}

/// Adds a module and its files.
fn put(files: &mut Files, version: &str, (module, doc, macros): (&str, &str, &str), parts: Vec<Part>) {
    let mut index = head(version, doc);
    for (name, _, _) in &parts {
        index.push_str(&format!("mod {name};\n"));
    }
    for (name, _, _) in &parts {
        index.push_str(&format!("pub use {name}::*;\n"));
    }
    files.insert(PathBuf::from(format!("{module}.rs")), index);
    for (name, doc, text) in parts {
        let uses = format!("use crate::{macros}::prelude::*;\n\n");
        files.insert(format!("{module}/{name}.rs").into(), [head(version, doc), uses, text].concat());
    }
}

#[cfg(test)]
mod tests;
