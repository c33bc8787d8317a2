//! The crate borders: each crate exists because of what it must not know, and this holds it to that.

mod graph;
mod table;

use graph::Graph;
use table::{BORDERS, Border};

/// Everything in which a crate is not what its row says.
fn trespasses(border: &Border, graph: &Graph) -> Vec<String> {
    let own = border.package;
    let direct = graph.workspace_dependencies(own);
    let unknown = direct.iter().filter(|name| !border.may_use.contains(&name.as_str()));
    let in_tests = graph.workspace_dev_dependencies(own);
    // A crate's tests may know it, with more of its features.
    let unknown_in_tests =
        in_tests.iter().filter(|name| *name != own && !border.tests_may_use.contains(&name.as_str()));
    let paths = border.never.iter().filter_map(|library| graph.path(own, library));
    unknown
        .map(|name| format!("{own} must not know {name}"))
        .chain(unknown_in_tests.map(|name| format!("the tests of {own} must not know {name}")))
        .chain(paths.map(|path| format!("must not be reached: {}", path.join(" → "))))
        .collect()
}

#[test]
fn no_crate_knows_what_it_must_not_know() -> cargo_metadata::Result<()> {
    let graph = Graph::of_this_workspace()?;
    let existing = BORDERS.iter().filter(|border| graph.has(border.package));
    let found: Vec<String> = existing.flat_map(|border| trespasses(border, &graph)).collect();
    assert!(found.is_empty(), "{}\n(the table is in xtask/tests/borders/table.rs)", found.join("\n"));
    Ok(())
}

#[test]
fn every_crate_has_a_row() -> cargo_metadata::Result<()> {
    let graph = Graph::of_this_workspace()?;
    let without = graph.members().filter(|name| BORDERS.iter().all(|border| border.package != *name));
    let without: Vec<&str> = without.collect();
    assert!(without.is_empty(), "say in xtask/tests/borders/table.rs what these must not know: {without:?}");
    Ok(())
}

#[test]
fn a_trespass_is_found_direct_in_tests_and_through_others() -> cargo_metadata::Result<()> {
    let client = Border { package: "selvedge-client", may_use: &[], tests_may_use: &[], never: &["mio"] };
    let found = trespasses(&client, &Graph::of_this_workspace()?);
    assert_eq!(
        found,
        [
            "selvedge-client must not know selvedge-protocol",
            "the tests of selvedge-client must not know selvedge-rehearsal",
            "must not be reached: selvedge-client → tokio → mio",
        ]
    );
    Ok(())
}
