//! What a relay hands on, and when it does no more, what it had written down and not handed on.

use std::{
    fs::File,
    io::{self, Seek, SeekFrom},
    path::PathBuf,
    pin::Pin,
    task::{Context, Poll},
};

use tokio::{
    io::{AsyncRead, ReadBuf},
    net::unix::OwnedReadHalf,
};

/// The output of an app-server from a byte of its log on. A relay that is killed, or ends before it has let us in, owes us the
/// rest; its log has it.
pub(super) struct Said {
    relay: Option<OwnedReadHalf>,
    log: PathBuf,
    /// Where in the log we are.
    at: u64,
    rest: Option<tokio::fs::File>,
}

impl Said {
    /// From a relay that begins there.
    pub(super) fn by(relay: OwnedReadHalf, log: PathBuf, at: u64) -> Self {
        Self { relay: Some(relay), log, at, rest: None }
    }

    /// From one that has ended.
    pub(super) fn at_last(log: PathBuf, at: u64) -> io::Result<Self> {
        let rest = Some(rest(&log, at)?);
        Ok(Self { relay: None, log, at, rest })
    }
}

impl AsyncRead for Said {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(relay) = &mut self.relay {
            let before = into.filled().len();
            let read = Pin::new(relay).poll_read(context, into);
            let many = into.filled().len() - before;
            if read.is_pending() || many > 0 {
                self.at += many as u64;
                return read;
            }
            // However its connection ended: what is not in the log was handed on before, or never read from the app-server.
            self.relay = None;
            self.rest = rest(&self.log, self.at).ok();
        }
        match &mut self.rest {
            Some(rest) => Pin::new(rest).poll_read(context, into),
            None => Poll::Ready(Ok(())),
        }
    }
}

fn rest(log: &PathBuf, at: u64) -> io::Result<tokio::fs::File> {
    let mut log = File::open(log)?;
    log.seek(SeekFrom::Start(at))?;
    Ok(tokio::fs::File::from_std(log))
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::UnixStream,
    };

    use super::*;

    #[tokio::test]
    async fn what_a_relay_did_not_hand_on_before_it_died_is_read_from_its_log() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("output.jsonl");
        std::fs::write(&log, "before\nfirst\nsecond\n").unwrap();
        for handed_on in ["", "fir", "first\n", "first\nsecond\n"] {
            let (ours, mut relay) = UnixStream::pair().unwrap();
            let (ours, _kept) = ours.into_split();
            relay.write_all(handed_on.as_bytes()).await.unwrap();
            drop(relay);
            let mut said = String::new();
            Said::by(ours, log.clone(), 7).read_to_string(&mut said).await.unwrap();
            assert_eq!(said, "first\nsecond\n", "after {handed_on:?}");
        }
        let mut said = String::new();
        Said::at_last(log, 13).unwrap().read_to_string(&mut said).await.unwrap();
        assert_eq!(said, "second\n");
    }
}
