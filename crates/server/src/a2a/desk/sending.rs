//! `SendMessage` and `SendStreamingMessage`: a message becomes a task, goes on with one, or answers its question.

use selvedge_runtime::{Message as Sending, SessionHandle};
use selvedge_session::{Code, Json, MessageId, Options, SessionId};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Desk, fault};
use crate::a2a::{
    agents::{Agent, Answers},
    following::Following,
    notes::{Closed, FoundTask, TaskNote},
    parts,
    words::{Fault, Kind, Message, Role, Send, State, Wishes},
};

/// What became of a message.
pub(crate) enum Sent {
    /// A task that goes on.
    Task(Box<Following>),
    /// It is answered with this, and that is all.
    Message(Message),
}

impl Desk {
    /// Takes a message. What it came to is for the caller to wait for.
    pub(crate) async fn send(&self, asked: &Send) -> Result<Sent, Fault> {
        if self.gateway.is_draining() {
            return Err(Fault::new(Kind::Unavailable, "the gateway is ending and takes nothing new"));
        }
        if asked.message.role != Role::User {
            return Err(Fault::invalid("message.role", "a message to an agent has ROLE_USER"));
        }
        match &asked.message.task {
            Some(task) => self.go_on(task, asked).await,
            None => self.begin(asked).await,
        }
    }

    /// `SendMessage`: the task when it has ended or waits for somebody, or at once if that is wanted.
    pub(crate) async fn send_and_wait(&self, params: &Value) -> Result<Value, Fault> {
        let asked = Send::read(params)?;
        match self.send(&asked).await? {
            Sent::Message(message) => Ok(json!({"message": message.json()})),
            Sent::Task(mut following) => {
                if !asked.at_once {
                    self.settled(&mut following).await?;
                }
                Ok(self.plainly(&following, &asked))
            }
        }
    }

    /// What a message came to: its task, or what the agent says if it answers plain questions so.
    pub(crate) fn plainly(&self, following: &Following, asked: &Send) -> Value {
        let task = following.telling().task();
        let plain = self.is_plain(asked) && !asked.at_once && task.status.state == State::Completed;
        match task.artifacts.first().filter(|_| plain) {
            Some(answer) => {
                let mut message =
                    Message::of_agent(format!("{}-answer", task.id), "").within(&task.context, None);
                message.parts.clone_from(&answer.parts);
                json!({"message": message.json()})
            }
            None => json!({"task": task.with_history(asked.history).json()}),
        }
    }

    /// Waits until a task has ended or waits for somebody; also when the gateway ends.
    pub(crate) async fn settled(&self, following: &mut Following) -> Result<(), Fault> {
        tokio::select! {
            rest = following.rest() => rest.map_err(fault),
            () = self.gateway.closing() => Ok(()),
        }
    }

    /// Whether the agent answers this with a message: a plain question to an agent that is set to do so.
    pub(crate) fn is_plain(&self, asked: &Send) -> bool {
        let Agent { answers, plain, .. } = &*self.agent;
        let text = asked.message.text();
        *answers == Answers::Message
            && asked.message.task.is_none()
            && asked.push.is_none()
            && (plain.is_empty() || plain.iter().any(|words| text.contains(words.as_str())))
    }

    async fn begin(&self, asked: &Send) -> Result<Sent, Fault> {
        parts::check(&self.agent, &asked.message, &asked.modes)?;
        let push = asked.push.as_ref().map(|push| self.pushed_with(push)).transpose()?;
        let context = self.context(asked.message.context.as_deref(), asked.key.as_deref()).await?;
        if parts::is_blank(&asked.message) {
            let id = Uuid::now_v7().to_string();
            let words = Message::of_agent(id, "(empty prompt — nothing to do)");
            return Ok(Sent::Message(words.within(&context.name, None)));
        }
        let id = MessageId(Uuid::now_v7());
        let message = self.message(id, asked).await?;
        let after = self.newest(context.session.id()).await?;
        let note = TaskNote {
            context: context.name.clone(),
            after,
            at: self.now(),
            run: Some(self.gateway.run()),
            message: asked.message.json(),
            closed: None,
        };
        let found = FoundTask { id, session: context.session.id(), note };
        self.write_new(&found).await?;
        if let Some(push) = push
            && let Err(why) = self.keep_push(id, context.session.id(), push).await
        {
            return self.unmake(&found, why).await;
        }
        match self.hand_over(&context.session, message).await {
            Ok(taken) if taken == id => self.task(found).await,
            Ok(before) => self.taken_before(found, before).await,
            Err(error) if error.code == Code::Busy => self.reject(found).await,
            Err(error) => self.unmake(&found, fault(error)).await,
        }
    }

    /// It is refused, and leaves nothing.
    async fn unmake(&self, found: &FoundTask, why: Fault) -> Result<Sent, Fault> {
        self.forget(found).await.map_err(fault)?;
        Err(why)
    }

    /// The same message came before: it is the task that it became then.
    async fn taken_before(&self, again: FoundTask, before: MessageId) -> Result<Sent, Fault> {
        self.forget(&again).await.map_err(fault)?;
        let found = self.whose.find(self.runtime(), before).await.map_err(fault)?;
        self.task(found.unwrap_or(again)).await
    }

    /// A message to a session; one that stopped is started again, for nobody else will. Answers which message it is: one
    /// with a key may have been taken before.
    pub(super) async fn hand_over(
        &self,
        session: &SessionHandle,
        message: Sending,
    ) -> Result<MessageId, selvedge_runtime::Error> {
        let sent = match session.send(message.clone()).await {
            Err(error) if error.code == Code::NotRunning => {
                session.start().await?;
                session.send(message).await
            }
            sent => sent,
        };
        sent.map(|receipt| receipt.message_id)
    }

    pub(super) async fn message(&self, id: MessageId, asked: &Send) -> Result<Sending, Fault> {
        let Wishes { busy_policy, output_schema, deadline_seconds } = &asked.wishes;
        let options = Options {
            busy_policy: *busy_policy,
            output_schema: output_schema.clone().map(Json::from),
            deadline_seconds: *deadline_seconds,
            queue_seconds: self.agent.queue_seconds,
            ..Options::default()
        };
        let input = parts::input(&self.inbox(id), &asked.message).await?;
        Ok(Sending {
            id: Some(id),
            input,
            options,
            sender: Some(self.sender()),
            idempotency_key: asked.key.clone(),
        })
    }

    /// Where the files of a message go.
    fn inbox(&self, message: MessageId) -> std::path::PathBuf {
        let work = self.agent.cwd.clone().unwrap_or_default();
        std::path::Path::new(&work).join(".selvedge").join("inbox").join(message.to_string())
    }

    /// A busy agent that takes nothing has rejected the task; that it did is remembered.
    async fn reject(&self, mut found: FoundTask) -> Result<Sent, Fault> {
        let why = "the agent is busy, and takes nothing meanwhile; send it again later".to_owned();
        found.note.closed =
            Some(Closed { state: State::Rejected.name().to_owned(), at: self.now(), why: Some(why) });
        self.write(&found).await?;
        self.gateway.deliveries().look_again(&self.gateway, found.id).await.map_err(fault)?;
        self.task(found).await
    }

    pub(super) async fn write(&self, found: &FoundTask) -> Result<(), Fault> {
        let notes = vec![self.note(found)?];
        self.runtime().note(found.session, notes).await.map_err(fault)
    }

    async fn write_new(&self, found: &FoundTask) -> Result<(), Fault> {
        let notes = vec![self.note(found)?, self.whose.opened(found.id)];
        self.runtime().note(found.session, notes).await.map_err(fault)
    }

    fn note(&self, found: &FoundTask) -> Result<(String, Option<Value>), Fault> {
        let note = serde_json::to_value(&found.note).map_err(|error| unwritten(&error))?;
        Ok((self.whose.task(found.id), Some(note)))
    }

    pub(super) async fn task(&self, found: FoundTask) -> Result<Sent, Fault> {
        let following = Following::open(self.runtime(), found).await.map_err(fault)?;
        Ok(Sent::Task(Box::new(following)))
    }

    async fn newest(&self, session: SessionId) -> Result<u64, Fault> {
        Ok(self.runtime().event_page(session, 0, 1).await.map_err(fault)?.last_seq)
    }
}

pub(super) fn unwritten(error: &serde_json::Error) -> Fault {
    Fault::new(Kind::Internal, format!("it cannot be kept: {error}"))
}
