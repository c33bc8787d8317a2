//! `SendMessage` and `SendStreamingMessage`: a message becomes a task, goes on with one, or answers its question.

use std::collections::BTreeMap;

use selvedge_runtime::{Answer, Message as Sending, SessionHandle};
use selvedge_session::{BusyPolicy, Code, Json, MessageId, Options, SessionId};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Desk, fault, now};
use crate::a2a::{
    agents::{Agent, Answers},
    following::Following,
    notes::{self, Closed, FoundTask, SaidNote, TaskNote},
    parts, tools,
    words::{Fault, Kind, Message, Role, Send, State, Wishes},
};

/// The longest name of a context, in bytes.
const LONGEST_NAME: usize = 1_024;

/// What became of a message.
pub(crate) enum Sent {
    /// A task that goes on.
    Task(Box<Following>),
    /// It is answered with this, and that is all.
    Message(Message),
}

/// A context: a session, as its caller calls it.
struct Context {
    name: String,
    session: SessionHandle,
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
        let context = self.context(asked.message.context.as_deref()).await?;
        if parts::is_blank(&asked.message) {
            let id = Uuid::now_v7().to_string();
            let words = Message::of_agent(id, "(empty prompt — nothing to do)");
            return Ok(Sent::Message(words.within(&context.name, None)));
        }
        let id = MessageId(Uuid::now_v7());
        let after = self.newest(context.session.id()).await?;
        let note = TaskNote {
            context: context.name.clone(),
            after,
            at: now(),
            message: asked.message.json(),
            closed: None,
        };
        let found = FoundTask { id, session: context.session.id(), note };
        self.write_new(&found).await?;
        if let Some(push) = push {
            self.keep_push(id, context.session.id(), push).await?;
        }
        let message = self.message(id, asked).await?;
        match self.hand_over(&context.session, message).await {
            Ok(()) => self.task(found).await,
            Err(error) if error.code == Code::Busy => self.reject(found).await,
            Err(error) => Err(fault(error)),
        }
    }

    /// A message to a session; one that stopped is started again, for nobody else will.
    async fn hand_over(
        &self,
        session: &SessionHandle,
        message: Sending,
    ) -> Result<(), selvedge_runtime::Error> {
        match session.send(message.clone()).await {
            Err(error) if error.code == Code::NotRunning => {
                session.start().await?;
                session.send(message).await.map(drop)
            }
            sent => sent.map(drop),
        }
    }

    async fn message(&self, id: MessageId, asked: &Send) -> Result<Sending, Fault> {
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
            Some(Closed { state: State::Rejected.name().to_owned(), at: now(), why: Some(why) });
        self.write(&found).await?;
        self.gateway.deliveries().look_again(&self.gateway, found.id).await.map_err(fault)?;
        self.task(found).await
    }

    /// Something more is said to a task.
    async fn go_on(&self, task: &str, asked: &Send) -> Result<Sent, Fault> {
        let following = self.follow(task).await?;
        let found = following.found().clone();
        if asked.message.context.as_ref().is_some_and(|context| *context != found.note.context) {
            return Err(Fault::invalid("message.contextId", "the task is of another context"));
        }
        parts::check(&self.agent, &asked.message, &asked.modes)?;
        match following.telling().state() {
            state if state.is_end() => {
                let message = format!("the task {task} has ended: send a message without `taskId` to go on");
                return Err(Fault::new(Kind::Unsupported, message).about("taskId", task));
            }
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
        self.remember(found, id, &asked.message).await?;
        let message = self.message(id, asked).await?;
        let session = self.runtime().session(found.session).await.map_err(fault)?;
        self.hand_over(&session, message).await.map_err(fault)
    }

    async fn remember(&self, found: &FoundTask, id: MessageId, message: &Message) -> Result<(), Fault> {
        let said = serde_json::to_value(SaidNote { at: now(), message: message.json() })
            .map_err(|error| unwritten(&error))?;
        let notes = vec![(notes::said(found.id, id), Some(said))];
        self.runtime().note(found.session, notes).await.map_err(fault)
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

    async fn task(&self, found: FoundTask) -> Result<Sent, Fault> {
        let following = Following::open(self.runtime(), found).await.map_err(fault)?;
        Ok(Sent::Task(Box::new(following)))
    }

    async fn newest(&self, session: SessionId) -> Result<u64, Fault> {
        Ok(self.runtime().event_page(session, 0, 1).await.map_err(fault)?.last_seq)
    }

    /// The session that a context is; a new one, if nobody knows it.
    async fn context(&self, name: Option<&str>) -> Result<Context, Fault> {
        let runtime = self.runtime();
        if name.is_some_and(|name| name.len() > LONGEST_NAME) {
            return Err(Fault::invalid("message.contextId", "it may have 1,024 bytes"));
        }
        if let Some(name) = name {
            let key = self.whose.context(name);
            if let Some(note) = runtime.noted(&key).await.map_err(fault)? {
                let session = runtime.session(note.session).await.map_err(fault)?;
                return Ok(Context { name: name.to_owned(), session });
            }
            // Another one's session looks like none, and is not made anew under its id.
            if let Ok(id) = name.parse()
                && runtime.session(SessionId(id)).await.is_ok()
            {
                let message = format!("there is no context {name:?}");
                return Err(Fault::new(Kind::TaskNotFound, message).about("contextId", name));
            }
        }
        self.new_context(name).await
    }

    async fn new_context(&self, name: Option<&str>) -> Result<Context, Fault> {
        let labels = [("a2a_agent", &self.whose.agent), ("a2a_caller", &self.whose.owner)];
        let labels = labels.map(|(name, value)| (name.to_owned(), value.clone()));
        let mut new = self.agent.session(BTreeMap::from(labels), tools::of(&self.agent));
        // Two messages at once with the same new name are of one context.
        new.idempotency_key = name.map(|name| self.whose.context(name));
        let session = self.runtime().create(new).await.map_err(fault)?;
        let name = name.map_or_else(|| session.id().to_string(), str::to_owned);
        let note = (self.whose.context(&name), Some(Value::from(name.as_str())));
        self.runtime().note(session.id(), vec![note]).await.map_err(fault)?;
        Ok(Context { name, session })
    }
}

fn unwritten(error: &serde_json::Error) -> Fault {
    Fault::new(Kind::Internal, format!("it cannot be kept: {error}"))
}
