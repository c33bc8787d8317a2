//! The description of the API is the one that is committed, and holds together.

use std::{env, fs};

use serde_json::Value;

use crate::support::stage::Stage;

const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");

on_the_stand_in!(it_is_served);

async fn it_is_served(stage: Stage) {
    let served = stage.http.get("/openapi.json").await.expect(200);
    assert_eq!(served, serde_json::to_value(selvedge_server::openapi()).unwrap());
    assert_eq!(served["openapi"], "3.1.0");
    stage.close().await;
}

#[test]
fn it_is_the_committed_one() {
    let made = selvedge_server::openapi().to_pretty_json().unwrap() + "\n";
    if env::var_os("OPENAPI_REFRESH").is_some() {
        fs::write(COMMITTED, &made).unwrap();
    }
    let committed = fs::read_to_string(COMMITTED).unwrap_or_default();
    assert!(made == committed, "docs/openapi.json is old: run this test with OPENAPI_REFRESH=1");
}

#[test]
fn every_reference_leads_somewhere() {
    let api = serde_json::to_value(selvedge_server::openapi()).unwrap();
    let mut references = Vec::new();
    collect(&api, &mut references);
    assert!(references.len() > 50);
    for reference in references {
        assert!(api.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
    }
}

#[test]
fn every_deed_has_a_name_of_its_own() {
    let api = serde_json::to_value(selvedge_server::openapi()).unwrap();
    let deeds =
        api["paths"].as_object().unwrap().values().flat_map(|path| path.as_object().unwrap().values());
    let names: Vec<_> = deeds.map(|deed| deed["operationId"].as_str().unwrap()).collect();
    let distinct: std::collections::BTreeSet<_> = names.iter().collect();
    assert_eq!(distinct.len(), names.len(), "{names:?}");
}

fn collect(value: &Value, references: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            references.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|value| collect(value, references));
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, references)),
        _ => {}
    }
}
