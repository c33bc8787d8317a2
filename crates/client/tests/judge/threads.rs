//! Threads: steered, forked, two at once, one that waits while another works, and a sub-agent's.

use selvedge_protocol::{
    asks, calls,
    say::{
        CommandExecutionApprovalDecision, CommandExecutionRequestApprovalResponse, ThreadForkParams,
        ThreadTurnsListParams, TurnSteerParams,
    },
    see::{Notification, ServerRequest, ThreadItem},
};

use crate::{
    acts::{message, text},
    stage::Stage,
};

/// Ids of a thread's stored turns, newest first.
async fn turns(stage: &Stage, thread: &str) -> Vec<String> {
    let answer =
        stage.client.call::<calls::ThreadTurnsList>(&ThreadTurnsListParams::new(thread)).await.unwrap();
    let turns = answer.read().unwrap().data().expect("turns");
    turns.iter().map(|turn| turn.id.into_owned()).collect()
}

#[tokio::test]
async fn a_steer_joins_the_running_turn() {
    let mut stage = Stage::open("steer").await;
    let thread = stage.thread().await;
    let turn = stage.turn(&thread, "[slow]").await;
    stage.streaming(&turn).await;
    let params = TurnSteerParams::new(thread.as_str(), turn.as_str(), text("[steered]"));
    let steered = stage.client.call::<calls::TurnSteer>(&params).await.expect("a steer");
    assert_eq!(steered.read().unwrap().turn_id, turn, "no new turn");
    let ended = stage.ended(&thread, &turn).await;
    assert_eq!((ended.status.as_str(), ended.text.as_deref()), ("completed", Some("Steered.")));
    let heard = stage.ear.items(&turn).filter(|item| matches!(item, ThreadItem::UserMessage(_)));
    assert_eq!(heard.count(), 2);
    let messages: Vec<_> = stage.ear.items(&turn).filter_map(message).collect();
    assert_eq!(messages, ["Steered."], "the cut message is never closed");
    let refused = stage.client.call::<calls::TurnSteer>(&params).await.unwrap_err();
    assert_eq!(refused.refusal().expect("a refusal").message, "no active turn to steer");
    stage.close().await;
}

#[tokio::test]
async fn a_fork_has_the_history_and_leaves_its_source_alone() {
    let mut stage = Stage::open("fork").await;
    let source = stage.thread().await;
    let (first, _) = stage.play(&source, "[stream]").await;
    let mut params = ThreadForkParams::new(source.as_str());
    params.exclude_turns = Some(true);
    let fork = {
        let answer = stage.client.call::<calls::ThreadFork>(&params).await.expect("a fork");
        let thread = answer.read().unwrap().thread().expect("a thread");
        assert_eq!(thread.forked_from_id().as_deref(), Some(source.as_str()));
        thread.id.into_owned()
    };
    assert_ne!(fork, source);
    let (second, ended) = stage.play(&fork, "[think]").await;
    assert_eq!(ended.text.as_deref(), Some("This way."));
    assert_eq!(turns(&stage, &source).await, [first]);
    let of_fork = turns(&stage, &fork).await;
    assert_eq!((of_fork.len(), &of_fork[0]), (2, &second), "its own turn, after the source's");
    let told = String::from_utf8_lossy(&stage.model.requests().pop().unwrap().body).into_owned();
    assert!(told.contains("One two three"), "the model sees what was said before the fork");
    stage.close().await;
}

#[tokio::test]
async fn two_threads_at_once_are_never_mixed_up() {
    let mut stage = Stage::open("two_threads").await;
    let (ann, bob) = (stage.thread().await, stage.thread().await);
    let (ann_s, bob_s) = tokio::join!(stage.turn(&ann, "[thread Ann]"), stage.turn(&bob, "[thread Bob]"));
    let ended = [stage.ended(&ann, &ann_s).await, stage.ended(&bob, &bob_s).await];
    assert_eq!(ended.map(|ended| ended.text.unwrap()), ["Ann ".repeat(40), "Bob ".repeat(40)]);
    for told in stage.ear.told() {
        let Notification::ItemAgentMessageDelta(delta) = &told else { continue };
        let owner = if delta.thread_id == ann { ("Ann ", &ann_s) } else { ("Bob ", &bob_s) };
        assert_eq!((delta.delta().as_deref(), delta.turn_id.as_ref()), (Some(owner.0), owner.1.as_str()));
    }
    stage.close().await;
}

#[tokio::test]
async fn an_approval_that_waits_holds_up_only_its_own_turn() {
    let mut stage = Stage::open("approval_waits").await;
    let (asking, working) = (stage.thread().await, stage.thread().await);
    let waiting = stage.turn(&asking, "[approve]").await;
    let ask = stage.ear.next_ask().await;
    let ServerRequest::ItemCommandExecutionRequestApproval(asked) = ask.request() else { panic!("{ask:?}") };
    assert_eq!(asked.thread_id, asking);
    for words in ["[stream]", "[think]"] {
        assert_eq!(stage.play(&working, words).await.1.status, "completed");
    }
    assert!(!stage.places.workspace.join("approved.txt").exists(), "the first turn still waits");
    let accept = CommandExecutionRequestApprovalResponse::new(CommandExecutionApprovalDecision::Accept);
    stage.client.answer_to::<asks::ItemCommandExecutionRequestApproval>(&ask.id, &accept).unwrap();
    assert_eq!(stage.ended(&asking, &waiting).await.status, "completed");
    assert!(stage.places.workspace.join("approved.txt").exists());
    stage.close().await;
}

#[tokio::test]
async fn a_sub_agent_speaks_under_its_own_thread() {
    let mut stage = Stage::open("sub_agent").await;
    let parent = stage.thread().await;
    let (turn, ended) = stage.play(&parent, "[spawn]").await;
    assert_eq!(ended.text.as_deref(), Some("The child is done."));
    let named = stage.ear.items(&turn).find_map(|item| match item {
        ThreadItem::CollabAgentToolCall(call) => call.receiver_thread_ids()?.get(0),
        _ => None,
    });
    let child = named.expect("the parent names its child").into_owned();
    assert_ne!(child, parent);
    let said = stage.ear.told().find_map(|told| match told {
        Notification::ItemCompleted(completed) if completed.thread_id == child => message(completed.item()?),
        _ => None,
    });
    assert_eq!(said.as_deref(), Some("One, two, three."));
    let ends = stage.ear.told().filter(|told| matches!(told, Notification::TurnCompleted(_)));
    let ends: Vec<_> = ends.map(|told| told.thread_id().unwrap().into_owned()).collect();
    assert_eq!(ends, [child, parent], "each thread's turn ends once, the child's first");
    stage.close().await;
}
