//! Threads: steered, forked, two at once, one that waits while another works, and a sub-agent's.

use selvedge_protocol::{
    asks, calls,
    say::{
        CommandExecutionApprovalDecision, CommandExecutionRequestApprovalResponse, ThreadForkParams,
        TurnSteerParams,
    },
    see::{Notification, ServerRequest, ThreadItem},
};

use crate::{
    acts::{Turn, message, text},
    differences::{Busy, Steer, differences},
    history::Stored,
    stage::Stage,
};

/// What `[steady]` says twenty times.
const STEADY: &str = "tick ";

/// What a turn's messages are where the model first says all it has to say, and then hears of the other message.
fn both_messages() -> Vec<String> {
    vec![STEADY.repeat(20), "Steered.".to_owned()]
}

fn messages(stage: &Stage, turn: &Turn) -> Vec<String> {
    stage.ear.items(turn).filter_map(message).collect()
}

/// How often we were heard in a turn.
fn heard(stage: &Stage, turn: &Turn) -> usize {
    stage.ear.items(turn).filter(|item| matches!(item, ThreadItem::UserMessage(_))).count()
}

#[tokio::test]
async fn a_steer_joins_the_running_turn() {
    let mut stage = Stage::open("steer").await;
    let thread = stage.thread().await;
    let turn = stage.turn(&thread, "[steady]").await;
    stage.streaming(&turn).await;
    let params = TurnSteerParams::new(thread.as_str(), turn.id.as_str(), text("[steered]"));
    if differences().steer == Steer::Unknown {
        stage.lacks("`turn/steer` is unknown");
        stage.is_unknown::<calls::TurnSteer>(&params).await;
        assert_eq!(stage.ended(&turn).await.status, "completed", "the turn goes on as if nothing was said");
        assert_eq!((messages(&stage, &turn), heard(&stage, &turn)), (vec![STEADY.repeat(20)], 1));
        stage.close().await;
        return;
    }
    let steered = stage.client.call::<calls::TurnSteer>(&params).await.expect("a steer");
    assert_eq!(steered.read().unwrap().turn_id, turn.id, "no new turn");
    let ended = stage.ended(&turn).await;
    assert_eq!((ended.status.as_str(), ended.text.as_deref()), ("completed", Some("Steered.")));
    assert_eq!(heard(&stage, &turn), 2);
    if differences().steer == Steer::AtOnce {
        assert_eq!(messages(&stage, &turn), ["Steered."], "the cut message is never closed");
    } else {
        stage.lacks("the model first says all it has to say");
        assert_eq!(messages(&stage, &turn), both_messages());
    }
    let refused = stage.client.call::<calls::TurnSteer>(&params).await.unwrap_err();
    assert_eq!(refused.refusal().expect("a refusal").message, "no active turn to steer");
    stage.close().await;
}

#[tokio::test]
async fn a_turn_started_while_another_runs_becomes_part_of_it() {
    let mut stage = Stage::open("start_while_busy").await;
    let thread = stage.thread().await;
    let turn = stage.turn(&thread, "[steady]").await;
    stage.streaming(&turn).await;
    let other = stage.turn(&thread, "[steered]").await;
    let ended = stage.ended(&turn).await;
    let steady = STEADY.repeat(20);
    let last = if differences().busy == Busy::Lost { &steady } else { "Steered." };
    assert_eq!((ended.status.as_str(), ended.text.as_deref()), ("completed", Some(last)));
    stage.play(&thread, "[stream]").await;
    let told = |wanted: fn(&Notification<'_>) -> bool| stage.ear.told_of(&other).filter(wanted).count();
    let started = told(|told| matches!(told, Notification::TurnStarted(_)));
    let completed = told(|told| matches!(told, Notification::TurnCompleted(_)));
    let (same, expected) = match differences().busy {
        Busy::Joins => (true, (1, 1)),
        Busy::Phantom => (false, (0, 0)),
        Busy::StartedPhantom | Busy::Lost => (false, (1, 0)),
    };
    assert_eq!((other == turn, (started, completed)), (same, expected));
    if !same {
        stage.lacks("it answers with a turn that never ends");
    }
    if differences().busy == Busy::Lost {
        stage.lacks("nobody hears what was said");
        let asked = stage.model.requests();
        assert!(asked.iter().all(|request| !String::from_utf8_lossy(&request.body).contains("[steered]")));
    }
    stage.close().await;
}

#[tokio::test]
async fn a_fork_has_the_history_and_leaves_its_source_alone() {
    let mut stage = Stage::open("fork").await;
    let source = stage.thread().await;
    let (first, _) = stage.play(&source, "[stream]").await;
    let mut params = ThreadForkParams::new(source.as_str());
    params.exclude_turns = Some(true);
    if !differences().fork {
        stage.lacks("`thread/fork` is unknown");
        stage.is_unknown::<calls::ThreadFork>(&params).await;
        stage.close().await;
        return;
    }
    let fork = {
        let answer = stage.client.call::<calls::ThreadFork>(&params).await.expect("a fork");
        let thread = answer.read().unwrap().thread().expect("a thread");
        let named = differences().fork_names_source.then_some(source.as_str());
        assert_eq!(thread.forked_from_id().as_deref(), named);
        thread.id.into_owned()
    };
    assert_ne!(fork, source);
    let (second, ended) = stage.play(&fork, "[think]").await;
    assert_eq!(ended.text.as_deref(), Some("This way."));
    let (of_source, of_fork) = (stage.stored(&source).await, stage.stored(&fork).await);
    let texts = |turns: &[Stored]| turns.iter().flat_map(|turn| turn.messages.clone()).collect::<Vec<_>>();
    assert_eq!(texts(&of_source), ["One two three four five six seven eight nine ten."]);
    assert_eq!(texts(&of_fork), [texts(&of_source), vec!["This way.".to_owned()]].concat());
    if differences().keeps_turn_ids {
        assert_eq!((&of_source[0].id, &of_fork[1].id), (&first.id, &second.id));
    }
    if !differences().fork_names_source {
        stage.lacks("it does not say of which thread");
    }
    let told = String::from_utf8_lossy(&stage.model.requests().pop().unwrap().body).into_owned();
    assert!(told.contains("One two three"), "the model sees what was said before the fork");
    stage.close().await;
}

#[tokio::test]
async fn two_threads_at_once_are_never_mixed_up() {
    let mut stage = Stage::open("two_threads").await;
    let (ann, bob) = (stage.thread().await, stage.thread().await);
    let (ann_s, bob_s) = tokio::join!(stage.turn(&ann, "[thread Ann]"), stage.turn(&bob, "[thread Bob]"));
    let ended = [stage.ended(&ann_s).await, stage.ended(&bob_s).await];
    assert_eq!(ended.map(|ended| ended.text.unwrap()), ["Ann ".repeat(40), "Bob ".repeat(40)]);
    for told in stage.ear.told() {
        let Notification::ItemAgentMessageDelta(delta) = &told else { continue };
        let owner = if delta.thread_id == ann { ("Ann ", &ann_s) } else { ("Bob ", &bob_s) };
        assert_eq!((delta.delta().as_deref(), delta.turn_id.as_ref()), (Some(owner.0), owner.1.id.as_str()));
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
    assert_eq!(stage.ended(&waiting).await.status, "completed");
    assert!(stage.places.workspace.join("approved.txt").exists());
    stage.close().await;
}

#[tokio::test]
async fn a_sub_agent_speaks_under_its_own_thread() {
    let mut stage = Stage::open("sub_agent").await;
    let parent = stage.thread().await;
    let (turn, ended) = stage.play(&parent, "[spawn]").await;
    assert_eq!(ended.text.as_deref(), Some("The child is done."));
    if !differences().sub_agents {
        stage.lacks("the model is not offered any");
        assert!(messages(&stage, &turn)[0].contains("no `spawn_agent` is offered"));
        assert!(stage.ear.told().filter_map(|told| told.thread_id()).all(|thread| thread == parent));
        stage.close().await;
        return;
    }
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
