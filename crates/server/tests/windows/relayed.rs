//! `selvedge serve` as a process of its own: killed, its app-servers live on behind relays, and the next gateway is somewhere
//! else. Their threads are told where.

use serde_json::json;

use crate::{
    agent::Agent,
    desk::{made, place},
    support::{serving::Serving, stage::in_time},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_was_open_has_ended_and_the_next_one_finds_the_new_address() {
    in_time(async {
        let place = place().await;
        let first = Serving::start(&place).await;
        let id = made(&first.http, &place.inside("work"), json!({})).await;
        let mut before = Agent::open(&first.http, id.clone(), "before".to_owned()).await;
        before.calls().await;
        before.say("call").await;
        let open = before.is_called().await;
        let address = first.http.address;
        first.kill().await;
        let second = Serving::start(&place).await;
        assert_ne!(second.http.address, address);
        let mut back = Agent::from_the_start(&second.http, id.clone(), "before".to_owned()).await;
        back.hears("tool.resolved").await;
        let ended = back.hears("tool.resolved").await;
        assert_eq!((&ended["data"]["tool_call_id"], &ended["data"]["success"]), (&open, &json!(false)));
        assert_eq!(second.http.get("/v1/tool-calls").await.expect(200)["items"], json!([]));
        for _ in 0..2 {
            back.completes("called as before").await;
        }
        Agent::open(&second.http, id, "after".to_owned()).await.calls().await;
        second.stop().await;
    })
    .await;
}
