//! Threads behind sessions: forked, adopted, resumed, put away, summed up, reviewed and named.

use selvedge_runtime::{
    Config, Filter, Fork, Message, MessageState, Patch, Runtime,
    session::{Code, Isolation, What},
};
use serde_json::json;

use crate::{
    setup::{Setup, on_both, on_the_real},
    stage::{Stage, say},
    watch::{Watch, warnings},
};

on_both!(
    a_fork_goes_its_own_way,
    a_fork_ends_after_a_message,
    a_thread_is_adopted_and_only_new_usage_counts,
    a_session_goes_on_after_a_rest,
    an_archived_session_takes_nothing_until_it_is_taken_out,
    a_session_is_archived_and_taken_out_where_nothing_runs,
    a_thread_is_compacted,
    a_session_is_renamed,
    isolated_sessions_have_a_process_of_their_own,
    a_removed_session_is_gone,
    a_thread_that_is_gone_is_replaced_and_people_are_told,
);

on_the_real!(
    a_review_is_a_turn_without_a_message,
    an_ephemeral_session_answers,
    a_thread_that_another_program_holds_is_waited_for,
);

/// Whether the model knew this when it was last asked; where there is no model, nobody can tell.
fn knew(stage: &Stage, text: &str) -> Option<bool> {
    stage.is_real().then(|| stage.last_asked().contains(text))
}

async fn a_fork_goes_its_own_way(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    say(&session, "[think]").await;
    let fork = session.fork(Fork::default()).await.unwrap();
    let view = say(&fork, "[stream]").await;
    assert_eq!((view.state, view.usage.total), (MessageState::Completed, 120), "only its own usage counts");
    assert_ne!(knew(&stage, "This way."), Some(false), "it knows what came before");
    let threads = [session.summary().await.unwrap().thread_id, fork.summary().await.unwrap().thread_id];
    assert!(threads[0].is_some() && threads[1].is_some() && threads[0] != threads[1], "{threads:?}");
    say(&session, "[think]").await;
    assert_ne!(knew(&stage, "One two three"), Some(true), "the other way is not known here");
    let from = fork.settings().await.unwrap().forked_from.unwrap();
    assert_eq!((from.session_id, Some(from.thread_id)), (session.id(), threads[0].clone()));
    stage.close().await;
}

async fn a_fork_ends_after_a_message(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let first = say(&session, "[think]").await;
    say(&session, "[stream]").await;
    let fork = session.fork(Fork::after(first.message_id)).await.unwrap();
    assert_eq!(say(&fork, "[steered]").await.text, "Steered.");
    assert_ne!(knew(&stage, "This way."), Some(false));
    assert_ne!(knew(&stage, "One two three"), Some(true), "what came later is left out");
    let unsent = fork.fork(Fork::default()).await.unwrap();
    let again = unsent.fork(Fork::default()).await.unwrap();
    say(&again, "[steered]").await;
    assert_ne!(
        knew(&stage, "One two three"),
        Some(true),
        "of a fork in which nothing was said, it begins there"
    );
    let empty = stage.session().await.fork(Fork::default()).await.unwrap();
    assert_eq!(say(&empty, "[steered]").await.text, "Steered.", "without a history, how it works is forked");
    stage.close().await;
}

async fn a_thread_is_adopted_and_only_new_usage_counts(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    say(&session, "[think]").await;
    let thread_id = session.summary().await.unwrap().thread_id;
    let stage = stage.again().await;
    let adopted = stage.session_with(|settings| settings.thread_id.clone_from(&thread_id)).await;
    let view = say(&adopted, "[stream]").await;
    assert_eq!((view.state, view.usage.total), (MessageState::Completed, 120));
    assert_ne!(knew(&stage, "This way."), Some(false), "it knows what came before");
    let summary = adopted.summary().await.unwrap();
    assert_eq!((summary.thread_id, summary.usage.total), (thread_id, 120));
    stage.close().await;
}

async fn a_session_goes_on_after_a_rest(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let id = session.id();
    let first = say(&session, "[think]").await;
    let before = session.summary().await.unwrap();
    let stage = stage.again().await;
    let session = stage.runtime.session(id).await.unwrap();
    assert_eq!(session.message(first.message_id).await.unwrap(), first, "what ended is remembered");
    assert_eq!(session.summary().await.unwrap().usage, before.usage);
    let view = say(&session, "[stream]").await;
    assert_eq!((view.state, view.usage.total), (MessageState::Completed, 120));
    assert_ne!(knew(&stage, "This way."), Some(false));
    let after = session.summary().await.unwrap();
    assert_eq!((after.thread_id, after.usage.total), (before.thread_id, before.usage.total + 120));
    assert_eq!(warnings(&session).await, Vec::<String>::new());
    stage.close().await;
}

async fn an_archived_session_takes_nothing_until_it_is_taken_out(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let id = session.id();
    say(&session, "[think]").await;
    session.archive().await.unwrap();
    let refused = session.send(Message::text("[stream]")).await.unwrap_err();
    assert_eq!(refused.code, Code::Archived);
    let shown = stage.runtime.sessions(&Filter::default()).await.unwrap();
    assert_eq!(shown.items.len(), 0);
    let all = stage.runtime.sessions(&Filter { archived: true, ..Filter::default() }).await.unwrap();
    assert_eq!(all.items.iter().map(|it| (it.id, it.archived)).collect::<Vec<_>>(), [(id, true)]);
    session.unarchive().await.unwrap();
    let view = say(&session, "[stream]").await;
    assert_eq!((view.state, view.error), (MessageState::Completed, None));
    assert_ne!(knew(&stage, "This way."), Some(false), "its history is there");
    stage.close().await;
}

async fn a_session_is_archived_and_taken_out_where_nothing_runs(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let id = session.id();
    say(&session, "[think]").await;
    let stage = stage.again().await;
    let session = stage.runtime.session(id).await.unwrap();
    session.archive().await.unwrap();
    let stage = stage.again().await;
    let session = stage.runtime.session(id).await.unwrap();
    session.unarchive().await.unwrap();
    let view = say(&session, "[stream]").await;
    assert_eq!((view.state, view.error), (MessageState::Completed, None));
    assert_ne!(knew(&stage, "This way."), Some(false), "its history is there");
    assert_eq!(warnings(&session).await, Vec::<String>::new());
    stage.close().await;
}

async fn a_thread_is_compacted(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    say(&session, "[think]").await;
    let mut watch = Watch::of(&session).await;
    session.compact().await.unwrap();
    let turn = watch
        .until(|event| match &event.what {
            What::TurnCompleted(it) if it.message_ids.is_empty() => Some(it.clone()),
            _ => None,
        })
        .await;
    assert_eq!(turn.error, None);
    assert_eq!(watch.items("contextCompaction").len(), 1, "{:?}", watch.names());
    assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed);
    assert_eq!(warnings(&session).await, Vec::<String>::new());
    stage.close().await;
}

async fn a_review_is_a_turn_without_a_message(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    say(&session, "[think]").await;
    let mut watch = Watch::of(&session).await;
    let target = json!({"target": {"type": "custom", "instructions": "[stream] look at it"}});
    session.review(target.into()).await.unwrap();
    let turn = watch
        .until(|event| match &event.what {
            What::TurnCompleted(it) if it.message_ids.is_empty() => Some(it.clone()),
            _ => None,
        })
        .await;
    assert_eq!(turn.error, None);
    assert_eq!(watch.items("enteredReviewMode").len(), 1, "{:?}", watch.names());
    assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed);
    stage.close().await;
}

async fn a_session_is_renamed(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session_with(|settings| settings.name = Some("first".into())).await;
    say(&session, "[think]").await;
    session.update(Patch { name: Some("second".into()), ..Patch::default() }).await.unwrap();
    assert_eq!(session.summary().await.unwrap().name.as_deref(), Some("second"));
    let mut watch = Watch::of(&session).await;
    let names = |event: &selvedge_runtime::session::Event| match &event.what {
        What::CodexNotice(it) if it.method == "thread/name/updated" => Some(it.params.text().to_owned()),
        _ => None,
    };
    assert!(watch.until(names).await.contains("first"), "Codex has the name");
    assert!(watch.until(names).await.contains("second"), "and the new one");
    assert_eq!(warnings(&session).await, Vec::<String>::new());
    stage.close().await;
}

async fn isolated_sessions_have_a_process_of_their_own(setup: Setup) {
    let stage = setup.open().await;
    let servers = || stage.app_servers().len();
    let shared = [stage.session().await, stage.session().await];
    for session in &shared {
        say(session, "[stream]").await;
    }
    assert_eq!(servers(), 1, "{:?}", stage.processes());
    let isolated = stage.session_with(|settings| settings.isolation = Isolation::Isolated).await;
    say(&isolated, "[stream]").await;
    assert_eq!(servers(), 2, "{:?}", stage.processes());
    say(&shared[0], "[stream]").await;
    assert_eq!(servers(), 2);
    stage.close().await;
}

async fn a_removed_session_is_gone(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    let mut watch = Watch::of(&session).await;
    session.send(Message::text("[slow]")).await.unwrap();
    watch.named("item.delta").await;
    session.remove().await.unwrap();
    let Err(gone) = stage.runtime.session(session.id()).await else { panic!("it is still there") };
    assert_eq!(gone.code, Code::NotFound);
    assert_eq!(stage.runtime.sessions(&Filter::default()).await.unwrap().items, []);
    stage.close().await;
}

async fn an_ephemeral_session_answers(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session_with(|settings| settings.ephemeral = true).await;
    assert_eq!(say(&session, "[think]").await.state, MessageState::Completed);
    assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed);
    assert_eq!(knew(&stage, "This way."), Some(true));
    stage.close().await;
}

async fn a_thread_that_is_gone_is_replaced_and_people_are_told(setup: Setup) {
    let stage = setup.open().await;
    let nowhere = "019a0000-0000-7000-8000-000000000000";
    let session = stage.session_with(|settings| settings.thread_id = Some(nowhere.into())).await;
    assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed);
    assert_eq!(warnings(&session).await, ["history_gone"]);
    let thread = session.summary().await.unwrap().thread_id.unwrap();
    assert_ne!(thread, nowhere);
    assert_eq!(say(&session, "[think]").await.state, MessageState::Completed);
    assert_eq!(warnings(&session).await, ["history_gone"], "told once");
    stage.close().await;
}

/// Codex lets nobody else write to a thread as long as its process lives. That is no reason to begin another.
async fn a_thread_that_another_program_holds_is_waited_for(setup: Setup) {
    let stage = setup.open().await;
    let session = stage.session().await;
    say(&session, "[think]").await;
    let thread_id = session.summary().await.unwrap().thread_id;
    let elsewhere = Config { data_dir: stage.directory.path().join("other data"), ..stage.config.clone() };
    let other = Runtime::open(elsewhere).await.unwrap();
    let mut new = stage.new_session();
    new.settings.thread_id.clone_from(&thread_id);
    let adopted = other.create(new).await.unwrap();
    let sent = adopted.send(Message::text("[stream]")).await.unwrap();
    let seated = || other.processes().iter().any(|process| process.open_threads > 0);
    while !seated() {
        tokio::task::yield_now().await;
    }
    stage.runtime.shut_down().await;
    let view = adopted.finished(sent.message_id).await.unwrap();
    assert_eq!((view.state, view.error), (MessageState::Completed, None));
    assert_eq!(warnings(&adopted).await, Vec::<String>::new());
    assert_eq!(adopted.summary().await.unwrap().thread_id, thread_id, "the same thread");
    assert_eq!(knew(&stage, "This way."), Some(true), "with its history");
    other.shut_down().await;
    stage.close().await;
}
