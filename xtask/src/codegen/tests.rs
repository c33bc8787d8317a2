//! A schema of a few lines, generated from: what each kind of definition becomes.

use serde_json::{Value, json};

use super::{Files, generate, schema::Schema};

fn method(name: &str, params: &str) -> Value {
    json!({"properties": {"method": {"enum": [name]}, "params": {"$ref": format!("#/definitions/v2/{params}")}}})
}

fn schema() -> Schema {
    let definitions = json!({
        "ServerNotification": {"oneOf": [method("turn/started", "TurnStarted")]},
        "ServerRequest": {"oneOf": [method("item/ask", "AskParams")]},
        "ClientRequest": {"oneOf": [method("turn/start", "StartParams"), method("odd/call", "OddParams")]},
        "TurnStarted": {"type": "object", "required": ["threadId", "turn"], "properties": {
            "threadId": {"type": "string"}, "turn": {"$ref": "#/definitions/Turn"}}},
        "Turn": {"type": "object", "required": ["id", "sessionId"], "properties": {
            "id": {"type": "string"}, "sessionId": {"type": "string"}, "mood": {"$ref": "#/definitions/Mood"},
            "cause": {"anyOf": [{"$ref": "#/definitions/Cause"}, {"type": "null"}]},
            "guess": {"anyOf": [{"type": "string"}, {"type": "integer"}]}}},
        "Mood": {"type": "string", "enum": ["good", "unknown"]},
        "Cause": {"anyOf": [{"type": "string", "enum": ["none"]}, {"type": "object", "required": ["http"],
            "properties": {"http": {"type": "object", "properties": {"status": {"type": "integer", "format": "uint16"}}}}},
            {"type": ["string", "object"]}]},
        "ThreadItem": {"properties": {"at": {"type": "integer"}}, "oneOf": [
            {"type": "object", "required": ["type", "id"], "properties": {
                "type": {"type": "string", "enum": ["plan"]}, "id": {"type": "string"}}}]},
        "AskParams": {"type": "object", "properties": {}},
        "AskResponse": {"type": "object", "required": ["apiKey"], "properties": {"apiKey": {"type": "string"}}},
        "StartParams": {"type": "object", "required": ["about", "itemId", "name", "threadId"], "properties": {
            "about": {"type": "string"}, "itemId": {"type": "string"}, "name": {"type": "string"},
            "threadId": {"type": "string"}, "mood": {"$ref": "#/definitions/Mood"}}},
        "StartResponse": {"type": "object", "properties": {"turn": {"$ref": "#/definitions/Turn"}}},
        "OddParams": {"type": "object"},
    });
    let definitions = definitions.as_object().into_iter().flatten();
    Schema { definitions: definitions.map(|(name, it)| (name.clone(), it.clone())).collect() }
}

fn text(files: &Files, path: &str) -> String {
    let text = files.get(std::path::Path::new(path)).cloned().unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_kind_of_definition_becomes_its_kind_of_view() {
    let files = generate(&schema(), "turn/start # and why", "1.2.3").expect("files");
    let told = text(&files, "see/told.rs");
    let expected = [
        "from the schema of Codex 1.2.3",
        r#"TurnStarted { thread_id: Cow<'a, str> = "threadId", } { turn: Turn<'a> = "turn", }"#,
        r#"Turn { id: Cow<'a, str> = "id", } { cause: Cause<'a> = "cause", guess: &'a RawValue = "guess","#,
        r#"session_id: Cow<'a, str> = "sessionId","#,
        r#"Mood { Good = "good", NamedUnknown = "unknown", }"#,
        r#"Cause { None = "none", } { Http(HttpCause<'a>) = "http", }"#,
        r#"HttpCause { } { status: u64 = "status", }"#,
    ];
    for part in expected {
        assert!(told.contains(part), "{part}\n{told}");
    }
    let items = text(&files, "see/items.rs");
    assert!(
        items.contains(r#"ThreadItem by "type" (id = "id") { Plan(PlanThreadItem<'a>) = "plan", }"#),
        "{items}"
    );
    assert!(items.contains(r#"PlanThreadItem { id: Cow<'a, str> = "id", } { at: i64 = "at", }"#), "{items}");
    let messages = text(&files, "see/messages.rs");
    assert!(
        messages.contains(r#"TurnStarted(TurnStarted<'a>) = "turn/started" ("threadId", "turn.id", "")"#),
        "{messages}"
    );
}

#[test]
fn what_is_said_asks_for_ids_then_the_name_then_the_rest_and_hides_secrets() {
    let files = generate(&schema(), "turn/start", "1.2.3").expect("files");
    let said = text(&files, "say/threads.rs");
    let argument = |(name, wire)| format!("{name}: String | impl Into<String> = {wire:?}, ");
    let texts = [("thread_id", "threadId"), ("item_id", "itemId"), ("name", "name"), ("about", "about")];
    let arguments: String = texts.map(argument).concat();
    let expected = format!(r#"StartParams {{ {arguments}}} {{ mood: Mood = "mood", }}"#);
    assert!(said.contains(&expected), "{said}");
    let answers = text(&files, "say/answers.rs");
    assert!(
        answers.contains(r#"AskResponse { api_key: Secret | impl Into<Secret> = "apiKey", }"#),
        "{answers}"
    );
}

#[test]
fn a_call_that_the_schema_lacks_is_an_error_that_says_so() {
    let error = |calls: &str| generate(&schema(), calls, "1.2.3").err().unwrap_or_default();
    assert_eq!(error("no/such"), "calls.txt: the schema has no method no/such");
    assert!(
        error("odd/call").contains("write its name behind the method in calls.txt"),
        "{}",
        error("odd/call")
    );
    assert_eq!(error("odd/call StartResponse"), "");
}
