//! Finds out what became of a message: after a crash, after a `turn/start` without an answer, and after silence.
//!
//! A stored user message with our id means that it ran; none means that nothing reached the model. Whether a cut turn had
//! acted is read from Codex's own rollout file, because its history shows no command that was cut short.

mod history;
mod record;
mod rollout;
mod stored;

use std::path::PathBuf;

use selvedge_client::{Abilities, CallError, Client, History};
use selvedge_protocol::{calls, say::ThreadReadParams, see::ThreadStatus};
use selvedge_session::{MessageId, Timestamp, Verdict};

use crate::to_codex::{Refused, refused};

use history::{Found, find};
use stored::{State, StoredTurn};

/// Who is asked, and what they can be asked.
pub type Whom<'a> = (&'a Client, &'a Abilities);

/// What is asked about.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// In which thread.
    pub thread_id: String,
    /// Which message, if one opened the turn.
    pub message_id: Option<MessageId>,
    /// Which turn, if Codex named it.
    pub turn_id: Option<String>,
    /// The message was to join that turn: it stands in it, or nobody heard it.
    pub steered: bool,
    /// The last turn before it, if there was one: versions that keep no ids of ours have a newer one, or have not.
    pub last_turn_id: Option<String>,
    /// The turn of an earlier attempt, if there was one. It has the message too, and says nothing about this attempt.
    pub dropped: Option<String>,
    /// When it was handed to Codex, if it opened the turn.
    pub begun_at: Option<Timestamp>,
    /// Codex's own record of the thread, if its place is known.
    pub rollout: Option<PathBuf>,
    /// Whether the process that ran it still lives.
    pub alive: bool,
    /// Whether Codex stores nothing of the thread.
    pub ephemeral: bool,
}

/// What became of a message. An error means that nobody answered: the question is still open, and can be asked again.
///
/// Of a message whose process lives, that process is asked. After its death it may be any app-server with the same
/// CODEX_HOME; the thread need not be loaded there.
pub async fn examine(asked: Whom<'_>, question: &Question) -> Result<Verdict, CallError> {
    if question.ephemeral {
        return of_ephemeral(asked, question).await;
    }
    match find(asked, question).await? {
        Found::Turn(turn) => of_turn(asked, question, &turn).await,
        Found::Nothing => of_nothing(asked, question).await,
        Found::NoThread if question.last_turn_id.is_some() => Ok(Verdict::Unknown),
        // A thread is first written with its first message.
        Found::NoThread => of_nothing(asked, question).await,
        Found::Unreadable => of_record(asked, question).await,
    }
}

/// The history says nothing; Codex's own record may.
async fn of_record((client, can): Whom<'_>, question: &Question) -> Result<Verdict, CallError> {
    let (Some(begun_at), false, false) = (question.begun_at, question.alive, can.own_message_ids()) else {
        return Ok(Verdict::Unknown);
    };
    let path = if can.history() == History::OnResume {
        history::record_of(client, &question.thread_id).await?
    } else {
        rollout_of(client, &question.thread_id).await?
    };
    let Some(path) = path else { return Ok(Verdict::Unknown) };
    let read = tokio::task::spawn_blocking(move || record::verdict(&path, begun_at));
    Ok(read.await.unwrap_or(Verdict::Unknown))
}

/// What a turn does now, asked of the process that runs it.
pub async fn turn_now(asked: Whom<'_>, thread_id: &str, turn_id: Option<&str>) -> Result<Verdict, CallError> {
    let question = Question {
        thread_id: thread_id.to_owned(),
        turn_id: turn_id.map(str::to_owned),
        alive: true,
        ..Question::default()
    };
    match find(asked, &question).await? {
        Found::Turn(turn) => of_turn(asked, &question, &turn).await,
        Found::Nothing | Found::NoThread | Found::Unreadable => {
            let active = is_active(asked, thread_id).await?;
            Ok(if active { Verdict::InProgress { turn_id: None } } else { Verdict::Unknown })
        }
    }
}

async fn of_turn(asked: Whom<'_>, question: &Question, turn: &StoredTurn) -> Result<Verdict, CallError> {
    let in_it = question.message_id.is_none_or(|id| turn.may_hold(id));
    // Its name says nothing; whether its thread works does.
    let is_unnamed = matches!(turn.state, State::Unnamed(_)) && question.alive;
    let is_over = is_unnamed && !is_active(asked, &question.thread_id).await?;
    Ok(match &turn.state {
        _ if question.steered && !in_it => Verdict::NeverReached,
        State::Ended(end) => Verdict::Ended(end.clone()),
        State::Unnamed(end) if is_over => Verdict::Ended(end.clone()),
        State::InProgress | State::Unnamed(_) if question.alive => {
            Verdict::InProgress { turn_id: Some(turn.id.clone()) }
        }
        // The turn that it joined may have been cut with an earlier process.
        State::Interrupted(end) if question.alive && !question.steered => Verdict::Ended(end.clone()),
        _ if !in_it => Verdict::NeverReached,
        _ => Verdict::Cut { acted: acted(asked.0, question, &turn.id).await? },
    })
}

/// No trace of it. A living thread that works may have it on its way, and is asked again.
async fn of_nothing(asked: Whom<'_>, question: &Question) -> Result<Verdict, CallError> {
    if question.message_id.is_none() {
        return Ok(Verdict::Unknown);
    }
    let on_its_way = question.alive && is_active(asked, &question.thread_id).await?;
    Ok(if on_its_way { Verdict::InProgress { turn_id: None } } else { Verdict::NeverReached })
}

/// Of a thread that is not stored only its process can say anything, and only that it works.
async fn of_ephemeral(asked: Whom<'_>, question: &Question) -> Result<Verdict, CallError> {
    let works = question.alive && is_active(asked, &question.thread_id).await?;
    Ok(if works { Verdict::InProgress { turn_id: None } } else { Verdict::Unknown })
}

/// Whether a thread works. A version that does not say so may well: only what has ended is known to have.
async fn is_active((client, can): Whom<'_>, thread_id: &str) -> Result<bool, CallError> {
    if can.history() == History::OnResume {
        return Ok(true);
    }
    let answer = match client.call::<calls::ThreadRead>(&ThreadReadParams::new(thread_id)).await {
        Ok(answer) => answer,
        Err(error) if refused(&error).is_some() => return Ok(false),
        Err(error) => return Err(error),
    };
    let status = answer.read()?.thread().and_then(|thread| thread.status());
    Ok(!matches!(
        status,
        Some(ThreadStatus::Idle(_) | ThreadStatus::NotLoaded(_) | ThreadStatus::SystemError(_))
    ))
}

/// Whether Codex's record shows that the turn did something. What cannot be read counts as yes.
async fn acted(client: &Client, question: &Question, turn_id: &str) -> Result<bool, CallError> {
    let path = match &question.rollout {
        Some(path) => Some(path.clone()),
        None => rollout_of(client, &question.thread_id).await?,
    };
    let Some(path) = path else { return Ok(true) };
    let (message, turn) = (question.message_id.map(|id| id.to_string()), turn_id.to_owned());
    let read = tokio::task::spawn_blocking(move || rollout::acted(&path, message.as_deref(), &turn));
    Ok(read.await.unwrap_or(true))
}

async fn rollout_of(client: &Client, thread_id: &str) -> Result<Option<PathBuf>, CallError> {
    match client.call::<calls::ThreadRead>(&ThreadReadParams::new(thread_id)).await {
        Ok(answer) => {
            let path = answer.read()?.thread().and_then(|thread| thread.path().map(|path| path.into_owned()));
            Ok(path.map(PathBuf::from))
        }
        Err(error) if refused(&error).is_some() => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether a refusal says that there is no such thread.
fn no_thread(error: &CallError) -> bool {
    refused(error) == Some(Refused::ThreadGone)
}
