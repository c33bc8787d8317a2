//! Without us: a thread and a turn in it, on the client alone.

use std::time::Instant;

use selvedge_client::protocol::{calls, say, see::Notification};
use selvedge_client::{AppServer, Introduction, Message};

use crate::stage::Stage;
use crate::{Failure, Measured, times};

pub(crate) async fn measure(stage: &Stage, turns: usize) -> Measured {
    let mut server = AppServer::spawn(stage.launch())?;
    server.client.initialize(&Introduction::new("toll", "1")).await?;
    turn(&mut server, stage).await?;
    let mut took = Vec::with_capacity(turns);
    for _ in 0..turns {
        let begun = Instant::now();
        turn(&mut server, stage).await?;
        took.push(begun.elapsed());
    }
    server.process.shut_down().await;
    Ok(times(took))
}

async fn turn(server: &mut AppServer, stage: &Stage) -> Result<(), Failure> {
    let params = say::ThreadStartParams {
        cwd: Some(stage.work().display().to_string()),
        approval_policy: Some(say::AskForApproval::Never),
        sandbox: Some(say::SandboxMode::DangerFullAccess),
        ..say::ThreadStartParams::default()
    };
    let started = server.client.call::<calls::ThreadStart>(&params).await?;
    let thread = started.read()?.thread().ok_or("thread/start gave no thread")?.id.into_owned();
    let input = vec![say::TextUserInput::new("Go.").into()];
    server.client.call::<calls::TurnStart>(&say::TurnStartParams::new(thread.as_str(), input)).await?;
    while let Some(line) = server.inbox.next().await {
        if let Message::Notification(Notification::TurnCompleted(it)) = line.message()
            && it.thread_id == thread
        {
            return Ok(());
        }
    }
    Err("the app-server ended in a turn".into())
}
