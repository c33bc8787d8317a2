//! Which place is meant, and which token goes there.

use clap::Parser;

use super::*;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    reach: Reach,
}

const NOBODY: &str = "/no/such/data";

/// Parsed without the environment of whoever runs the tests: clap reads it, so nothing of ours may be set there.
fn parsed(words: &[&str]) -> Reach {
    Line::try_parse_from([&["selvedge", "--data-dir", NOBODY], words].concat()).unwrap().reach
}

fn config(gateway: &str) -> Config {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("selvedge.toml");
    std::fs::write(&file, format!("data_dir = '{NOBODY}'\n[gateway]\n{gateway}")).unwrap();
    Config::read(&file).unwrap()
}

/// The address, and the token that would go there.
fn chosen(words: &[&str], gateway: &str) -> Option<(String, Option<String>)> {
    match parsed(words).choose(&config(gateway)).unwrap() {
        Chosen::Here => None,
        Chosen::There(target) => {
            let token = target.token.map(|token| token.reveal().to_owned());
            Some((target.address.to_string(), token))
        }
    }
}

#[test]
fn a_flag_beats_the_file_and_a_token_goes_only_to_whom_it_was_meant_for() {
    let there = |address: &str, token: Option<&str>| Some((address.to_owned(), token.map(str::to_owned)));
    let file = "url = 'http://file'\ntoken = 'of the file'\n";
    let named = ["--gateway", "http://flag/"];
    assert_eq!(chosen(&[], ""), None);
    assert_eq!(chosen(&[], file), there("http://file", Some("of the file")));
    assert_eq!(chosen(&["--token", "said"], file), there("http://file", Some("said")));
    assert_eq!(chosen(&named, file), there("http://flag", None), "not the file's token");
    assert_eq!(chosen(&["--local"], file), None);
    assert_eq!(chosen(&[], "local = true\n"), None);
    assert_eq!(chosen(&named, "local = true\n"), there("http://flag", None));
}

#[test]
fn of_a_flag_and_a_variable_the_flag_counts() {
    let both = Reach { gateway: Some("http://x".into()), local: true, ..Reach::default() };
    let said = |set: &'static [(&'static str, &'static str)]| {
        let variable = move |name: &str| set.iter().find(|it| it.0 == name).map(|it| it.1.to_owned());
        both.said(variable).map_err(|failure| failure.told().0)
    };
    assert_eq!(said(&[("SELVEDGE_LOCAL", "1")]), Ok(Said::Gateway("http://x")));
    assert_eq!(said(&[("SELVEDGE_GATEWAY", "http://x")]), Ok(Said::Local));
    assert_eq!(said(&[("SELVEDGE_GATEWAY", "http://other")]), Err(2), "two flags");
    assert_eq!(said(&[("SELVEDGE_GATEWAY", "http://x"), ("SELVEDGE_LOCAL", "1")]), Err(2), "two variables");
}

#[test]
fn what_cannot_be_meant_is_refused_without_showing_a_token() {
    for (words, file, told) in [
        (&["--gateway", "127.0.0.1:7433"][..], "", "write it in full"),
        (&["--gateway", "ftp://x"], "", "http"),
        (&["--gateway", "http://x/?token=hush"], "", "SELVEDGE_TOKEN"),
        (&["--gateway", "http://hush@x"], "", "SELVEDGE_TOKEN"),
        (&[], "token = 'hush'\n", "url"),
        (&[], "token = 4711\n", "gateway.token"),
        (&[], "adress = 'x'\n", "adress"),
        (&["--gateway", "http://x", "--faults", "kill"], "", "--faults"),
        (&["--gateway", "http://x", "--codex", "/opt/codex"], "", "--codex"),
    ] {
        let failure = parsed(words).choose(&config(file)).unwrap_err();
        let (code, text) = failure.told();
        assert_eq!(code, 2, "{text}");
        assert!(text.contains(told) && text.contains("\nhint: "), "{words:?} {file:?}: {text}");
        assert!(!text.contains("hush") && !text.contains("4711"), "{text}");
    }
}
