//! A tour: one message to an app-server, everything it says printed as it comes, every question asked at the terminal.
//!
//! `tour [--yes] PROMPT -- APP-SERVER…` talks to any app-server, for instance to `selvedge rehearse app-server`;
//! `tour [--yes] PROMPT --codex CODEX` to a real Codex whose model is scripted.

mod approve;
mod print;
mod stage;

use std::{error::Error, io::IsTerminal, process::ExitCode};

use approve::Approver;
use selvedge_client::{AppServer, CallError, Client, Introduction, Message};
use selvedge_protocol::{
    asks, calls,
    frame::RequestId,
    say,
    see::{Notification, ServerRequest, TurnStatus},
};
use stage::Stage;

/// What a server request is refused with when we do not know it.
const UNKNOWN_METHOD: i64 = -32601;

struct Arguments {
    prompt: String,
    yes: bool,
    stage: Stage,
}

fn arguments() -> Option<Arguments> {
    let mut rest = std::env::args_os().skip(1).peekable();
    let yes = rest.next_if(|argument| argument == "--yes").is_some();
    let prompt = rest.next()?.into_string().ok()?;
    let stage = match rest.next()?.to_str()? {
        "--" => Stage::Given { program: rest.next()?.into(), arguments: rest.collect() },
        "--codex" => Stage::RealCodex(rest.next()?.into()),
        _ => return None,
    };
    Some(Arguments { prompt, yes, stage })
}

#[tokio::main]
async fn main() -> ExitCode {
    let Some(arguments) = arguments() else {
        eprintln!("usage: tour [--yes] PROMPT (-- APP-SERVER… | --codex CODEX)");
        return ExitCode::from(2);
    };
    match tour(arguments).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}

/// Holds the conversation; true if the turn was completed.
async fn tour(arguments: Arguments) -> Result<bool, Box<dyn Error>> {
    let set = arguments.stage.set().await?;
    let mut server = AppServer::spawn(set.launch.clone())?;
    let info =
        server.client.initialize(&Introduction::new("selvedge_tour", env!("CARGO_PKG_VERSION"))).await?;
    print::note(&format!("connected to {}", info.user_agent()));

    let started = server.client.call::<calls::ThreadStart>(&thread_params()?).await?;
    let thread = started.read()?.thread().ok_or("thread/start gave no thread")?.id.into_owned();
    print::user(&arguments.prompt);
    let input = vec![say::TextUserInput::new(arguments.prompt.as_str()).into()];
    server.client.call::<calls::TurnStart>(&say::TurnStartParams::new(thread.as_str(), input)).await?;

    let approver = Approver { yes: arguments.yes, ask: std::io::stdin().is_terminal() };
    let completed = converse(&mut server, &thread, &approver).await?;
    let end = server.process.shut_down().await;
    print::note(&end.to_string());
    set.strike().await?;
    Ok(completed)
}

fn thread_params() -> Result<say::ThreadStartParams, Box<dyn Error>> {
    let directory =
        std::env::current_dir()?.into_os_string().into_string().map_err(|_| "the path is not UTF-8")?;
    Ok(say::ThreadStartParams {
        cwd: Some(directory),
        approval_policy: Some(say::AskForApproval::OnRequest),
        sandbox: Some(say::SandboxMode::WorkspaceWrite),
        ..say::ThreadStartParams::default()
    })
}

/// Prints and answers until this thread's turn has ended.
async fn converse(server: &mut AppServer, thread: &str, approver: &Approver) -> Result<bool, Box<dyn Error>> {
    let mut printer = print::Printer::default();
    while let Some(line) = server.inbox.next().await {
        match line.message() {
            Message::Notification(told) => {
                printer.show(&told);
                if let Notification::TurnCompleted(it) = &told
                    && it.thread_id == thread
                {
                    return Ok(it.turn().is_some_and(|turn| turn.status() == Some(TurnStatus::Completed)));
                }
            }
            Message::Request { id, request } => answer(&server.client, &id, &request, approver).await?,
            Message::Response { .. } | Message::Malformed(_) => {
                print::note(&format!("unexpected: {:?}", line.bytes()));
            }
        }
    }
    Err(server.client.ended().await.to_string().into())
}

/// Answers what the user can decide, and refuses everything else: silence is not consent, and neither is not knowing.
async fn answer(
    client: &Client,
    id: &RequestId<'_>,
    request: &ServerRequest<'_>,
    approver: &Approver,
) -> Result<(), CallError> {
    match request {
        ServerRequest::ItemCommandExecutionRequestApproval(asked) => {
            let answer = approver.command(asked).await;
            client.answer_to::<asks::ItemCommandExecutionRequestApproval>(id, &answer)
        }
        ServerRequest::ItemFileChangeRequestApproval(asked) => {
            let answer = approver.file_change(asked).await;
            client.answer_to::<asks::ItemFileChangeRequestApproval>(id, &answer)
        }
        other => client.refuse(id, UNKNOWN_METHOD, &format!("{} is not supported here", other.method())),
    }
}
