//! The player over any two streams, for whoever plays it within a program of its own.

use std::{future::pending, io};

use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader},
    time::{Instant, sleep_until},
};

use super::{
    pace::Pace,
    player::{Next, Player},
    script::Script,
};

/// Plays to the end of the input. Nobody conducts it: [`Pace::Step`] would wait for ever.
pub async fn serve(
    script: Script,
    pace: Pace,
    input: impl AsyncRead + Unpin,
    mut output: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let mut player = Player::new(script, pace);
    let (start, mut line) = (Instant::now(), Vec::new());
    let mut input = BufReader::new(input);
    loop {
        let due = match player.next(start.elapsed()) {
            Next::Say(text) => {
                output.write_all(format!("{text}\n").as_bytes()).await?;
                continue;
            }
            Next::Cue(_) => continue,
            Next::At(due) => Some(start + due),
            Next::Wait => None,
        };
        output.flush().await?;
        // What was read of a line that is not whole yet stays in `line` while it waits.
        tokio::select! {
            read = input.read_until(b'\n', &mut line) => {
                if read? == 0 {
                    return Ok(());
                }
                player.heard(String::from_utf8_lossy(&line).trim_end());
                line.clear();
            }
            () = at(due) => {}
        }
    }
}

async fn at(due: Option<Instant>) {
    match due {
        Some(due) => sleep_until(due).await,
        None => pending().await,
    }
}
