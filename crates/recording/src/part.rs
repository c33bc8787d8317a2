//! One file that is being written: compressed as it comes, and locked so that nobody removes it meanwhile.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use serde::Serialize;
use zstd::stream::write::Encoder;

/// zstd's own default: a tenth of the size for a few microseconds a line.
const LEVEL: i32 = 3;

pub(crate) struct Part {
    encoder: Encoder<'static, File>,
    /// So many bytes before they were compressed.
    pub(crate) bytes: u64,
    /// Something waits to be written.
    pub(crate) dirty: bool,
}

impl Part {
    /// A new file; one that is there is not overwritten.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
        // Where locks do not work, the retention's own rules still keep what is young.
        let _unlocked = file.try_lock();
        let mut encoder = Encoder::new(file, LEVEL)?;
        encoder.include_checksum(true)?;
        Ok(Self { encoder, bytes: 0, dirty: false })
    }

    pub(crate) fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.encoder.write_all(&text)?;
        self.bytes += text.len() as u64;
        self.dirty = true;
        Ok(())
    }

    /// Hands everything to the system: it can be read from now on, whatever becomes of this process.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.dirty = false;
        self.encoder.flush()
    }

    /// Ends the file, with a checksum over all of it.
    pub(crate) fn end(self) -> io::Result<()> {
        self.encoder.finish().map(drop)
    }
}
