//! What an older Codex lacks: something else takes its place and is said once, or it is refused with what to do.

use selvedge_runtime::{
    Fork, Message, MessageState, SessionHandle,
    session::{ApprovalPolicy, BusyPolicy, Code, PermissionMode, Settings, What, data::DeltaKind},
};
use serde_json::json;

use crate::{
    setup::{Setup, codex, in_time},
    stage::{Stage, end, say},
    tools::with_lookup,
    watch::{Watch, history, warnings},
};

/// Plays a case on each of these versions.
macro_rules! on {
    ($($case:ident: [$($version:literal),+]),+ $(,)?) => {$(
        #[tokio::test(flavor = "multi_thread")]
        async fn $case() {
            for version in [$($version),+] {
                in_time(played::$case(Setup::real_at(&codex(version)).open().await)).await;
            }
        }
    )+};
}

on!(
    a_steer_waits_for_the_end_of_the_turn: ["0.98.0", "0.72.0"],
    on_failure_is_kept_where_it_exists: ["0.120.0", "0.98.0"],
    the_nearest_effort_takes_the_place_of_one_that_is_missing: ["0.120.0", "0.98.0"],
    a_fork_up_to_a_message_is_refused_where_turns_have_no_names: ["0.98.0"],
    what_cannot_be_replaced_is_refused_with_what_to_do: ["0.72.0"],
    what_is_told_twice_is_heard_once: ["0.98.0", "0.72.0"],
    a_turn_cut_in_its_words_is_run_again_by_the_record: ["0.98.0", "0.72.0"],
);

async fn sent(session: &SessionHandle, message: Message) -> selvedge_runtime::MessageView {
    let sent = session.send(message).await.unwrap();
    end(session, sent.message_id).await
}

mod played {
    use super::*;

    pub(super) async fn a_steer_waits_for_the_end_of_the_turn(stage: Stage) {
        let session = stage.session().await;
        for _ in 0..2 {
            let mut watch = Watch::of(&session).await;
            let running = session.send(Message::text("[thread gold]")).await.unwrap();
            let opened = |event: &selvedge_runtime::session::Event| match &event.what {
                What::MessageStarted(it) if it.message_id == running.message_id => Some(()),
                _ => None,
            };
            watch.until(opened).await;
            watch.piece(DeltaKind::Text).await;
            let steer = Message::text("[steered] and this").when_busy(BusyPolicy::Steer);
            let steer = session.send(steer).await.unwrap();
            assert_eq!(end(&session, running.message_id).await.text, "gold ".repeat(40));
            let steered = end(&session, steer.message_id).await;
            assert_eq!((steered.state, steered.text.as_str()), (MessageState::Completed, "Steered."));
            assert_eq!(steered.steered_into, None);
        }
        assert_eq!(warnings(&session).await, ["ability_missing"], "said once");
        stage.close().await;
    }

    pub(super) async fn on_failure_is_kept_where_it_exists(stage: Stage) {
        let policy = |settings: &mut Settings| settings.approval_policy = Some(ApprovalPolicy::OnFailure);
        let session = stage.session_with(policy).await;
        assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed);
        assert_eq!(warnings(&session).await, Vec::<String>::new());
        stage.close().await;
    }

    pub(super) async fn the_nearest_effort_takes_the_place_of_one_that_is_missing(stage: Stage) {
        let session = stage.session_with(|settings| settings.effort = Some("max".into())).await;
        assert_eq!(say(&session, "[stream]").await.state, MessageState::Completed);
        let asked = stage.asked().pop().unwrap();
        assert_eq!(asked["reasoning"]["effort"], "xhigh");
        say(&session, "[stream]").await;
        assert_eq!(warnings(&session).await, ["ability_missing"], "said once");
        stage.close().await;
    }

    pub(super) async fn a_fork_up_to_a_message_is_refused_where_turns_have_no_names(stage: Stage) {
        let session = stage.session().await;
        let first = say(&session, "[think]").await;
        say(&session, "[stream]").await;
        let fork = session.fork(Fork::after(first.message_id)).await.unwrap();
        let refused = say(&fork, "[steered]").await;
        assert_eq!(refused.error.unwrap().code, Code::CodexTooOld.as_str());
        let whole = session.fork(Fork::default()).await.unwrap();
        assert_eq!(say(&whole, "[steered]").await.text, "Steered.");
        stage.close().await;
    }

    pub(super) async fn what_cannot_be_replaced_is_refused_with_what_to_do(stage: Stage) {
        let plan = |settings: &mut Settings| settings.permission_mode = Some(PermissionMode::Plan);
        let usual = stage.session().await;
        let schema = json!({"type": "object", "properties": {}});
        let mut structured = Message::text("[answer fixed]");
        structured.options.output_schema = Some(schema.into());
        let (tools, plans) = (with_lookup(&stage).await, stage.session_with(plan).await);
        let refused = [
            sent(&usual, structured).await,
            sent(&tools, Message::text("[tool]")).await,
            sent(&plans, Message::text("[stream]")).await,
        ];
        for refused in refused {
            let error = refused.error.expect("an error");
            assert_eq!(error.code, Code::CodexTooOld.as_str(), "{}", error.message);
            assert!(error.hint.unwrap().contains("use a newer Codex"));
        }
        assert_eq!(stage.asked().len(), 0, "the model was asked nothing");
        assert_eq!(say(&usual, "[stream]").await.state, MessageState::Completed, "and the session goes on");
        stage.close().await;
    }

    pub(super) async fn what_is_told_twice_is_heard_once(stage: Stage) {
        let session = stage.session().await;
        assert_eq!(say(&session, "[stream]").await.text, "One two three four five six seven eight nine ten.");
        assert!(stage.runtime.ignored().twins > 0, "it is counted");
        let unknown = history(&session).await.into_iter().filter_map(|event| match event.what {
            What::CodexUnknown(it) => Some(it.raw),
            _ => None,
        });
        let told: Vec<_> = unknown.filter(|raw| raw.contains("agent_message")).collect();
        assert_eq!(told, Vec::<String>::new());
        stage.close().await;
    }

    pub(super) async fn a_turn_cut_in_its_words_is_run_again_by_the_record(stage: Stage) {
        let session = stage.session().await;
        say(&session, "[think]").await;
        let mut watch = Watch::of(&session).await;
        let sent = session.send(Message::text("[thread gold]")).await.unwrap();
        watch.until(|event| (event.what.name() == "message.finished").then_some(())).await;
        watch.piece(DeltaKind::Text).await;
        stage.kill_app_servers();
        let ended = end(&session, sent.message_id).await;
        assert_eq!((ended.state, ended.text), (MessageState::Completed, "gold ".repeat(40)));
        stage.close().await;
    }
}
