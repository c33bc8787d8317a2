//! What the description says is what is done: its words are taken, what it leaves out is refused, its links lead somewhere.

use hyper::Method;
use serde_json::{Value, json};

use crate::support::stage::Stage;

on_the_stand_in!(
    every_word_is_taken_and_shown,
    the_largest_number_is_taken,
    a_part_takes_no_field_that_is_not_described,
    a_change_of_nothing_needs_no_body,
);

fn described() -> Value {
    serde_json::to_value(selvedge_server::openapi()).unwrap()
}

fn schema<'a>(api: &'a Value, name: &str) -> &'a Value {
    api.pointer(&format!("/components/schemas/{name}")).unwrap_or_else(|| panic!("{name} is described"))
}

/// The words that a field may have; none, if it is not a choice.
fn words(api: &Value, field: &Value) -> Vec<Value> {
    let kinds = field["oneOf"].as_array().cloned().unwrap_or_else(|| vec![field.clone()]);
    let named =
        kinds.iter().filter_map(|kind| kind["$ref"].as_str()).filter_map(|name| api.pointer(&name[1..]));
    named.filter_map(|choice| choice["enum"].as_array()).flatten().cloned().collect()
}

async fn every_word_is_taken_and_shown(stage: Stage) {
    let api = described();
    let mut tried = 0;
    for (name, field) in schema(&api, "CreateSession")["properties"].as_object().unwrap() {
        for word in words(&api, field) {
            let made = stage.http.post("/v1/sessions", json!({"cwd": stage.work(""), name: word})).await;
            tried += 1;
            if (name.as_str(), word.as_str()) == ("backend", Some("codex")) && made.status == 503 {
                // It is taken; on a machine without Codex nobody can work on it.
                assert_eq!(made.problem(503), "codex_missing");
                continue;
            }
            let made = made.expect(201);
            let shown = if name == "backend" { &made[name]["kind"] } else { &made[name] };
            assert_eq!(*shown, word, "{name}");
        }
    }
    assert!(tried >= 20, "the choices were found: {tried}");
    stage.close().await;
}

async fn the_largest_number_is_taken(stage: Stage) {
    let made = stage.session(json!({"deadline_seconds": u64::MAX, "stall_seconds": u64::MAX})).await;
    let shown = stage.http.get(&format!("/v1/sessions/{made}")).await.expect(200);
    assert_eq!(shown["deadline_seconds"], u64::MAX);
    stage.close().await;
}

async fn a_part_takes_no_field_that_is_not_described(stage: Stage) {
    let api = described();
    for part in ["Content", "MessagePart"] {
        let kinds = schema(&api, part)["oneOf"].as_array().unwrap();
        assert!(kinds.len() > 1 && kinds.iter().all(|kind| kind["additionalProperties"] == false), "{part}");
    }
    let path = format!("/v1/sessions/{}/messages", stage.session(json!({})).await);
    let answer = stage.http.post(&path, json!({"input": [{"type": "text", "text": "a", "size": 1}]})).await;
    assert_eq!(answer.problem(400), "body_invalid");
    stage.close().await;
}

async fn a_change_of_nothing_needs_no_body(stage: Stage) {
    let api = described();
    assert_ne!(api["paths"]["/v1/sessions/{id}"]["patch"]["requestBody"]["required"], true);
    let path = format!("/v1/sessions/{}", stage.session(json!({"name": "a"})).await);
    let same = stage.http.ask(Method::PATCH, &path, None).await.expect(200);
    assert_eq!(same["name"], "a");
    stage.close().await;
}

/// Everything stands behind the same guard, which refuses whom it likes.
#[test]
fn every_address_may_refuse() {
    for (name, operation) in operations(&described()) {
        assert!(operation["responses"]["4XX"].is_object(), "{name}");
    }
}

#[test]
fn a_key_is_described_as_it_is_taken() {
    let api = described();
    let key = api.pointer("/paths/~1v1~1sessions/post/parameters/0").unwrap();
    assert_eq!((&key["name"], &key["in"]), (&json!("Idempotency-Key"), &json!("header")));
    assert!(key["schema"]["pattern"].is_string(), "it is ASCII: {key}");
}

#[test]
fn every_link_names_an_operation_and_its_parameters() {
    let operations = operations(&described());
    let parameters = |wanted: &Value| {
        let found = operations.iter().find(|(_, operation)| operation["operationId"] == *wanted);
        let (_, operation) = found.unwrap_or_else(|| panic!("{wanted} is an operation"));
        let parameters = operation["parameters"].as_array().unwrap().iter();
        let in_path = parameters.filter(|parameter| parameter["in"] == "path");
        in_path.map(|parameter| parameter["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let mut followed = 0;
    for (name, operation) in &operations {
        let responses = operation["responses"].as_object().unwrap().values();
        for link in
            responses.filter_map(|response| response["links"].as_object()).flat_map(|links| links.values())
        {
            let given: Vec<_> = link["parameters"].as_object().unwrap().keys().cloned().collect();
            assert_eq!(given, parameters(&link["operationId"]), "{name}");
            followed += 1;
        }
    }
    assert!(followed > 20, "{followed}");
}

fn operations(api: &Value) -> Vec<(String, Value)> {
    let paths = api["paths"].as_object().unwrap().iter();
    let of = |(path, methods): (&String, &Value)| {
        let methods = methods.as_object().unwrap().clone();
        let named = move |(method, operation), path: &str| (format!("{method} {path}"), operation);
        methods.into_iter().map(|each| named(each, path)).collect::<Vec<_>>()
    };
    paths.flat_map(of).collect()
}
