//! Messages: sent, waited for, read later.

use serde_json::{Value, json};

use crate::{
    on_both,
    support::stage::Stage,
    ways::{ended, say, send, talking},
};

/// A picture of one point.
const POINT: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

on_both!(
    a_message_is_answered_and_can_be_read_again,
    an_answer_is_held_until_the_end_or_its_time,
    an_answer_comes_as_the_json_that_was_asked_for,
    a_failure_says_where_and_why,
    the_past_is_listed_page_by_page,
);

on_the_stand_in!(pictures_are_taken_as_data_and_never_fetched, what_says_nothing_or_too_much_is_refused);

async fn a_message_is_answered_and_can_be_read_again(stage: Stage) {
    let session = stage.session(json!({})).await;
    let end = say(&stage, &session, "[stream]").await;
    assert_eq!(
        (&end["state"], &end["text"]),
        (&json!("completed"), &json!("One two three four five six seven eight nine ten."))
    );
    assert_eq!((&end["usage"]["total"], &end["usage"]["cached_input"]), (&json!(120), &json!(40)));
    assert_eq!(end["input"], json!([{"type": "text", "text": "[stream]"}]));
    assert_eq!(end["sender"], "local/http");
    assert!(end["turn_id"].is_string() && end["error"].is_null() && end["position"].is_null(), "{end}");
    let path = format!("/v1/sessions/{session}/messages/{}", end["message_id"].as_str().unwrap());
    assert_eq!(stage.http.get(&path).await.expect(200), end);
    let shown = stage.http.get(&format!("/v1/sessions/{session}")).await.expect(200);
    assert_eq!(
        (&shown["state"], &shown["usage"]["total"], &shown["epoch"]),
        (&json!("idle"), &json!(120), &json!(1))
    );
    assert!(shown["thread_id"].is_string() && shown["last_seq"].as_u64() > Some(5), "{shown}");
    stage.close().await;
}

async fn an_answer_is_held_until_the_end_or_its_time(stage: Stage) {
    let (session, message) = talking(&stage).await;
    let path = format!("/v1/sessions/{session}/messages/{message}");
    for query in ["", "?wait=0"] {
        let now = stage.http.get(&format!("{path}{query}")).await.expect(200);
        assert_eq!((&now["state"], &now["text"]), (&json!("running"), &json!("")));
    }
    let held = async { stage.http.get(&format!("{path}?wait=60")).await.expect(200) };
    let stop =
        async { stage.http.post(&format!("/v1/sessions/{session}/interrupt"), json!({})).await.expect(202) };
    let (held, _) = tokio::join!(held, stop);
    assert_eq!(held["state"], "interrupted");
    assert!(held["text"].as_str().unwrap().starts_with("tick"), "what had been said is kept");
    let long = stage.http.get(&format!("{path}?wait=601")).await;
    assert_eq!((long.problem(400).as_str(), &long.json()["field"]), ("query_invalid", &json!("wait")));
    stage.close().await;
}

async fn an_answer_comes_as_the_json_that_was_asked_for(stage: Stage) {
    let session = stage.session(json!({})).await;
    let schema = json!({
        "type": "object", "additionalProperties": false,
        "properties": {"verdict": {"type": "string"}, "score": {"type": "integer"}},
        "required": ["verdict", "score"],
    });
    let message = send(&stage, &session, json!({"text": "[answer fixed]", "output_schema": schema})).await;
    let end = ended(&stage, &session, &message).await;
    assert_eq!(
        (&end["state"], &end["output"]),
        (&json!("completed"), &json!({"verdict": "right", "score": 7}))
    );
    let words = json!({"type": "object", "properties": {"score": {"type": "string"}}});
    let message = send(&stage, &session, json!({"text": "[answer fixed]", "output_schema": words})).await;
    let end = ended(&stage, &session, &message).await;
    assert_eq!((&end["state"], &end["error"]["code"]), (&json!("failed"), &json!("output_invalid")));
    assert!(end["error"]["message"].as_str().unwrap().contains("`/score`"), "{end}");
    assert_eq!((&end["output"], end["text"].as_str().unwrap().is_empty()), (&json!(null), false));
    let none = json!({"type": "object", "properties": {"score": {"type": "points"}}});
    let body = json!({"text": "[answer fixed]", "output_schema": none});
    let refused = stage.http.post(&format!("/v1/sessions/{session}/messages"), body).await;
    let told = (refused.problem(400), &refused.json()["field"]);
    assert_eq!(told, ("invalid_argument".to_owned(), &json!("output_schema")));
    stage.close().await;
}

async fn a_failure_says_where_and_why(stage: Stage) {
    let session = stage.session(json!({})).await;
    let end = say(&stage, &session, "[fail usage]").await;
    assert_eq!(end["state"], "failed");
    assert_eq!(
        (&end["error"]["phase"], &end["error"]["code"]),
        (&json!("budget"), &json!("usage_limit_exceeded"))
    );
    assert!(end["error"]["message"].as_str().is_some_and(|words| !words.is_empty()));
    assert_eq!(say(&stage, &session, "[stream]").await["state"], "completed", "the next is not concerned");
    stage.close().await;
}

async fn the_past_is_listed_page_by_page(stage: Stage) {
    let (session, path) = {
        let session = stage.session(json!({})).await;
        (session.clone(), format!("/v1/sessions/{session}/messages"))
    };
    let other = stage.session(json!({})).await;
    let mut said = Vec::new();
    for words in ["[stream]", "[fail usage]", "[think]"] {
        said.push(say(&stage, &session, words).await);
        say(&stage, &other, "[stream]").await;
    }
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = stage.http.get(&format!("{path}?limit=2{cursor}")).await.expect(200);
        seen.extend(page["items"].as_array().unwrap().iter().cloned());
        let Some(next) = page["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(seen, said, "all of this session, oldest first, as each is told alone");
    let failed = stage.http.get(&format!("{path}?state=failed")).await.expect(200);
    assert_eq!(failed["items"], json!([said[1]]));
    let queued = stage.http.get(&format!("{path}?state=queued")).await.expect(200);
    assert_eq!((&queued["items"], &queued["next_cursor"]), (&json!([]), &Value::Null));
    stage.close().await;
}

async fn pictures_are_taken_as_data_and_never_fetched(stage: Stage) {
    let session = stage.session(json!({})).await;
    let path = format!("/v1/sessions/{session}/messages");
    let parts = json!([
        {"type": "text", "text": "[stream]"},
        {"type": "image", "data": POINT, "media_type": "image/png"},
        {"type": "image", "url": format!("data:image/png;base64,{POINT}")},
    ]);
    let message = send(&stage, &session, json!({"input": parts})).await;
    let end = ended(&stage, &session, &message).await;
    let kept = end["input"].as_array().unwrap();
    assert_eq!((&kept[1]["type"], &kept[1]["media_type"]), (&json!("image"), &json!("image/png")));
    assert_eq!((kept[1]["sha256"].as_str().unwrap().len(), &kept[1]), (64, &kept[2]), "the same picture");
    let remote = json!({"input": [{"type": "image", "url": "https://example.com/a.png"}]});
    assert_eq!(stage.http.post(&path, remote).await.problem(422), "image_url_refused");
    let wrong = [
        (json!({"type": "image", "data": POINT}), "input[1]"),
        (json!({"type": "image", "data": "%%", "media_type": "image/png"}), "input[1].data"),
        (json!({"type": "image", "data": POINT, "media_type": "text/html"}), "input[1].media_type"),
        (json!({"type": "image", "data": POINT, "media_type": "image/png", "url": "data:,"}), "input[1]"),
    ];
    for (part, field) in wrong {
        let answer = stage.http.post(&path, json!({"input": [{"type": "text", "text": "a"}, part]})).await;
        assert_eq!(answer.problem(400), "invalid_argument");
        assert_eq!(answer.json()["field"], field);
    }
    stage.close().await;
}

async fn what_says_nothing_or_too_much_is_refused(stage: Stage) {
    let session = stage.session(json!({})).await;
    let path = format!("/v1/sessions/{session}/messages");
    let empty = [json!({}), json!({"text": " \n"}), json!({"input": []})];
    for body in empty.into_iter().chain([json!({"text": "a", "input": [{"type": "text", "text": "b"}]})]) {
        assert_eq!(stage.http.post(&path, body).await.problem(400), "invalid_argument");
    }
    let long = stage.http.post(&path, json!({"text": "a".repeat(1_048_577)})).await;
    assert_eq!(long.problem(413), "input_too_long");
    let money = json!({"text": "a", "budget": {"max_cost_usd": 1.5}});
    assert_eq!(stage.http.post(&path, money).await.problem(422), "price_unknown");
    stage.close().await;
}
