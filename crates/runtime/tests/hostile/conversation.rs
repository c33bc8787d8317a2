//! A conversation with everything in it: words, approvals, a tool, a plan, an interrupt, a steer, a fork, a sub-agent, a command,
//! a kill -9 in the middle, and what comes after it.

use std::fs;

use selvedge_runtime::{
    Answer, Fork, Message, MessageView, SessionHandle,
    session::{
        BusyPolicy, Event, MessageId, SessionId, Settings, ToolSpec, What,
        data::{Decision, DeltaKind},
    },
};
use serde_json::json;

use crate::{
    stage::{Stage, end},
    watch::Watch,
};

/// How a message may end.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Expected {
    /// With these words.
    Words(&'static str),
    /// Stopped by us.
    Stopped,
    /// With these words; or, because it was cut, said to be lost.
    WordsOrLost(&'static str),
}

/// One message that has ended.
pub(crate) struct Ended {
    pub(crate) said: &'static str,
    pub(crate) view: MessageView,
    pub(crate) expected: Expected,
}

/// A conversation that has been held.
pub(crate) struct Talk {
    pub(crate) stage: Stage,
    pub(crate) ended: Vec<Ended>,
    pub(crate) sessions: Vec<SessionId>,
    /// The proxies that were killed.
    pub(crate) killed: Vec<i32>,
}

impl Talk {
    /// Holds it. At its end nothing lives, and the runtime has been opened again.
    pub(crate) async fn held(stage: Stage) -> Self {
        let (mut desk, mut workshop) =
            (Party::at_the_desk(&stage).await, Party::in_the_workshop(&stage).await);
        tokio::join!(desk.decides(&stage), workshop.works());
        let fork = desk.session.fork(Fork::default()).await.unwrap();
        let mut fork = Party::of(fork).await;
        fork.says("[stream]", ALL_TEN).await;
        let killed = workshop.is_cut(&stage).await;
        tokio::join!(desk.says("[stream]", ALL_TEN), workshop.says("[think]", "This way."));
        let stage = stage.again().await;
        let sessions = vec![desk.session.id(), workshop.session.id(), fork.session.id()];
        let mut ended = [desk.ended, workshop.ended, fork.ended].into_iter().flatten().collect::<Vec<_>>();
        for id in &sessions {
            let mut party = Party::of(stage.runtime.session(*id).await.unwrap()).await;
            party.says("[think]", "This way.").await;
            ended.append(&mut party.ended);
        }
        let stage = stage.again().await;
        Self { stage, ended, sessions, killed }
    }
}

const ALL_TEN: &str = "One two three four five six seven eight nine ten.";

/// A session, somebody who reads it, and what became of its messages.
struct Party {
    session: SessionHandle,
    watch: Watch,
    ended: Vec<Ended>,
}

impl Party {
    async fn of(session: SessionHandle) -> Self {
        let watch = Watch::of(&session).await;
        Self { session, watch, ended: Vec::new() }
    }

    async fn at_the_desk(stage: &Stage) -> Self {
        let with_lookup = |settings: &mut Settings| {
            let schema = json!({"type": "object", "properties": {"id": {"type": "string"}}});
            settings.tools.push(ToolSpec {
                name: "lookup".into(),
                description: "Looks something up.".into(),
                input_schema: schema.into(),
                timeout_seconds: None,
            });
        };
        Self::of(stage.session_with(with_lookup).await).await
    }

    async fn in_the_workshop(stage: &Stage) -> Self {
        Self::of(stage.unsandboxed().await).await
    }

    async fn decides(&mut self, stage: &Stage) {
        self.says("[think]", "This way.").await;
        let file = stage.work("approved.txt");
        if self.is_asked(Decision::Accept).await {
            assert_eq!(fs::read_to_string(&file).unwrap(), "approved\n");
            fs::remove_file(&file).unwrap();
        }
        assert!(!file.exists(), "what nobody knows is refused");
        self.is_asked(Decision::Decline).await;
        assert!(!file.exists(), "what was declined is not done");
        self.looks_up().await;
        self.says("[plan]", "Planned.").await;
        self.says("[spawn]", "The child is done.").await;
    }

    async fn works(&mut self) {
        self.says("[run]", "The command has ended.").await;
        self.says("[patch]", "The file was decided.").await;
        self.is_interrupted().await;
        self.is_steered().await;
    }

    async fn says(&mut self, said: &'static str, words: &'static str) {
        let id = self.sends(said).await;
        self.ends(id, said, Expected::Words(words)).await;
    }

    /// Whether the question was one that anybody knows.
    async fn is_asked(&mut self, decision: Decision) -> bool {
        let id = self.sends("[approve]").await;
        let asked = self.watch.until(|event| match &event.what {
            What::ApprovalRequested(it) => Some(Some(it.approval_id)),
            What::MessageFinished(_) => Some(None),
            _ => None,
        });
        let asked = asked.await;
        if let Some(approval) = asked {
            self.session.answer(approval, Answer::new(decision, "ann")).await.unwrap();
        }
        self.ends(id, "[approve]", Expected::Words("The command was decided.")).await;
        asked.is_some()
    }

    async fn looks_up(&mut self) {
        let id = self.sends("[tool]").await;
        let called = self.watch.until(|event| match &event.what {
            What::ToolRequested(it) => Some(Some(it.tool_call_id)),
            What::MessageFinished(_) => Some(None),
            _ => None,
        });
        if let Some(call) = called.await {
            let content = json!([{"type": "text", "text": "about A"}]);
            self.session.answer_tool(call, true, content.into()).await.unwrap();
        }
        self.ends(id, "[tool]", Expected::Words("Looked up.")).await;
    }

    async fn is_interrupted(&mut self) {
        let id = self.sends("[long]").await;
        self.watch.piece(DeltaKind::Output).await;
        self.session.interrupt(false).await.unwrap();
        self.ends(id, "[long]", Expected::Stopped).await;
    }

    async fn is_steered(&mut self) {
        let id = self.sends("[slow]").await;
        self.watch.piece(DeltaKind::Text).await;
        let steer = Message::text("[steered]").when_busy(BusyPolicy::Steer);
        let steer = self.session.send(steer).await.unwrap().message_id;
        self.ends(steer, "[steered]", Expected::Words("Steered.")).await;
        self.ends(id, "[slow]", Expected::Words("Steered.")).await;
    }

    /// kill -9 in the middle of its words.
    async fn is_cut(&mut self, stage: &Stage) -> Vec<i32> {
        let id = self.sends("[thread gold]").await;
        self.watch.piece(DeltaKind::Text).await;
        let proxies = stage.processes().into_iter().filter(|process| process.contains("rehearse proxy"));
        let proxies = proxies.filter_map(|process| process.split(' ').next()?.parse().ok()).collect();
        stage.kill_app_servers();
        self.ends(id, "[thread gold]", Expected::WordsOrLost("gold gold")).await;
        proxies
    }

    async fn sends(&self, said: &'static str) -> MessageId {
        self.session.send(Message::text(said)).await.unwrap().message_id
    }

    async fn ends(&mut self, id: MessageId, said: &'static str, expected: Expected) {
        let view = end(&self.session, id).await;
        let is_its_end =
            |event: &Event| matches!(&event.what, What::MessageFinished(it) if it.message_id == id);
        if !self.watch.seen.iter().any(is_its_end) {
            // What comes next is looked for after this.
            self.watch.finished(id).await;
        }
        self.ended.push(Ended { said, view, expected });
    }
}
