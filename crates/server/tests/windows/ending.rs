//! A turn that is interrupted while the agent's call waits takes the call with it.

use serde_json::json;

use crate::{agent::Agent, desk::Desk, support::stage::in_time};

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_turn_ends_its_call_and_the_agent_calls_again() {
    in_time(async {
        let desk = Desk::open().await;
        let mut agent = Agent::open(&desk.http, desk.session().await, "only".to_owned()).await;
        agent.say("call").await;
        let call = agent.is_called().await;
        agent.interrupt().await;
        let ended = agent.hears("tool.resolved").await;
        assert_eq!((&ended["data"]["tool_call_id"], &ended["data"]["success"]), (&call, &json!(false)));
        assert_eq!(agent.fails().await, "Turn was interrupted");
        agent.calls().await;
        desk.close().await;
    })
    .await;
}
