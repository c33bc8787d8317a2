//! docs/errors.md is made from the code; this is what makes it, and what notices when it is old.

use std::{fmt::Write as _, fs, path::Path};

use selvedge_session::Code;

use crate::exit;

/// Set to anything, the page is written instead of compared.
const REFRESH: &str = "ERRORS_REFRESH";

const BEGINNING: &str = "\
# Errors

*Made from the code: `ERRORS_REFRESH=1 cargo test -p selvedge-cli errors_page` writes it anew.*

Errors go to stderr: what happened, then a line `hint: …` with what to do. The exit code says of which kind it is:

| exit code | meaning |
|---|---|
";

const CODES: &str = "
## Codes

Stable, for programs: in `error.code` of `message.finished` and `turn.completed`, in `code` of `session.warning`, and in
every refusal. New ones may come; none changes its meaning. `phase` says where it arose; the exit code is that of
`selvedge run` when a message fails with it, and of every command that is refused with it.

| code | phase | exit | what happened | what to do |
|---|---|---|---|---|
";

fn page() -> String {
    let mut page = BEGINNING.to_owned();
    for (code, meaning) in exit::MEANINGS {
        writeln!(page, "| {code} | {meaning} |").unwrap();
    }
    page.push_str(CODES);
    for code in Code::ALL {
        let phase = serde_json::to_value(code.phase()).unwrap();
        let (exit, message, hint) = (exit::of(*code), code.message(), code.hint());
        writeln!(page, "| `{code}` | {} | {exit} | {message} | {hint} |", phase.as_str().unwrap()).unwrap();
    }
    page
}

#[test]
fn the_page_says_what_the_code_does() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors.md");
    if std::env::var_os(REFRESH).is_some() {
        return fs::write(file, page()).unwrap();
    }
    let kept = fs::read_to_string(&file).unwrap_or_default();
    assert!(kept == page(), "docs/errors.md is old: {REFRESH}=1 writes it anew");
}

#[test]
fn each_exit_code_of_the_contract_is_used_and_explained() {
    let explained: Vec<u8> = exit::MEANINGS.iter().map(|(code, _)| *code).collect();
    assert_eq!(explained, [0, 1, 2, 3, 4, 5, 6, 124, 130]);
    for code in Code::ALL {
        assert!(explained.contains(&exit::of(*code)), "{code}");
    }
}
