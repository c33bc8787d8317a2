//! Another Codex takes the place of the one on the disk while sessions live: nobody waits, and nothing is lost.

use selvedge_runtime::{Answer, Message, MessageState, SessionHandle, session::data::Decision};

use crate::{
    installed::{Installed, noticed_nothing_else, taken_over},
    setup::{Setup, in_time},
    stage::{Stage, end, say},
    tools::with_lookup,
    watch::Watch,
};

async fn version(session: &SessionHandle) -> Option<String> {
    session.summary().await.unwrap().backend.version
}

/// How often the model reads these words in its last request: once for each message that it knows.
fn asked_words(stage: &Stage) -> usize {
    stage.last_asked().matches("[stream]").count()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_session_goes_on_with_the_new_codex() {
    in_time(Box::pin(async {
        let installed = Installed::of("0.120.0");
        let stage = Setup::real_at(&installed.program()).open().await;
        let session = stage.session().await;
        assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed);
        assert_eq!(version(&session).await.as_deref(), Some("0.120.0"));
        installed.install("0.166.0");
        assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed);
        assert_eq!(version(&session).await.as_deref(), Some("0.166.0"));
        assert_eq!(taken_over(&session).await, ["0.166.0"]);
        assert_eq!(asked_words(&stage), 2, "the model knows what was said before");
        noticed_nothing_else(&session).await;
        stage.close().await;
    }))
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_queue_goes_on_with_the_new_codex_and_the_running_turn_ends_with_the_old() {
    in_time(Box::pin(async {
        let installed = Installed::of("0.120.0");
        let stage = Setup::real_at(&installed.program()).open().await;
        let (session, other) = (stage.session().await, stage.session().await);
        assert_eq!(say(&other, "[stream]").await.state, MessageState::Completed);
        let mut watch = Watch::of(&session).await;
        let running = session.send(Message::text("[approve]")).await.unwrap();
        let approval = watch.approval().await;
        let queued = session.send(Message::text("[stream]")).await.unwrap();
        installed.install("0.166.0");
        assert_eq!(say(&other, "[stream]").await.state, MessageState::Completed, "it waits for nobody");
        assert_eq!(version(&other).await.as_deref(), Some("0.166.0"));
        session.answer(approval.approval_id, Answer::new(Decision::Accept, "ann")).await.unwrap();
        assert_eq!(end(&session, running.message_id).await.state, MessageState::Completed);
        assert_eq!(end(&session, queued.message_id).await.state, MessageState::Completed);
        assert_eq!(version(&session).await.as_deref(), Some("0.166.0"));
        for session in [&session, &other] {
            assert_eq!(taken_over(session).await, ["0.166.0"]);
            noticed_nothing_else(session).await;
        }
        stage.close().await;
    }))
    .await;
}

/// A Codex that holds its threads is asked to let go of them.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_waits_for_a_thread_that_the_old_codex_holds() {
    in_time(Box::pin(async {
        let installed = Installed::of("0.166.0");
        let stage = Setup::real_at(&installed.program()).open().await;
        let (session, other) = (stage.session().await, stage.session().await);
        assert_eq!(say(&other, "[stream]").await.state, MessageState::Completed);
        let mut watch = Watch::of(&session).await;
        let running = session.send(Message::text("[approve]")).await.unwrap();
        let approval = watch.approval().await;
        installed.install("0.166.0");
        assert_eq!(say(&other, "[stream]").await.state, MessageState::Completed, "it waits for nobody");
        assert_eq!(taken_over(&other).await, ["0.166.0"]);
        session.answer(approval.approval_id, Answer::new(Decision::Accept, "ann")).await.unwrap();
        assert_eq!(end(&session, running.message_id).await.state, MessageState::Completed);
        for session in [&session, &other] {
            assert_eq!(say(session, "[stream]").await.state, MessageState::Completed);
            assert_eq!(taken_over(session).await, ["0.166.0"]);
            noticed_nothing_else(session).await;
        }
        stage.close().await;
    }))
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn back_again_where_codex_allows_it() {
    in_time(Box::pin(async {
        let installed = Installed::of("0.166.0");
        let stage = Setup::real_at(&installed.program()).open().await;
        let session = stage.session().await;
        assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed);
        for (older, said) in [("0.120.0", 2), ("0.98.0", 3)] {
            installed.install(older);
            assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed);
            assert_eq!(version(&session).await.as_deref(), Some(older));
            assert_eq!(asked_words(&stage), said, "the model knows what was said before");
        }
        assert_eq!(taken_over(&session).await, ["0.120.0", "0.98.0"]);
        noticed_nothing_else(&session).await;
        stage.close().await;
    }))
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_codex_does_not_allow_it_the_error_says_what_to_do() {
    in_time(Box::pin(async {
        let installed = Installed::of("0.120.0");
        let stage = Setup::real_at(&installed.program()).open().await;
        let session = with_lookup(&stage).await;
        assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed);
        installed.install("0.72.0");
        let refused = say(&session, "[stream]").await;
        let error = refused.error.expect("an error");
        assert_eq!((refused.state, error.code.as_str()), (MessageState::Failed, "codex_too_old"));
        assert_eq!(error.message, "this Codex cannot use a session's own tools");
        assert!(error.hint.unwrap().contains("use a newer Codex"));
        installed.install("0.120.0");
        assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed, "it is not stuck");
        assert_eq!(asked_words(&stage), 2, "what was refused never reached the model");
        stage.close().await;
    }))
    .await;
}
