//! The card: found where everybody looks, kept for a while, more for who may see more.

use crate::stage::Stage;
use serde_json::json;

on_the_stand_in!(
    a_card_says_who_the_agent_is_and_how_to_ask_it,
    a_card_is_sent_once,
    every_agent_has_a_card_and_an_address,
);

async fn a_card_says_who_the_agent_is_and_how_to_ask_it(stage: Stage) {
    let answer = stage.http.get("/.well-known/agent-card.json").await;
    let card = answer.json();
    assert_eq!((&card["name"], &card["description"]), (&json!("Helper"), &json!("Helps.")));
    assert_eq!(card["skills"][0]["id"], "help");
    let base = format!("http://{}", stage.http.address);
    let interfaces = json!([
        {"url": format!("{base}/a2a"), "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
        {"url": format!("{base}/a2a/rest"), "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"},
    ]);
    assert_eq!(card["supportedInterfaces"], interfaces);
    assert_eq!(
        card["capabilities"],
        json!({"streaming": true, "pushNotifications": true, "extendedAgentCard": true})
    );
    let extended = stage.call("GetExtendedAgentCard", json!({})).await;
    assert_eq!(extended["skills"][1]["id"], "secret");
    let over_rest = stage.rest(hyper::Method::GET, "/extendedAgentCard", None).await.expect(200);
    assert_eq!(over_rest, extended);
    stage.close().await;
}

async fn a_card_is_sent_once(stage: Stage) {
    let path = "/.well-known/agent-card.json";
    let first = stage.http.get(path).await;
    let header = |name: &str| first.headers[name].to_str().unwrap().to_owned();
    assert!(header("cache-control").contains("max-age="));
    let (tag, since) = (header("etag"), header("last-modified"));
    for (name, value) in [
        ("if-none-match", &tag),
        ("if-none-match", &format!("\"x\", W/{tag}")),
        ("if-modified-since", &since),
        ("if-modified-since", &"Tue, 31 Dec 2999 23:59:59 GMT".to_owned()),
    ] {
        let again = stage.http.clone().with(name, value).get(path).await;
        assert_eq!((again.status.as_u16(), again.body.len()), (304, 0), "{name}: {value}");
        assert_eq!(again.headers["etag"], tag.as_str());
    }
    for (name, value) in [
        ("if-none-match", "\"x\""),
        ("if-modified-since", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ("if-modified-since", "yesterday"),
    ] {
        let other = stage.http.clone().with(name, value).get(path).await;
        assert_eq!(other.status.as_u16(), 200, "{name}: {value}");
    }
    stage.close().await;
}

async fn every_agent_has_a_card_and_an_address(stage: Stage) {
    let card = stage.http.get("/a2a/plain/.well-known/agent-card.json").await.expect(200);
    assert_eq!(card["name"], "plain");
    let base = format!("http://{}", stage.http.address);
    assert_eq!(card["supportedInterfaces"][1]["url"], format!("{base}/a2a/plain/rest"));
    assert!(!card["skills"][0]["tags"].as_array().unwrap().is_empty());
    assert_eq!(stage.http.get("/a2a/nobody/.well-known/agent-card.json").await.status.as_u16(), 404);
    assert_eq!(stage.http.post("/a2a/nobody", json!({})).await.status.as_u16(), 404);
    let message = crate::stage::words("[stream]");
    for path in ["/a2a", "/a2a/", "/a2a/helper", "/a2a/helper/"] {
        let answer = stage.ask(path, "SendMessage", json!({"message": message})).await;
        assert_eq!(answer["result"]["task"]["status"]["state"], "TASK_STATE_COMPLETED", "{path}");
    }
    let answer = stage.ask("/a2a/plain", "SendMessage", json!({"message": message})).await;
    let said = &answer["result"]["message"];
    assert_eq!(said["role"], "ROLE_AGENT");
    assert_eq!(said["parts"], json!([{"text": "One two three four five six seven eight nine ten."}]));
    stage.close().await;
}
