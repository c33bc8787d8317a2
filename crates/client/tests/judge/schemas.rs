//! What Codex makes of a tool's schema before the model sees it: `selvedge-agent` writes schemas for that.

use selvedge_protocol::{
    calls,
    say::{FunctionDynamicToolSpec, ThreadStartParams},
};
use serde_json::{Value, json};

use crate::{
    differences::{Schemas, Tools, differences},
    stage::Stage,
};

/// One property for each thing that a schema can say.
fn schema() -> Value {
    let choice = json!([{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, {"type": "null"}]);
    json!({
        "type": "object",
        "properties": {
            "described": {"type": "string", "description": "As it is called."},
            "limited": {"type": "integer", "minimum": 1, "default": 2},
            "nullable": {"type": ["integer", "null"]},
            "named": {"type": "string", "enum": ["one", "other"]},
            "any_of": {"anyOf": choice},
            "one_of": {"oneOf": choice},
            "referred": {"$ref": "#/$defs/Inner"},
            "anything": true,
        },
        "required": ["described"],
        "additionalProperties": false,
        "$defs": {"Inner": {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]}},
    })
}

/// The same as the model sees it.
fn seen() -> Value {
    let text = json!({"type": "string"});
    let choice = json!([{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, {"type": "null"}]);
    let since = |since: Schemas, then: Value, before: Value| {
        if differences().schemas >= since { then } else { before }
    };
    let mut seen = json!({
        "type": "object",
        "properties": {
            "described": {"type": "string", "description": "As it is called."},
            "limited": since(Schemas::Names, json!({"type": "integer"}), json!({"type": "number"})),
            "nullable": since(Schemas::Names, json!({"type": ["integer", "null"]}), json!({"type": "number"})),
            "named": since(Schemas::Names, json!({"type": "string", "enum": ["one", "other"]}), text.clone()),
            "any_of": since(Schemas::Names, json!({"anyOf": choice}), text.clone()),
            "one_of": since(Schemas::Whole, json!({"oneOf": choice}), text.clone()),
            "referred": since(Schemas::Whole, json!({"$ref": "#/$defs/Inner"}), text.clone()),
            "anything": text,
        },
        "required": ["described"],
        "additionalProperties": false,
    });
    if differences().schemas >= Schemas::Whole {
        seen["$defs"] = schema()["$defs"].take();
    }
    seen
}

#[tokio::test]
async fn a_schema_reaches_the_model_in_part() {
    let mut stage = Stage::open("tool_schemas").await;
    let look = FunctionDynamicToolSpec::new("look", "Looks.", schema());
    let dynamic_tools = Some(vec![look.into()]);
    let thread = stage.start_thread(ThreadStartParams { dynamic_tools, ..Default::default() }).await;
    stage.play(&thread, "[stream]").await;
    let request: Value =
        serde_json::from_slice(&stage.model.requests().pop().expect("a request").body).unwrap();
    let tools = request["tools"].as_array().expect("tools");
    let look = tools.iter().find(|tool| tool["name"] == "look");
    if differences().tools == Tools::Ignored {
        stage.lacks("they are passed over");
        assert_eq!(look, None);
    } else {
        assert_eq!(look.expect("the tool")["parameters"], seen());
    }
    match differences().schemas {
        Schemas::Types if differences().tools != Tools::Ignored => stage.lacks("types and descriptions only"),
        Schemas::Names => stage.lacks("no `oneOf`, no references"),
        _ => {}
    }
    stage.close_without_transcript().await;
}

/// What `runtime` refuses when a session is made, in the same words as its own test.
#[tokio::test]
async fn a_schema_that_cannot_be_read_is_refused_with_the_thread() {
    let mut stage = Stage::open("tool_schemas_refused").await;
    let taken = [
        json!({}),
        json!({"type": 5}),
        json!({"type": "string"}),
        json!({"type": "array"}),
        json!({"type": ["object", "null"]}),
        json!({"type": "object", "properties": {"a": true, "b": {"enum": [1, "x"]}, "c": {"const": 1}}}),
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/none"}}, "required": ["zz"]}),
        json!({"oneOf": [{"type": "string"}], "$defs": 3, "title": 3}),
    ];
    for schema in taken {
        assert!(!is_refused(&stage, &schema).await, "{schema}");
    }
    let refused = [
        (Schemas::Types, json!({"type": "null"})),
        (Schemas::Types, json!({"type": "object", "properties": 3})),
        (Schemas::Types, json!({"type": "object", "properties": {"a": {"type": "array", "items": 3}}})),
        (Schemas::Types, json!({"type": "object", "properties": {"a": null}})),
        (Schemas::Types, json!({"type": "object", "properties": {"a": []}})),
        (Schemas::Types, json!({"type": "object", "required": 3})),
        (Schemas::Types, json!({"type": "object", "required": [1]})),
        (Schemas::Types, json!({"type": "object", "additionalProperties": 3})),
        (Schemas::Names, json!({"type": "object", "description": 3})),
        (Schemas::Names, json!({"anyOf": 3})),
        (Schemas::Names, json!({"anyOf": [{}, 3]})),
        (Schemas::Names, json!({"enum": 3})),
        (Schemas::Types, json!({"type": "array", "items": [{"type": "string"}]})),
    ];
    let tools = differences().tools != Tools::Ignored;
    for (since, schema) in refused {
        assert_eq!(is_refused(&stage, &schema).await, tools && differences().schemas >= since, "{schema}");
    }
    match differences().schemas {
        _ if !tools => stage.lacks("they are passed over"),
        Schemas::Types => stage.lacks("types only are read"),
        _ => {}
    }
    stage.close_without_transcript().await;
}

async fn is_refused(stage: &Stage, schema: &Value) -> bool {
    let dynamic_tools = Some(vec![FunctionDynamicToolSpec::new("look", "Looks.", schema.clone()).into()]);
    let params = ThreadStartParams { dynamic_tools, ephemeral: Some(true), ..Default::default() };
    let error = stage.client.call::<calls::ThreadStart>(&params).await.err();
    error.is_some_and(|error| error.refusal().expect("a refusal, not a failure").message.contains("schema"))
}
