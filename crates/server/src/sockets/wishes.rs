//! What somebody on a socket wants done, done. The one place, whatever language it was said in.

use selvedge_dialects::{Picture, Wish};
use selvedge_runtime::{Answer, Error, Fork, Kept, Message, Part, SessionHandle};
use selvedge_session::{Code, Options, SessionId};

use super::Guest;
use crate::access::Scope;

/// What became of a wish.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Granted {
    /// It is done, or was before.
    Done,
    /// This session was made.
    Made(SessionId),
}

/// What is wanted, as it was said.
pub(crate) struct Wanted<'a> {
    /// By which it is done once, however often it is said.
    pub(crate) key: Option<&'a str>,
    /// The words themselves: another wish under the same key is refused.
    pub(crate) words: &'a str,
}

impl Guest {
    /// Does what is wanted, in order, up to the first that is refused. With a key each is done once.
    pub(crate) async fn grant(&self, wanted: &Wanted<'_>, wishes: Vec<Wish>) -> Result<Granted, Error> {
        let mut granted = Granted::Done;
        for (place, wish) in wishes.into_iter().enumerate() {
            self.admit(&wish)?;
            let key = wanted.key.map(|key| self.key(key, place));
            granted = match (key, wish) {
                (key, Wish::Send { text, pictures, when_busy, .. }) => {
                    let said = Message { idempotency_key: key, ..message(text, pictures) };
                    let said = Message { sender: Some(self.caller.name.clone()), ..said };
                    let options = Options { busy_policy: when_busy, ..said.options };
                    self.session.send(Message { options, ..said }).await?;
                    Granted::Done
                }
                (key, Wish::Fork) => {
                    let fork = Fork { idempotency_key: key, ..Fork::default() };
                    Granted::Made(self.session.fork(fork).await?.id())
                }
                (Some(key), wish) => self.once(&key, wanted.words, self.act(wish)).await?,
                (None, wish) => self.act(wish).await?,
            };
        }
        Ok(granted)
    }

    /// Whether this was done before: then it is not refused now because it cannot be done twice.
    pub(crate) async fn was_done(&self, wanted: &Wanted<'_>) -> bool {
        let Some(key) = wanted.key else { return false };
        let never = async { Err(Error::of(Code::AlreadyAnswered)) };
        self.once(&self.key(key, 0), wanted.words, never).await.is_ok()
    }

    fn key(&self, key: &str, place: usize) -> String {
        format!("{}/{}/{key}/{place}", self.caller.name, self.session.id())
    }

    /// Whether the token may, and whether the gateway still takes it.
    fn admit(&self, wish: &Wish) -> Result<(), Error> {
        let scope = match wish {
            Wish::Answer { .. } => Scope::Approve,
            _ => Scope::Write,
        };
        if !self.visit.may(scope) {
            let words = format!("the token has no scope `{}`", scope.as_str());
            return Err(Error::coded(Code::Forbidden, words).hint("use a token that has it"));
        }
        let begins_work = matches!(wish, Wish::Send { .. } | Wish::Fork);
        if begins_work && self.gateway.is_draining() {
            return Err(Error::of(Code::Draining));
        }
        Ok(())
    }

    async fn once(
        &self,
        key: &str,
        words: &str,
        work: impl Future<Output = Result<Granted, Error>>,
    ) -> Result<Granted, Error> {
        let work = async { work.await.map(|_| Kept::default()) };
        let done: Result<Kept, Error> = self.gateway.runtime().once(key, &words.to_owned(), work).await;
        done.map(|_| Granted::Done)
    }

    async fn act(&self, wish: Wish) -> Result<Granted, Error> {
        let session: &SessionHandle = &self.session;
        match wish {
            Wish::Interrupt => match session.interrupt(false).await {
                // Nothing runs: that is what was wanted.
                Err(error) if matches!(error.code, Code::Idle | Code::NotRunning) => {}
                done => done?,
            },
            Wish::Answer { approval_id, decision, message, content } => {
                let by = self.caller.name.clone();
                session.answer(approval_id, Answer { decision, by, message, content }).await?;
            }
            Wish::AnswerTool { tool_call_id, success, content } => {
                session.answer_tool(tool_call_id, success, content).await?;
            }
            Wish::Update(patch) => session.update(*patch).await?,
            // Seldom wanted, and larger than all the others.
            Wish::SwitchServer { name, enabled } => {
                Box::pin(session.switch_mcp_server(&name, enabled)).await?;
            }
            Wish::RestartServers => Box::pin(session.restart_mcp_servers()).await?,
            Wish::AddServers(servers) => Box::pin(session.add_mcp_servers(servers)).await?,
            Wish::Send { .. } | Wish::Fork => {}
        }
        Ok(Granted::Done)
    }
}

fn message(text: String, pictures: Vec<Picture>) -> Message {
    let words = Some(text).filter(|text| !text.is_empty()).map(Part::Text);
    let shown = pictures.into_iter().map(|Picture { media_type, data }| {
        // As a page sends them over HTTP, and checked as those are.
        Part::ImageUrl(format!("data:{media_type};base64,{data}"))
    });
    Message { input: words.into_iter().chain(shown).collect(), ..Message::default() }
}
