//! The text of a file, compressed or not.

use std::{
    fs,
    io::{self, Read},
    path::Path,
};

use super::ReadError;

const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The text, and whether its end is missing.
pub(super) fn read(path: &Path) -> Result<(String, bool), ReadError> {
    let bytes = fs::read(path).map_err(|error| ReadError::Unreadable { path: path.to_owned(), error })?;
    let damaged = |why: String| ReadError::Damaged { path: path.to_owned(), why };
    let (bytes, cut) = if bytes.starts_with(&MAGIC) {
        decompress(&bytes).map_err(|error| damaged(error.to_string()))?
    } else {
        (bytes, false)
    };
    match String::from_utf8(bytes) {
        Ok(text) => Ok((text, cut)),
        // A cut may go through a character.
        Err(error) if cut => Ok((String::from_utf8_lossy(error.as_bytes()).into_owned(), true)),
        Err(error) if error.utf8_error().error_len().is_none() => {
            Ok((String::from_utf8_lossy(error.as_bytes()).into_owned(), true))
        }
        Err(_) => Err(ReadError::NotOne { path: path.to_owned() }),
    }
}

/// As far as it goes: the last block may be missing, but none may be wrong.
fn decompress(bytes: &[u8]) -> io::Result<(Vec<u8>, bool)> {
    let mut decoder = zstd::stream::read::Decoder::new(bytes)?;
    let mut text = Vec::new();
    match decoder.read_to_end(&mut text) {
        Ok(_) => Ok((text, false)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok((text, true)),
        Err(error) => Err(error),
    }
}
