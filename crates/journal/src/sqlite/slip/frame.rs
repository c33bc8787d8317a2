//! How a record lies on a slip. One that was cut by a crash, or is of before, is told by its checksum or by its place.
//!
//! ```text
//! u32 length of the rest · u32 crc32 of the rest · i64 number of the session · the record, as in the log
//! ```

use bytes::{Buf as _, Bytes};

/// Where a frame begins with this, nothing is read any more.
pub(super) const NOTHING: [u8; HEAD] = [0; HEAD];

const HEAD: usize = 8;

/// A record as it lies on a slip, and of which session it is. No two sessions of a journal ever have the same number.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) session: i64,
    pub(super) blob: Bytes,
}

/// Adds one to what is written at once.
pub(super) fn put(out: &mut Vec<u8>, session: i64, blob: &[u8]) {
    let begin = out.len();
    out.extend_from_slice(&NOTHING);
    out.extend_from_slice(&session.to_le_bytes());
    out.extend_from_slice(blob);
    let rest = begin + HEAD;
    // A record is short, or it is not jotted down.
    let size = u32::try_from(out.len() - rest).unwrap_or(u32::MAX).to_le_bytes();
    let checksum = crc32fast::hash(&out[rest..]).to_le_bytes();
    out[begin..begin + 4].copy_from_slice(&size);
    out[begin + 4..rest].copy_from_slice(&checksum);
}

/// The records at the beginning of a slip, up to the first that is not whole.
pub(super) fn read(mut slip: Bytes) -> Vec<Frame> {
    std::iter::from_fn(|| next(&mut slip)).collect()
}

fn next(slip: &mut Bytes) -> Option<Frame> {
    let (size, checksum) = (slip.try_get_u32_le().ok()?, slip.try_get_u32_le().ok()?);
    let size = usize::try_from(size).ok()?;
    if size > slip.len() {
        return None;
    }
    let mut blob = slip.split_to(size);
    if crc32fast::hash(&blob) != checksum {
        return None;
    }
    Some(Frame { session: blob.try_get_i64_le().ok()?, blob })
}
