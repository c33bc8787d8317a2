//! A turn that is interrupted while the agent's call waits takes the call with it: on every Codex that is judged.

use serde_json::json;

use crate::{agent::Agent, desk::Desk, support::stage::in_time};

async fn an_interrupted_turn_ends_its_call_and_the_agent_calls_again(version: &str) {
    in_time(async {
        let desk = Desk::of_version(version).await;
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

mod an_interrupted_turn_ends_its_call_and_the_agent_calls_again {
    use super::an_interrupted_turn_ends_its_call_and_the_agent_calls_again as case;

    #[tokio::test(flavor = "multi_thread")]
    async fn on_0_166() {
        case("0_166_0").await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn on_0_120() {
        case("0_120_0").await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn on_0_98() {
        case("0_98_0").await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn on_0_72() {
        case("0_72_0").await;
    }
}
