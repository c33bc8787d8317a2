//! What more is said to a task: the answer to its question, or words that it goes on by.

use selvedge_runtime::Answer;
use selvedge_session::{BusyPolicy, MessageId};
use uuid::Uuid;

use super::{Desk, Sent, fault, now, sending::unwritten};
use crate::a2a::{
    following::Following,
    notes::{self, FoundTask, SaidNote},
    parts,
    words::{Fault, Kind, Message, Send, State},
};

impl Desk {
    /// Something more is said to a task.
    pub(super) async fn go_on(&self, task: &str, asked: &Send) -> Result<Sent, Fault> {
        let following = self.follow(task).await?;
        let found = following.found().clone();
        if asked.message.context.as_ref().is_some_and(|context| *context != found.note.context) {
            return Err(Fault::invalid("message.contextId", "the task is of another context"));
        }
        parts::check(&self.agent, &asked.message, &asked.modes)?;
        match following.telling().state() {
            state if state.is_end() => return Err(ended(task)),
            State::InputRequired => self.answer(&following, &asked.message).await?,
            state => {
                let mut asked = asked.clone();
                let joins = (state != State::AuthRequired).then_some(BusyPolicy::Steer);
                asked.wishes.busy_policy = asked.wishes.busy_policy.or(joins);
                self.add(&found, &asked).await?;
            }
        }
        self.task(found).await
    }

    /// Answers what Codex asks.
    async fn answer(&self, following: &Following, message: &Message) -> Result<(), Fault> {
        let Some(question) = following.telling().question() else { return Ok(()) };
        if !self.may_approve {
            let message = "the token has no scope `approve`: it cannot answer what the agent asks";
            return Err(Fault::new(Kind::Forbidden, message));
        }
        let found = following.found();
        self.remember(found, MessageId(Uuid::now_v7()), message).await?;
        let reply = question.answered_by(message);
        let answer = Answer {
            decision: reply.decision,
            by: self.sender(),
            message: reply.message,
            content: reply.content,
        };
        let session = self.runtime().session(found.session).await.map_err(fault)?;
        session.answer(question.id, answer).await.map_err(fault)
    }

    /// Sends another message that the task goes on by.
    async fn add(&self, found: &FoundTask, asked: &Send) -> Result<(), Fault> {
        let id = MessageId(Uuid::now_v7());
        let message = self.message(id, asked).await?;
        self.remember(found, id, &asked.message).await?;
        let session = self.runtime().session(found.session).await.map_err(fault)?;
        let why = match self.hand_over(&session, message).await {
            Ok(()) if self.lives_by(found, id).await? => return Ok(()),
            // It ended between the look and the words, which would be done for nobody.
            Ok(()) => {
                self.take_back_one(&session, id).await?;
                ended(&found.id.to_string())
            }
            Err(error) => fault(error),
        };
        let notes = vec![(notes::said(found.id, id), None)];
        self.runtime().note(found.session, notes).await.map_err(fault)?;
        Err(why)
    }

    /// Whether a message that was sent is one of the task's.
    async fn lives_by(&self, found: &FoundTask, message: MessageId) -> Result<bool, Fault> {
        let following = Following::at_a_glance(self.runtime(), found.clone()).await.map_err(fault)?;
        Ok(following.telling().lives_by(message))
    }

    async fn remember(&self, found: &FoundTask, id: MessageId, message: &Message) -> Result<(), Fault> {
        let said = serde_json::to_value(SaidNote { at: now(), message: message.json() })
            .map_err(|error| unwritten(&error))?;
        let notes = vec![(notes::said(found.id, id), Some(said))];
        self.runtime().note(found.session, notes).await.map_err(fault)
    }
}

fn ended(task: &str) -> Fault {
    let message = format!("the task {task} has ended: send a message without `taskId` to go on");
    Fault::new(Kind::Unsupported, message).about("taskId", task)
}
