//! A session as a stream of events in every dialect: whoever breaks off and comes back misses nothing and hears nothing twice.

use http_body_util::BodyExt as _;
use selvedge_dialects::Dialect;
use serde_json::{Value, json};

use crate::support::{
    http::Http,
    stage::{Stage, in_time},
};

/// The first so many messages after a number, with the number of each.
async fn first(http: &Http, path: &str, last: Option<&str>, count: usize) -> Vec<(String, Value)> {
    let http = http.clone().with("accept", "text/event-stream");
    let http = match last {
        Some(last) => http.with("last-event-id", last),
        None => http,
    };
    let answer = http.open(hyper::Method::GET, path, None).await;
    assert_eq!(answer.status(), 200);
    let mut body = answer.into_body();
    let mut text = String::new();
    let mut told = Vec::new();
    while told.len() < count {
        let frame = body.frame().await.expect("it goes on").unwrap();
        text.push_str(&String::from_utf8_lossy(frame.data_ref().expect("data")));
        while let Some(end) = text.find("\n\n") {
            let block: String = text.drain(..end + 2).collect();
            let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
            if let (Some(id), Some(data)) = (field("id:"), field("data:")) {
                told.push((id.to_owned(), serde_json::from_str(data).unwrap()));
            }
        }
    }
    told.truncate(count);
    told
}

#[tokio::test(flavor = "multi_thread")]
async fn every_dialect_goes_on_after_the_last_that_was_heard() {
    in_time(async {
        let stage = Stage::rehearsal().await;
        let id = stage.session(json!({"approval_policy": "never"})).await;
        let sent = json!({"text": "[think]"});
        let sent = stage.http.post(&format!("/v1/sessions/{id}/messages"), sent).await.expect(202);
        let path = format!("/v1/sessions/{id}/messages/{}?wait=60", sent["message_id"].as_str().unwrap());
        stage.http.get(&path).await.expect(200);
        for (name, _) in Dialect::ALL {
            let path = format!("/v1/sessions/{id}/events?dialect={name}");
            let all = stage.http.get(&path).await.expect(200)["events"].as_array().unwrap().clone();
            let whole = first(&stage.http, &path, None, all.len()).await;
            let numbers: Vec<_> = all.iter().map(|told| told["seq"].to_string()).collect();
            assert_eq!(whole.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>(), numbers, "{name}");
            for (place, (last, _)) in whole.iter().enumerate().take(all.len() - 1).step_by(2) {
                let rest = first(&stage.http, &path, Some(last), all.len() - place - 1).await;
                assert_eq!(rest, whole[place + 1..], "{name} after {last}");
            }
        }
        stage.close().await;
    })
    .await;
}
