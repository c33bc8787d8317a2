//! The person at the terminal: keys and lines, read without a thread and without taking what was typed before.

use std::{
    ffi::OsStr,
    fs::{File, OpenOptions},
    io::{self, Write},
    os::unix::{ffi::OsStrExt, fs::OpenOptionsExt},
    sync::Arc,
};

use rustix::{
    fs::OFlags,
    termios::{
        LocalModes, OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcgetwinsize, tcsetattr,
        ttyname,
    },
};
use tokio::net::unix::pipe::Receiver;

/// Longer lines are cut; a terminal gives no longer ones either.
const LONGEST_LINE: usize = 4096;

/// The terminal that shows what goes to stderr.
pub(crate) struct Tty {
    file: File,
    /// The same file, to be waited for. Anything that can be waited for may stand here, not only a pipe.
    keys: Receiver,
}

impl Tty {
    /// Opened anew: not to wait is a setting of what was opened, and others share what was inherited.
    pub(crate) fn open() -> io::Result<Self> {
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        let flags = i32::try_from(flags.bits()).map_err(io::Error::other)?;
        let name = ttyname(io::stderr(), Vec::new())?;
        let name = OsStr::from_bytes(name.to_bytes());
        let file = OpenOptions::new().read(true).write(true).custom_flags(flags).open(name)?;
        let keys = Receiver::from_file_unchecked(file.try_clone()?)?;
        Ok(Self { file, keys })
    }

    /// How many characters stand in a line.
    pub(crate) fn width(&self) -> usize {
        tcgetwinsize(&self.file).map_or(0, |size| usize::from(size.ws_col))
    }

    pub(crate) fn write(&self, text: &str) -> io::Result<()> {
        (&self.file).write_all(text.as_bytes())
    }

    /// From now on keys come one by one. What was typed before is no answer to what is asked now, so this comes first and the
    /// question is shown after it.
    pub(crate) fn listen(self: &Arc<Self>) -> io::Result<Keys> {
        let before = tcgetattr(&self.file)?;
        let mut modes = before.clone();
        modes.local_modes -= LocalModes::ICANON | LocalModes::ECHO;
        tcsetattr(&self.file, OptionalActions::Now, &modes)?;
        tcflush(&self.file, QueueSelector::IFlush)?;
        Ok(Keys { tty: Arc::clone(self), before })
    }

    /// The next line, without its end.
    pub(crate) async fn line(&self) -> io::Result<String> {
        let mut bytes = vec![0; LONGEST_LINE];
        let read = self.read(&mut bytes).await?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(String::from_utf8_lossy(&bytes[..read]).trim().to_owned())
    }

    async fn read(&self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            self.keys.readable().await?;
            match self.keys.try_read(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
        }
    }
}

/// While it lives, keys come one by one and are not shown; Ctrl-C is still Ctrl-C.
pub(crate) struct Keys {
    tty: Arc<Tty>,
    before: Termios,
}

impl Keys {
    /// The next of these keys; the terminal is then as it was.
    pub(crate) async fn one_of(self, wanted: &str) -> io::Result<char> {
        loop {
            let mut byte = [0; 1];
            if self.tty.read(&mut byte).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let key = char::from(byte[0].to_ascii_lowercase());
            if wanted.contains(key) {
                return Ok(key);
            }
        }
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        // A terminal that is gone needs no restoring.
        let _gone = tcsetattr(&self.tty.file, OptionalActions::Now, &self.before);
    }
}
