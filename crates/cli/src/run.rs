//! `selvedge run`: one message, shown as it is answered, then an exit code that says how it ended.

mod follow;
mod input;
mod options;
mod outcome;
mod signals;
mod surface;

use std::process::ExitCode;

use selvedge_client::{Hint as _, process::find_codex};
use selvedge_runtime::{Config, Message};
use selvedge_session::{ApprovalPolicy, Lifecycle, Sandbox, Unattended};

pub(crate) use options::Options;

use crate::{
    exit,
    failure::Failure,
    ids,
    place::{self, New, Place, Session},
    show::{
        amounts,
        style::{Look, Style},
    },
};
use follow::Follow;
use outcome::Ended;
pub(crate) use surface::Surface;

/// Sends the message and follows it to its end.
pub(crate) fn run(options: &Options) -> Result<ExitCode, Failure> {
    let mut config = options.reach.common.config()?;
    options.record.put_into(&mut config);
    let message = input::message(options)?;
    let chosen = options.reach.choose(&config)?;
    if chosen.is_here() {
        there_is_a_codex(&config)?;
    } else if options.record.is_wanted() {
        let what = "`--record` cannot be said to a gateway: it was told at its own start";
        return Err(Failure::bad_input(what, "leave it away, or work in this process with --local"));
    }
    place::open(chosen, config, |place| async move {
        let surface = Surface::choose(options.json);
        let session = session(&place, options, surface.is_terminal()).await?;
        let ended = sent(&session, message, options, surface).await?;
        Ok(ExitCode::from(ended))
    })
}

async fn sent(
    session: &Session,
    message: Message,
    options: &Options,
    surface: Surface,
) -> Result<u8, Failure> {
    // A new session's own first events belong to it; of an old one only what comes now.
    let after = if options.resume.is_some() { session.summary().await?.last_seq } else { 0 };
    let events = session.events(after).await?;
    let terminal = surface.is_terminal();
    let message_id = session.send(message).await?.message_id;
    let ended = Follow::new(session.clone(), message_id, events, surface)?.until_it_ends().await?;
    let code = ended.tell(options.output_schema.is_some(), options.json || terminal)?;
    if terminal {
        eprintln!("{}", Style::of_terminal().paint(Look::Dim, &goodbye(session, &ended)));
    }
    Ok(code)
}

/// What it used, and how to go on.
fn goodbye(session: &Session, ended: &Ended) -> String {
    let id = ids::short(&session.id());
    let tokens = format!("{} tokens", amounts::count(ended.finished.usage.total));
    let cost = ended.finished.cost_usd.map(amounts::money);
    let used: Vec<_> = [tokens].into_iter().chain(cost).collect();
    format!("session {id} · {} · go on with: selvedge run --resume {id} …", used.join(" · "))
}

/// No Codex is known before anything is written down.
fn there_is_a_codex(config: &Config) -> Result<(), Failure> {
    if config.is_rehearsal() {
        return Ok(());
    }
    match find_codex(config.codex.as_deref()) {
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::new(exit::NO_CODEX, &error, error.hint().as_deref())),
    }
}

async fn session(place: &Place, options: &Options, terminal: bool) -> Result<Session, Failure> {
    let config = place.config();
    // Somebody who is asked can say no; nobody can be asked in a pipe.
    let usual = if terminal { ApprovalPolicy::Untrusted } else { ApprovalPolicy::Never };
    let policy = config.approval_policy.unwrap_or(usual);
    let unattended = if terminal { Unattended::Wait } else { Unattended::Decline };
    if let Some(ending) = &options.resume {
        return resumed(place, ending, (policy, unattended)).await;
    }
    let new = New {
        cwd: place.directory()?,
        approval_policy: policy,
        sandbox: config.sandbox.unwrap_or(Sandbox::WorkspaceWrite),
        unattended,
        backend: place.backend(),
    };
    let session = place.create(new).await?;
    place.say_who_answers(&session).await?;
    Ok(session)
}

/// Whoever resumes a session says go; when it is asked before it acts depends on who is there now.
async fn resumed(
    place: &Place,
    ending: &str,
    (policy, unattended): (ApprovalPolicy, Unattended),
) -> Result<Session, Failure> {
    let session = place.find(ending).await?;
    place.same_backend(&session).await?;
    let summary = session.summary().await?;
    if summary.held || matches!(summary.state, Lifecycle::Stopped | Lifecycle::Failed) {
        session.start().await?;
    }
    session.attend(policy, unattended).await?;
    Ok(session)
}
