//! A record as one run of bytes: versioned, length-prefixed, with a checksum, so that damage is found.
//!
//! ```text
//! u8 version · u32 crc32 of the rest · u8 flags · u64 n · i64 at · u64 first seq · u32 events · u32 facts
//! [u32 length · session name]            only in the record 1: the names can be read from the log again
//! events: body …                         facts: u8 kind · body …
//! body: u32 length · bytes               or, apart: u32 APART · u64 length · 32 bytes SHA-256
//! ```

use bytes::{BufMut as _, Bytes, BytesMut};
use sha2::{Digest as _, Sha256};

use super::{Event, Fact, Kind, Record, SessionId};

mod read;

pub(crate) use read::{Blob, Malformed};

/// What this program writes.
const VERSION: u8 = 1;
/// Version and checksum: what the checksum does not cover.
const PREFIX: usize = 5;
/// A body longer than this lies apart, by its hash.
pub(crate) const INLINE_LIMIT: usize = 256 * 1024;
/// A length no inline body has.
const APART: u32 = u32::MAX;

const HAS_NAME: u8 = 1;
const HAS_APART: u8 = 2;

/// The SHA-256 of a body that lies apart.
pub(crate) type Hash = [u8; 32];

/// A body on its way to where long bodies lie.
#[derive(Debug)]
pub(crate) struct ApartBody {
    pub(crate) hash: Hash,
    pub(crate) body: Bytes,
}

/// A record, serialised, and the bodies that do not lie in it.
#[derive(Debug)]
pub(crate) struct Encoded {
    pub(crate) blob: Bytes,
    pub(crate) apart: Vec<ApartBody>,
}

/// Serialises a record for the place `n`. Hashes long bodies: see [`is_long`].
pub(crate) fn encode(session: &SessionId, n: u64, record: &Record) -> Encoded {
    let mut writer = Writer { out: BytesMut::with_capacity(size(session, record)), apart: Vec::new() };
    writer.out.put_u8(VERSION);
    writer.out.put_u32_le(0);
    writer.out.put_u8(if n == 1 { HAS_NAME } else { 0 } | if is_long(record) { HAS_APART } else { 0 });
    writer.out.put_u64_le(n);
    writer.out.put_i64_le(record.at);
    writer.out.put_u64_le(record.events.first().map_or(0, |event| event.seq));
    writer.out.put_u32_le(count(record.events.len()));
    writer.out.put_u32_le(count(record.facts.len()));
    if n == 1 {
        writer.inline(session.as_str().as_bytes());
    }
    for Event { body, .. } in &record.events {
        writer.body(body);
    }
    for Fact { kind, body } in &record.facts {
        writer.out.put_u8(kind.number());
        writer.body(body);
    }
    writer.finish()
}

/// Whether a record has a body that has to be hashed: too long to do it where others wait.
pub(crate) fn is_long(record: &Record) -> bool {
    record.bodies().any(|body| body.len() > INLINE_LIMIT)
}

impl Record {
    fn bodies(&self) -> impl Iterator<Item = &Bytes> {
        self.events.iter().map(|event| &event.body).chain(self.facts.iter().map(|fact| &fact.body))
    }
}

/// An upper bound: one allocation a record.
fn size(session: &SessionId, record: &Record) -> usize {
    let room = |body: &Bytes| if body.len() > INLINE_LIMIT { 45 } else { body.len() + 5 };
    64 + session.as_str().len() + record.bodies().map(room).sum::<usize>()
}

/// A record of four thousand million events does not fit into memory.
fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

struct Writer {
    out: BytesMut,
    apart: Vec<ApartBody>,
}

impl Writer {
    fn body(&mut self, body: &Bytes) {
        if body.len() <= INLINE_LIMIT {
            return self.inline(body);
        }
        let hash: Hash = Sha256::digest(body).into();
        self.out.put_u32_le(APART);
        self.out.put_u64_le(body.len() as u64);
        self.out.put_slice(&hash);
        self.apart.push(ApartBody { hash, body: body.clone() });
    }

    fn inline(&mut self, bytes: &[u8]) {
        self.out.put_u32_le(count(bytes.len()));
        self.out.put_slice(bytes);
    }

    fn finish(mut self) -> Encoded {
        let checksum = crc32fast::hash(&self.out[PREFIX..]);
        self.out[1..PREFIX].copy_from_slice(&checksum.to_le_bytes());
        Encoded { blob: self.out.freeze(), apart: self.apart }
    }
}

#[cfg(test)]
mod tests;
