//! Edited schemas of a few lines: what is found, and what of it concerns a program of a few lines.

use serde_json::{Value, json};

use super::difference::Subject;
use super::judge::Verdict;
use super::report::Report;
use super::sources::Source;
use super::surface::{Kind, Surface};
use super::weigh::{Nearness, Weighed};

/// A program that listens, asks, answers, and shows items in Codex's own words.
fn program() -> Vec<Source> {
    let runtime = r#"
        //! Nothing in a comment counts: "warning/raised", `Mood::Bad`.
        use selvedge_protocol::{calls, say::StartParams, see::{Mood, Notification, ServerRequest}};
        fn read(it: &Notification<'_>) -> Option<String> {
            match it {
                Notification::TurnStarted(it) if it.mood() == Some(Mood::Good) => it.note(),
                _ => None,
            }
        }
        fn ask(client: &Client) { client.call::<calls::TurnStart>(&StartParams { effort: None, ..StartParams::new("t") }) }
        fn answer(it: &ServerRequest<'_>) { if let ServerRequest::ItemAsk(_) = it {} }
        #[cfg(test)]
        mod tests { const UNUSED: &str = "warning/raised"; }
    "#
    .replace("        #[cfg(test)]\n        mod tests {", "#[cfg(test)]\nmod tests {");
    let page = r#"const shown = (item: Fields) => item["exitCode"] ?? item["note"]; // item["startedAt"]"#;
    let codes = r#"codes! { HttpFailed = "http_failed", Request; }"#;
    let sources = [
        ("crates/runtime/src/wire.rs", runtime.as_str()),
        ("ui/src/Item.tsx", page),
        ("crates/session/src/code.rs", codes),
    ];
    sources.map(|(path, text)| Source::new(path, text)).into()
}

fn method(name: &str, params: &str) -> Value {
    json!({"properties": {"method": {"enum": [name]}, "params": {"$ref": format!("#/definitions/v2/{params}")}}})
}

fn schema() -> Value {
    json!({"definitions": {
        "ServerNotification": {"oneOf": [method("turn/started", "TurnStarted"), method("warning/raised", "Warned")]},
        "ServerRequest": {"oneOf": [method("item/ask", "AskParams")]},
        "ClientRequest": {"oneOf": [method("turn/start", "StartParams"), method("odd/call", "OddParams")]},
        "v2": {
            "TurnStarted": {"type": "object", "required": ["threadId"], "properties": {
                "threadId": {"type": "string"}, "mood": {"$ref": "#/definitions/v2/Mood"},
                "error": {"$ref": "#/definitions/v2/TurnError"}, "note": {"type": "string"}, "unread": {"$ref": "#/definitions/v2/Weather"}}},
            "TurnError": {"type": "object", "properties": {"info": {"$ref": "#/definitions/v2/Cause"}}},
            "Cause": {"type": "string", "enum": ["httpFailed", "modelGone"]},
            "Warned": {"type": "object", "properties": {"text": {"type": "string"}}},
            "Mood": {"type": "string", "enum": ["good", "bad"]},
            "Weather": {"type": "string", "enum": ["sun", "rain"]},
            "AskParams": {"type": "object", "properties": {"reason": {"type": "string"}}},
            "StartParams": {"type": "object", "required": ["threadId"], "properties": {
                "threadId": {"type": "string"}, "effort": {"type": "string"}, "unsaid": {"type": "string"}}},
            "OddParams": {"type": "object", "properties": {"odd": {"type": "string"}}},
            "ThreadItem": {"oneOf": [{"type": "object", "required": ["type"], "properties": {
                "type": {"type": "string", "enum": ["commandExecution"]}, "exitCode": {"type": "integer"},
                "startedAt": {"type": "integer"}}}]},
        },
    }})
}

const CALLS: &str = "turn/start";

/// What is found when a Codex has changed by `edit`.
fn after(edit: impl FnOnce(&mut Value)) -> Vec<Weighed> {
    let mut edited = schema();
    edit(&mut edited["definitions"]);
    let read = |root: &Value| Surface::read(root, CALLS).unwrap();
    super::differences(&read(&schema()), &read(&edited), &program())
}

/// The one difference that an edit makes: sign and name, how near it is, and why.
fn one(edit: impl FnOnce(&mut Value)) -> (String, Nearness, &'static str) {
    let found = after(edit);
    let [Weighed { difference, nearness, why, .. }] = found.as_slice() else { panic!("{found:#?}") };
    let name = match &difference.subject {
        Subject::Method(_, name) | Subject::Form(name) => name.clone(),
        Subject::Field(owner, name) | Subject::Value(owner, name) => format!("{owner}.{name}"),
    };
    (format!("{}{name}", difference.sign()), *nearness, *why)
}

fn remove(list: &mut Value, at: usize) {
    list.as_array_mut().unwrap().remove(at);
}

fn push(list: &mut Value, one: Value) {
    list.as_array_mut().unwrap().push(one);
}

fn drop_field(definitions: &mut Value, owner: &str, name: &str) {
    definitions["v2"][owner]["properties"].as_object_mut().unwrap().remove(name).unwrap();
}

#[test]
fn the_same_codex_has_not_changed() {
    assert!(after(|_| {}).is_empty());
    assert!(after(|it| it["v2"]["TurnStarted"]["description"] = json!("in other words")).is_empty());
}

#[test]
fn a_method_that_went_concerns_whoever_named_it() {
    let found = one(|it| remove(&mut it["ServerNotification"]["oneOf"], 0));
    assert_eq!(found, ("-turn/started".into(), Nearness::Ours, "we listen to it"));
    let found = one(|it| remove(&mut it["ServerNotification"]["oneOf"], 1));
    assert_eq!(found, ("-warning/raised".into(), Nearness::Covered, ""), "in a comment and in a test only");
    let found = one(|it| remove(&mut it["ClientRequest"]["oneOf"], 0));
    assert_eq!(found, ("-turn/start".into(), Nearness::Ours, "we ask it"));
    let found = one(|it| remove(&mut it["ClientRequest"]["oneOf"], 1));
    assert_eq!(found, ("-odd/call".into(), Nearness::Far, ""), "nothing is generated for it");
    let found = one(|it| remove(&mut it["ServerRequest"]["oneOf"], 0));
    assert_eq!(found, ("-item/ask".into(), Nearness::Ours, "we answer it"));
}

#[test]
fn of_what_is_new_only_a_request_of_codex_concerns_us() {
    let found = one(|it| push(&mut it["ServerRequest"]["oneOf"], method("item/askMore", "AskParams")));
    assert_eq!(found, ("+item/askMore".into(), Nearness::Ours, "Codex asks it, and would be refused"));
    for union in ["ServerNotification", "ClientRequest"] {
        let (_, nearness, _) = one(|it| push(&mut it[union]["oneOf"], method("brand/new", "AskParams")));
        assert_eq!(nearness, Nearness::Far, "{union}");
    }
    let (_, nearness, _) = one(|it| it["v2"]["TurnStarted"]["properties"]["new"] = json!({"type": "string"}));
    assert_eq!(nearness, Nearness::Covered, "kept unread");
}

#[test]
fn a_field_that_went_concerns_whoever_read_or_said_it() {
    let found = one(|it| drop_field(it, "TurnStarted", "note"));
    assert_eq!(found, ("-TurnStarted.note".into(), Nearness::Ours, "we read it"));
    let found = one(|it| drop_field(it, "StartParams", "effort"));
    assert_eq!(found, ("-StartParams.effort".into(), Nearness::Ours, "we say it"));
    for (owner, name) in [("TurnStarted", "unread"), ("StartParams", "unsaid")] {
        let (_, nearness, _) = one(|it| drop_field(it, owner, name));
        assert_eq!(nearness, Nearness::Covered, "{name}");
    }
}

#[test]
fn a_field_of_another_type_concerns_whoever_uses_it() {
    let found = one(|it| it["v2"]["TurnStarted"]["properties"]["note"] = json!({"type": "integer"}));
    assert_eq!(found, ("~TurnStarted.note".into(), Nearness::Ours, "we read it"));
    // Said by `new`, and so never by its name.
    let found = one(|it| it["v2"]["StartParams"]["properties"]["threadId"] = json!({"type": "integer"}));
    assert_eq!(found, ("~StartParams.threadId".into(), Nearness::Ours, "we say it"));
}

#[test]
fn what_became_required_concerns_whoever_has_to_say_it_and_the_reverse_whoever_reads_it() {
    let found = one(|it| push(&mut it["v2"]["StartParams"]["required"], json!("unsaid")));
    assert_eq!(found, ("~StartParams.unsaid".into(), Nearness::Ours, "required, and we do not say it"));
    let (_, nearness, _) = one(|it| push(&mut it["v2"]["TurnStarted"]["required"], json!("note")));
    assert_eq!(nearness, Nearness::Covered, "what we read is only more certain");
    let found = one(|it| it["v2"]["TurnStarted"]["required"] = json!([]));
    assert_eq!(found.0, "~TurnStarted.threadId");
    let (_, nearness, _) = one(|it| it["v2"]["StartParams"]["required"] = json!([]));
    assert_eq!(nearness, Nearness::Covered, "we may go on saying it");
}

#[test]
fn a_new_value_concerns_whoever_tells_the_old_ones_apart() {
    let found = one(|it| push(&mut it["v2"]["Mood"]["enum"], json!("odd")));
    assert_eq!(found, ("+Mood.odd".into(), Nearness::Ours, "we tell its values apart"));
    let (_, nearness, _) = one(|it| push(&mut it["v2"]["Weather"]["enum"], json!("snow")));
    assert_eq!(nearness, Nearness::Covered);
    let found = one(|it| remove(&mut it["v2"]["Mood"]["enum"], 0));
    assert_eq!(found, ("-Mood.good".into(), Nearness::Ours, "we know it"));
    let (_, nearness, _) = one(|it| remove(&mut it["v2"]["Mood"]["enum"], 1));
    assert_eq!(nearness, Nearness::Covered, "`bad` is in a comment only");
}

#[test]
fn what_is_passed_on_is_read_by_its_name_on_the_wire() {
    let item = |it: &mut Value, name: &str| {
        let properties = it["v2"]["ThreadItem"]["oneOf"][0]["properties"].as_object_mut().unwrap();
        properties.remove(name).unwrap();
    };
    let found = after(|it| item(it, "exitCode"));
    assert_eq!(
        (found[0].nearness, found[0].places.as_slice()),
        (Nearness::Ours, &["ui/src/Item.tsx".to_owned()][..])
    );
    assert_ne!(after(|it| item(it, "startedAt"))[0].nearness, Nearness::Ours, "in a comment only");
}

#[test]
fn codex_s_errors_are_known_as_our_codes_spell_them() {
    let found = one(|it| remove(&mut it["v2"]["Cause"]["enum"], 0));
    assert_eq!(found, ("-Cause.httpFailed".into(), Nearness::Ours, "we know it"));
    let found = one(|it| push(&mut it["v2"]["Cause"]["enum"], json!("badWeather")));
    assert_eq!(found, ("+Cause.badWeather".into(), Nearness::Ours, "we tell its values apart"));
}

#[test]
fn parameters_under_another_name_are_compared_all_the_same() {
    let found = after(|it| {
        it["v2"]["BeginParams"] = it["v2"]["StartParams"].clone();
        drop_field(it, "BeginParams", "effort");
        it["ClientRequest"]["oneOf"][0] = method("turn/start", "BeginParams");
    });
    let subjects: Vec<_> = found.iter().map(|it| it.difference.subject.clone()).collect();
    assert_eq!(subjects, [Subject::Field("BeginParams".into(), "effort".into())]);
}

#[test]
fn an_old_definition_and_a_new_one_of_the_same_name_are_two() {
    let with_old = |old: &str| {
        let mut root = schema();
        root["definitions"]["Mood"] = json!({"type": "string", "enum": [old]});
        root["definitions"]["Old"] =
            json!({"type": "object", "properties": {"mood": {"$ref": "#/definitions/Mood"}}});
        Surface::read(&root, CALLS).unwrap()
    };
    let found = super::differences(&with_old("sad"), &with_old("glad"), &program());
    let subjects: Vec<_> = found.iter().map(|it| it.difference.subject.clone()).collect();
    let value = |word: &str| Subject::Value("LegacyMood".into(), word.into());
    assert_eq!(subjects, [value("glad"), value("sad")]);
}

fn report(edit: impl FnOnce(&mut Value), judge: Verdict) -> Report {
    let mut edited = schema();
    edit(&mut edited["definitions"]);
    let unreadable = Surface::read(&edited, CALLS).unwrap().unreadable;
    Report {
        was: "1.0.0".into(),
        is: "2.0.0".into(),
        differences: after(|it| *it = edited["definitions"].clone()),
        unreadable,
        judge,
    }
}

#[test]
fn the_report_fails_for_what_concerns_us_and_for_the_judge_only() {
    let failed = Verdict::Failed { cases: vec!["steer".into()] };
    let harmless = |it: &mut Value| it["v2"]["TurnStarted"]["properties"]["new"] = json!({"type": "string"});
    assert!(super::judge_report(&report(harmless, Verdict::Passed)).is_ok());
    let error = super::judge_report(&report(harmless, failed)).unwrap_err().to_string();
    assert!(error.starts_with("the judge does not pass on Codex 2.0.0\n  hint: "), "{error}");
    let error = super::judge_report(&report(|it| drop_field(it, "TurnStarted", "note"), Verdict::NotAsked));
    assert!(
        error
            .unwrap_err()
            .to_string()
            .starts_with("Codex 2.0.0 differs from 1.0.0 in what concerns us (differences: 1)")
    );
}

#[test]
fn a_definition_that_the_generator_cannot_read_is_reported_and_the_rest_compared() {
    let found = report(
        |it| {
            it["v2"]["Strange"] =
                json!({"type": "object", "properties": {"it": {"$ref": "#/definitions/v2/Nowhere"}}});
            drop_field(it, "TurnStarted", "note");
        },
        Verdict::NotAsked,
    );
    assert_eq!(
        (found.unreadable.as_slice(), found.concerning()),
        (&["nothing is called Nowhere".to_owned()][..], 2)
    );
}

#[test]
fn people_read_what_concerns_them_first_and_programs_read_json() {
    let report = report(
        |it| {
            drop_field(it, "TurnStarted", "note");
            push(&mut it["v2"]["Weather"]["enum"], json!("snow"));
            push(&mut it["ServerNotification"]["oneOf"], method("brand/new", "Warned"));
        },
        Verdict::Failed { cases: vec!["steer".into()] },
    );
    let text = "Codex 1.0.0 → 2.0.0\n\n\
        What concerns us: what the program reads or says: 1\n  TurnStarted\n    - note: optional text\n        \
        we read it: crates/runtime/src/wire.rs\n\n\
        Covered by our types, and not used by the program: 1\n  Weather: +snow\n\n\
        The rest: 1\n  notifications: +brand/new\n\n\
        The judge: FAILED\n  steer\n";
    assert_eq!(report.text(), text);
    let json: Value = serde_json::from_str(&report.json().unwrap()).unwrap();
    assert_eq!(
        (&json["from"], &json["to"], &json["concerning"]),
        (&json!("1.0.0"), &json!("2.0.0"), &json!(1))
    );
    assert_eq!(json["judge"], json!({"verdict": "failed", "cases": ["steer"]}));
    let rows = json["differences"].as_array().unwrap();
    let row = rows.iter().find(|row| row["nearness"] == "ours").unwrap();
    let expected = json!({"nearness": "ours", "change": "removed", "kind": "field", "of": "TurnStarted", "name": "note",
        "was": "optional text", "why": "we read it", "places": ["crates/runtime/src/wire.rs"]});
    assert_eq!(*row, expected);
}

/// Held to the tree itself: a rule that finds nothing there would call every drift harmless.
#[test]
fn the_program_is_found_to_use_what_it_lives_by() {
    let sources = super::sources::of_the_program().unwrap();
    let naming = |kind, name: &str| {
        let method =
            super::surface::Method { kind, name: name.into(), params: None, reply: None, generated: true };
        super::usage::names_method_anywhere(&sources, &method)
    };
    assert!(naming(Kind::Notification, "turn/completed"));
    assert!(naming(Kind::Request, "turn/start"));
    assert!(naming(Kind::Ask, "item/commandExecution/requestApproval"));
    assert!(!naming(Kind::Notification, "thread/realtime/sdp"));
}
