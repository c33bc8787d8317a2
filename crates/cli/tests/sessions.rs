//! The commands on what the journal holds.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod stage;

use serde_json::{Value, json};
use stage::Stage;

fn short(id: &str) -> &str {
    &id[id.len() - 8..]
}

#[test]
fn sessions_are_listed_shown_forked_put_away_and_removed() {
    let stage = Stage::new();
    let none = stage.run(&["sessions"]);
    assert_eq!((none.code, none.stdout.as_str()), (Some(0), "no sessions yet; selvedge run makes one\n"));
    stage.run(&["run", "hello"]);
    let id = stage.session();

    let list = stage.run(&["sessions"]);
    let rows: Vec<_> = list.stdout.lines().collect();
    assert_eq!(rows.len(), 2, "{list:?}");
    let cells: Vec<_> = rows[1].split_whitespace().collect();
    assert_eq!(
        (cells[0], cells[1], cells[4], cells[5]),
        (short(&id), "idle", "940", "rehearsal"),
        "{list:?}"
    );

    let shown = stage.run(&["sessions", "show", short(&id)]);
    for part in [&id, "completed\n  > hello\n  Hello, you.\n"] {
        assert!(shown.stdout.contains(part), "{shown:?}");
    }

    let forked = stage.run(&["sessions", "fork", short(&id), "--json"]);
    let fork = forked.lines()[0]["id"].as_str().unwrap().to_owned();
    let went_on = stage.run(&["run", "hello", "--resume", &fork]);
    assert_eq!((went_on.code, went_on.stdout.as_str()), (Some(0), "Hello, you.\n"), "{went_on:?}");

    assert_eq!(stage.run(&["sessions", "archive", &fork]).code, Some(0));
    assert_eq!(stage.session(), id, "what is put away is not listed");
    assert_eq!(stage.run(&["sessions", "list", "--all", "--json"]).lines().len(), 2);
    assert_eq!(stage.run(&["sessions", "rm", &fork]).code, Some(0));
    assert_eq!(stage.run(&["sessions", "list", "--all", "--json"]).lines().len(), 1);
    assert_eq!(stage.run(&["sessions", "show", &fork]).code, Some(2));

    let kept = stage.run(&["sessions", "prune", "--older-than", "1"]);
    assert_eq!(kept.stdout, "0 sessions removed\n", "{kept:?}");
    let pruned = stage.run(&["sessions", "prune", "--older-than", "0", "--json"]);
    assert_eq!(pruned.lines()[0], json!({"removed": [id]}), "{pruned:?}");
}

#[test]
fn a_session_is_exported_as_events_or_as_a_page() {
    let stage = Stage::new();
    stage.run(&["run", "build it"]);
    let id = stage.session();
    let events = stage.run(&["export", short(&id)]).lines();
    assert_eq!(events[0]["type"], "session.created");
    assert!(events.iter().zip(1..).all(|(event, seq)| event["seq"] == seq));
    let page = stage.run(&["export", short(&id), "--dialect", "markdown"]);
    assert_eq!(page.code, Some(0));
    let work = stage.path("work").display().to_string();
    let page: Vec<_> = page.stdout.lines().filter(|line| !line.starts_with("- begun: ")).collect();
    let page = page.join("\n").replace(&id, "ID").replace(short(&id), "SHORT").replace(&work, "WORK");
    // How long the command took is not the same each time.
    let page = page.lines().map(|line| if line.starts_with("*failed, ") { "*failed, …*" } else { line });
    assert_eq!(page.collect::<Vec<_>>().join("\n"), PAGE);
    let other = stage.run(&["export", short(&id), "--dialect", "klingon"]);
    assert_eq!(other.code, Some(2));
    assert!(
        other.stderr.contains("there is no dialect `klingon`")
            && other.stderr.contains("hint: there are `events`, `markdown`, `companion`")
    );
}

#[test]
fn a_session_is_exported_in_the_languages_of_other_programs() {
    let stage = Stage::new();
    stage.run(&["run", "build it"]);
    let id = stage.session();
    let export = |dialect: &str| stage.run(&["export", short(&id), "--dialect", dialect]).lines();
    let companion = export("companion");
    assert_eq!(companion[0]["type"], "session_update");
    assert!(companion.iter().any(|message| message["type"] == "result" && message["seq"].is_u64()));
    assert!(export("yaar").iter().any(|message| message["type"] == "complete"));
    assert!(export("caic-seed").iter().any(|message| message["type"] == "result"));
    let log = export("caic");
    assert_eq!((&log[0]["type"], &log[0]["prompt"]), (&json!("caic_meta"), &json!("build it")));
    assert_eq!(log[1]["method"], "thread/started");
    let last = log.last().unwrap();
    assert_eq!((&last["type"], &last["num_turns"]), (&json!("caic_result"), &json!(1)));
}

#[test]
fn the_page_of_a_fork_has_what_it_took_over() {
    let stage = Stage::new();
    stage.run(&["run", "build it"]);
    let id = stage.session();
    let forked = stage.run(&["sessions", "fork", short(&id), "--json"]);
    let fork = forked.lines()[0]["id"].as_str().unwrap().to_owned();
    stage.run(&["run", "hello", "--resume", &fork]);
    stage.run(&["run", "said later", "--resume", &id]);
    let markdown = |id: &str| stage.run(&["export", id, "--dialect", "markdown"]).stdout;
    let page = markdown(&fork);
    let taken = format!("*Taken over from session `{}`:*", short(&id));
    let order = [taken.as_str(), "build it", "I'll build.", "---\n\n*Forked here.*", "## User\n\nhello"];
    let places: Vec<_> =
        order.iter().map(|part| page.find(part).unwrap_or_else(|| panic!("{part}: {page}"))).collect();
    assert!(places.is_sorted(), "{page}");
    assert!(!page.contains("said later"), "{page}");

    // Of a fork of the fork, both; and of one whose origin is gone, that it is.
    let again =
        stage.run(&["sessions", "fork", &fork, "--json"]).lines()[0]["id"].as_str().unwrap().to_owned();
    let page = markdown(&again);
    assert_eq!(page.matches("*Forked here.*").count(), 2, "{page}");
    assert!(page.find("build it") < page.find("## User\n\nhello"), "{page}");
    stage.run(&["sessions", "rm", &fork]);
    let page = markdown(&again);
    let gone = format!("*What was taken over from session `{}` was removed with it.*", short(&fork));
    assert!(page.contains(&gone) && !page.contains("build it"), "{page}");
}

const PAGE: &str = "# Session SHORT

- id: `ID`
- directory: `WORK`
- backend: rehearsal
- model: rehearsal

## User

build it

## Agent

I'll build.

```console
$ /bin/sh -c 'echo built; exit 3'
built
```

*failed, …*

`WORK/notes.md` (add, done):

```diff
+one
+two
```

It **failed**.

*completed, 330 tokens*";

#[test]
fn a_backup_is_a_journal_of_its_own() {
    let stage = Stage::new();
    stage.run(&["run", "hello"]);
    let id = stage.session();
    let other = stage.path("restored");
    std::fs::create_dir(&other).unwrap();
    let file = other.join("journal.db");
    let backup = stage.run(&["backup", file.to_str().unwrap()]);
    assert_eq!(backup.code, Some(0), "{backup:?}");
    let listed = stage.run(&["sessions", "list", "--json", "--data-dir", other.to_str().unwrap()]);
    assert_eq!(listed.lines()[0]["id"], Value::from(id));
    let again = stage.run(&["backup", file.to_str().unwrap()]);
    assert_eq!(again.code, Some(2), "nothing is overwritten: {again:?}");
}

#[test]
fn nothing_waits_for_an_answer_unless_codex_asks() {
    let stage = Stage::new();
    let list = stage.run(&["approvals"]);
    assert_eq!((list.code, list.stdout.as_str()), (Some(0), "nothing waits for an answer\n"));
    let accept = stage.run(&["approvals", "accept", "12345678"]);
    assert_eq!(accept.code, Some(2), "{accept:?}");
}

#[test]
fn attached_in_a_pipe_what_is_piped_is_said_and_its_end_awaited() {
    let stage = Stage::new();
    stage.run(&["run", "hello"]);
    let id = stage.session();
    let ran = stage.run_with_input(&["attach", short(&id)], "build it\n/nonsense\n");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for part in [
        "» hello (cli)\n",
        "Hello, you.\n",
        "» build it\n",
        "/nonsense? /interrupt",
        "It **failed**.\n(completed)\n",
    ] {
        assert!(ran.stdout.contains(part), "{part:?} in\n{}", ran.stdout);
    }
}

#[test]
fn the_doctor_says_what_is_wrong_and_what_to_do() {
    let stage = Stage::new();
    stage.run(&["run", "hello"]);
    let well = stage.run(&["doctor", "--json"]);
    assert_eq!((well.code, &well.lines()[0]["ok"]), (Some(0), &json!(true)), "{well:?}");
    let found = |name: &str| {
        let findings = well.lines()[0]["findings"].clone();
        findings.as_array().unwrap().iter().find(|finding| finding["name"] == name).unwrap().clone()
    };
    assert!(found("codex")["detail"].as_str().unwrap().starts_with("rehearsal: "));
    assert_eq!(found("journal")["state"], "good");
    let ill = stage.run(&["doctor", "--codex", "/no/such/codex"]);
    assert_eq!(ill.code, Some(3));
    assert!(
        ill.stdout.contains("✗ codex      there is no Codex at /no/such/codex\n             hint: "),
        "{}",
        ill.stdout
    );
}
