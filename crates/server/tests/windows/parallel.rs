//! A main agent and twenty windows work at the same time, and nothing of one reaches another.

use futures_util::future::join_all;

use crate::{
    agent::{Agent, marks_in},
    desk::Desk,
    support::stage::in_time,
};

const WINDOWS: usize = 20;

/// A turn with a call that is answered only after all have called.
async fn works(mut agent: Agent, all_called: &tokio::sync::Barrier) -> Agent {
    agent.say("call").await;
    let call = agent.is_called().await;
    all_called.wait().await;
    let answer = format!("seen by {}", agent.mark);
    agent.answers(&call, &answer).await;
    let told = agent.completes(&format!("called as {}", agent.mark)).await;
    let gave = told.iter().find(|told| told["type"] == "tool_result").unwrap();
    assert_eq!(gave["content"], answer);
    agent
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_one_agents_call_their_tools_at_once_in_one_process() {
    in_time(async {
        let desk = Desk::open().await;
        let agents = Agent::desktop(&desk, WINDOWS).await;
        let marks: Vec<String> = agents.iter().map(|agent| agent.mark.clone()).collect();
        let all_called = tokio::sync::Barrier::new(agents.len());
        let agents = join_all(agents.into_iter().map(|agent| works(agent, &all_called))).await;
        let processes = desk.gate.runtime.processes();
        assert_eq!(processes.len(), 1, "{processes:#?}");
        assert_eq!(processes[0].open_threads, WINDOWS + 1);
        for agent in &agents {
            let own = [agent.mark.clone()];
            assert_eq!(marks_in(&agent.journal(&desk.http).await, &marks), own, "its events are its own");
            let asked = desk.asked(&format!("[call {}]", agent.mark));
            assert_eq!(asked.len(), 2, "once to call, once with the answer");
            let history = String::from_utf8_lossy(&asked[1].body).into_owned();
            assert!(history.contains(&format!("seen by {}", agent.mark)));
            let mut expected = vec!["mainmark".to_owned()];
            expected.extend(own.into_iter().filter(|mark| mark != "mainmark"));
            assert_eq!(marks_in(&history, &marks), expected, "its own past, and the one it was forked from");
        }
        desk.close().await;
    })
    .await;
}
