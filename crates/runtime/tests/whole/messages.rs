//! Messages reach their end, and everything on the way is numbered and kept.

use selvedge_runtime::MessageState;

use crate::stage::{Stage, say};

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_answered_on_the_stand_in() {
    answered(Stage::rehearsal().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_answered_by_the_real_codex() {
    answered(Stage::real().await).await;
}

async fn answered(stage: Stage) {
    let session = stage.session().await;
    let view = say(&session, "[stream]").await;
    assert_eq!((view.state, view.error), (MessageState::Completed, None));
    assert_eq!(view.text, "One two three four five six seven eight nine ten.");
    assert_eq!(view.usage.total, 120);
    let again = say(&session, "[think]").await;
    assert_eq!((again.state, again.text.as_str()), (MessageState::Completed, "This way."));
    let summary = session.summary().await.unwrap();
    assert_eq!(summary.usage.total, 270);
    stage.close().await;
}
