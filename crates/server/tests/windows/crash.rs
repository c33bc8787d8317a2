//! The app-server that everybody shares is killed while all of them work: each recovers by the rules.

use futures_util::future::join_all;
use rustix::process::{Pid, Signal, kill_process};

use crate::{
    agent::{Agent, marks_in},
    desk::Desk,
    support::stage::in_time,
};

const WINDOWS: usize = 20;

/// One that has called something may have acted; one that only talked is run again.
fn calls(place: usize) -> bool {
    place.is_multiple_of(2)
}

async fn begins(place: usize, mut agent: Agent) -> Agent {
    if calls(place) {
        agent.say("call").await;
        agent.is_called().await;
    } else {
        agent.say("hold").await;
        agent.hears("item.delta").await;
    }
    agent
}

async fn recovers(place: usize, mut agent: Agent) -> Agent {
    if calls(place) {
        let ended = agent.hears("message.finished").await;
        assert_eq!(ended["data"]["status"], "lost", "{ended}");
        assert!(agent.fails().await.contains("app-server ended"), "{}", agent.mark);
    } else {
        let again = agent.hears("message.started").await;
        assert_eq!(again["data"]["attempt"], 2, "{again}");
        agent.hears("item.delta").await;
        agent.interrupt().await;
        assert_eq!(agent.fails().await, "Turn was interrupted");
    }
    agent.say("name").await;
    agent.completes(&format!("named {}", agent.mark)).await;
    agent
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_one_agents_recover_from_the_death_of_their_process() {
    in_time(async {
        let desk = Desk::open().await;
        let agents = Agent::desktop(&desk, WINDOWS).await;
        let marks: Vec<String> = agents.iter().map(|agent| agent.mark.clone()).collect();
        let agents = join_all(agents.into_iter().enumerate().map(|(place, it)| begins(place, it))).await;
        let killed = desk.gate.runtime.processes();
        assert_eq!(killed.len(), 1, "{killed:#?}");
        let pid = killed[0].pid.and_then(|pid| Pid::from_raw(i32::try_from(pid).unwrap())).unwrap();
        kill_process(pid, Signal::KILL).unwrap();
        let agents = join_all(agents.into_iter().enumerate().map(|(place, it)| recovers(place, it))).await;
        let processes = desk.gate.runtime.processes();
        assert_eq!(processes.len(), 1, "{processes:#?}");
        assert_ne!(processes[0].id, killed[0].id);
        for agent in &agents {
            let own = [agent.mark.clone()];
            assert_eq!(marks_in(&agent.journal(&desk.http).await, &marks), own, "its events are its own");
            let asked = desk.asked(&format!("[name {}]", agent.mark));
            let history = String::from_utf8_lossy(&asked.last().unwrap().body).into_owned();
            let mut expected = vec!["mainmark".to_owned()];
            expected.extend(own.into_iter().filter(|mark| mark != "mainmark"));
            assert_eq!(marks_in(&history, &marks), expected, "its own past, and the one it was forked from");
        }
        let open = desk.http.get("/v1/tool-calls").await.expect(200);
        assert_eq!(open["items"], serde_json::json!([]), "nobody waits for what died");
        desk.close().await;
    })
    .await;
}
