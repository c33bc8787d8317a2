//! Sub-agents: shown under their own threads, never mixed up with their parent, paid by its message.

use selvedge_runtime::{
    Message, MessageState,
    session::{Event, Status, What},
};

use crate::{
    setup::{Setup, on_the_real},
    stage::say,
    watch::Watch,
};

on_the_real!(
    a_sub_agent_is_shown_under_its_own_thread,
    two_parents_have_their_own_children,
    what_stops_a_turn_stops_its_sub_agents_too,
);

/// A child whose usage can be told from its parent's.
const COUNTED: &str = r#"
[[rule]]
contains = "[spawn counted]"
step = [
  { do = [ { usage = { input = 10, output = 1 } }, { spawn = { prompt = "[counted child]" } } ] },
  { do = [ { say = { text = "The child has counted.", phase = "final_answer" } }, { usage = { input = 30, output = 3 } } ] },
]

[[rule]]
contains = "[counted child]"
step = [ { do = [ { say = { text = "A thousand.", phase = "final_answer" } }, { usage = { input = 1000, output = 100 } } ] } ]
"#;

async fn a_sub_agent_is_shown_under_its_own_thread(setup: Setup) {
    let stage = setup.rules(COUNTED).open().await;
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[spawn counted]")).await.unwrap();
    let end = watch.finished(sent.message_id).await;
    assert_eq!(
        (MessageState::from(end.status), end.text.as_str()),
        (MessageState::Completed, "The child has counted.")
    );
    let of_child: Vec<&Event> = watch.seen.iter().filter(|event| event.thread_id.is_some()).collect();
    let threads: Vec<_> = of_child.iter().filter_map(|event| event.thread_id.as_deref()).collect();
    assert!(threads.iter().all(|thread| *thread == threads[0]), "{threads:?}");
    let names: Vec<_> = of_child.iter().map(|event| event.what.name()).collect();
    for name in ["turn.started", "item.started", "item.completed", "usage.updated", "turn.completed"] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    let own_turns =
        watch.seen.iter().filter(|event| event.thread_id.is_none() && event.what.name() == "turn.completed");
    assert_eq!(own_turns.count(), 1, "the child's end is not the parent's");
    assert!(end.usage.input >= 1040 && end.usage.output >= 104, "the child's usage counts: {:?}", end.usage);
    assert_eq!(session.summary().await.unwrap().usage, end.usage);
    let unknown = watch.names().iter().filter(|name| **name == "codex.unknown").count();
    assert_eq!(unknown, 0);
    let next = say(&session, "[stream]").await;
    assert_eq!(next.usage.total, 120, "and counts once");
    stage.close().await;
}

async fn two_parents_have_their_own_children(setup: Setup) {
    let stage = setup.open().await;
    let (one, two) = (stage.session().await, stage.session().await);
    let (mut first, mut second) = (Watch::of(&one).await, Watch::of(&two).await);
    let sent = [
        one.send(Message::text("[spawn]")).await.unwrap(),
        two.send(Message::text("[spawn]")).await.unwrap(),
    ];
    for (watch, sent) in [(&mut first, sent[0]), (&mut second, sent[1])] {
        assert_eq!(watch.finished(sent.message_id).await.text, "The child is done.");
    }
    let children = |watch: &Watch| {
        let threads = watch.seen.iter().filter_map(|event| match event.what {
            What::TurnCompleted(_) => event.thread_id.clone(),
            _ => None,
        });
        threads.collect::<Vec<_>>()
    };
    let (of_first, of_second) = (children(&first), children(&second));
    assert_eq!((of_first.len(), of_second.len()), (1, 1));
    assert_ne!(of_first, of_second);
    stage.close().await;
}

/// A child whose command would run for a minute.
const TICKING: &str = r#"
[[rule]]
contains = "[spawn worker]"
step = [
  { do = [ { spawn = { prompt = "[working child]" } } ] },
  { do = [ { say = { text = "The child has worked.", phase = "final_answer" } } ] },
]

[[rule]]
contains = "[working child]"
step = [ { do = [ { run = { command = "for n in $(seq 600); do echo tick; sleep 0.1; done", wait_ms = 60000 } } ] } ]
"#;

/// Codex itself stops only the turn that is named.
async fn what_stops_a_turn_stops_its_sub_agents_too(setup: Setup) {
    let stage = setup.rules(TICKING).open().await;
    let session = stage.unsandboxed().await;
    let mut watch = Watch::of(&session).await;
    let sent = session.send(Message::text("[spawn worker]")).await.unwrap();
    let of_child = |event: &Event| match event.what {
        What::ItemDelta(_) => event.thread_id.clone(),
        _ => None,
    };
    let child = watch.until(of_child).await;
    let ticking = || stage.processes().iter().any(|command| command.contains("echo tick"));
    assert!(ticking(), "{:?}", stage.processes());
    session.interrupt(false).await.unwrap();
    let end = watch.until(|event| match &event.what {
        What::TurnCompleted(it) if event.thread_id.as_ref() == Some(&child) => Some(it.status),
        _ => None,
    });
    assert_eq!(end.await, Status::Interrupted);
    let end = session.finished(sent.message_id).await.unwrap();
    assert_eq!(end.state, MessageState::Interrupted);
    while ticking() {
        tokio::task::yield_now().await;
    }
    stage.close().await;
}
