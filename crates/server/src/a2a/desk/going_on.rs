//! What more is said to a task: the answer to its question, or words that it goes on by.

use selvedge_runtime::Answer;
use selvedge_session::{BusyPolicy, MessageId};
use uuid::Uuid;

use super::{Desk, Sent, fault, sending::unwritten};
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
                self.add(&following, &asked).await?;
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
        let (found, id) = (following.found(), MessageId(Uuid::now_v7()));
        self.remember(following, id, message).await?;
        let reply = question.answered_by(message);
        let answer = Answer {
            decision: reply.decision,
            by: self.sender(),
            message: reply.message,
            content: reply.content,
        };
        let session = self.runtime().session(found.session).await.map_err(fault)?;
        match session.answer(question.id, answer).await {
            Ok(()) => Ok(()),
            // Somebody else was faster, or this cannot be answered so: nothing was said.
            Err(error) => self.unsay(found, id, fault(error)).await,
        }
    }

    /// Sends another message that the task goes on by.
    async fn add(&self, following: &Following, asked: &Send) -> Result<(), Fault> {
        let (found, id) = (following.found(), MessageId(Uuid::now_v7()));
        let message = self.message(id, asked).await?;
        self.remember(following, id, &asked.message).await?;
        let session = self.runtime().session(found.session).await.map_err(fault)?;
        let why = match self.hand_over(&session, message).await {
            Ok(_) if self.lives_by(found, id).await? => return Ok(()),
            // It ended between the look and the words, which would be done for nobody.
            Ok(_) => {
                self.take_back_one(&session, id).await?;
                ended(&found.id.to_string())
            }
            Err(error) => fault(error),
        };
        self.unsay(found, id, why).await
    }

    /// What was refused was not said.
    async fn unsay(&self, found: &FoundTask, id: MessageId, why: Fault) -> Result<(), Fault> {
        let notes = vec![(notes::said(found.id, id), None)];
        self.runtime().note(found.session, notes).await.map_err(fault)?;
        Err(why)
    }

    /// Whether a message that was sent is one of the task's.
    async fn lives_by(&self, found: &FoundTask, message: MessageId) -> Result<bool, Fault> {
        let following = Following::at_a_glance(self.runtime(), found.clone()).await.map_err(fault)?;
        Ok(following.telling().lives_by(message))
    }

    async fn remember(&self, following: &Following, id: MessageId, message: &Message) -> Result<(), Fault> {
        let found = following.found();
        let said = SaidNote { at: self.now(), after: following.seq(), message: message.json() };
        let said = serde_json::to_value(said).map_err(|error| unwritten(&error))?;
        let notes = vec![(notes::said(found.id, id), Some(said))];
        self.runtime().note(found.session, notes).await.map_err(fault)
    }
}

fn ended(task: &str) -> Fault {
    let message = format!("the task {task} has ended: send a message without `taskId` to go on");
    Fault::new(Kind::Unsupported, message).about("taskId", task)
}
