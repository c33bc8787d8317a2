//! Reads a serialised record back, without copying its bodies.

use bytes::Bytes;

use super::{APART, Event, Fact, HAS_APART, HAS_NAME, Hash, Kind, PREFIX, Record, VERSION};

/// Why bytes are no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Malformed {
    #[error("the record is cut short")]
    Cut,
    #[error("the record's checksum is wrong")]
    Checksum,
    #[error("the record has version {0}, which this program does not know")]
    Version(u8),
    #[error("the record is at another's place")]
    Place,
    #[error("a body of the record is missing or is not what it was")]
    Body,
}

/// A body as it is found in a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Body {
    Here(Bytes),
    Apart { hash: Hash, length: u64 },
}

impl Body {
    /// The bytes, with the help of whoever has the bodies that lie apart.
    fn resolve<E: From<Malformed>>(self, bodies: Bodies<'_, E>) -> Result<Bytes, E> {
        match self {
            Self::Here(bytes) => Ok(bytes),
            Self::Apart { hash, length } => {
                let found = bodies(&hash)?;
                if found.len() as u64 == length { Ok(found) } else { Err(Malformed::Body.into()) }
            }
        }
    }
}

/// Gets a body that lies apart.
type Bodies<'a, E> = &'a mut dyn FnMut(&Hash) -> Result<Bytes, E>;

/// A serialised record with its head read.
#[derive(Debug, Clone)]
pub(crate) struct Blob {
    bytes: Bytes,
    flags: u8,
    pub(crate) n: u64,
    pub(crate) at: i64,
    first_seq: u64,
    events: u32,
    facts: u32,
    name: Option<Bytes>,
    /// Where the first event begins.
    start: usize,
}

impl Blob {
    /// Reads the head and compares the checksum.
    pub(crate) fn check(bytes: Bytes) -> Result<Self, Malformed> {
        let blob = Self::trusted(bytes)?;
        let stored = blob.bytes.get(1..PREFIX).ok_or(Malformed::Cut)?;
        if crc32fast::hash(&blob.bytes[PREFIX..]).to_le_bytes() != stored {
            return Err(Malformed::Checksum);
        }
        Ok(blob)
    }

    /// Reads the head of bytes that never left this process.
    pub(crate) fn trusted(bytes: Bytes) -> Result<Self, Malformed> {
        let mut input = Input { bytes: &bytes, at: 0 };
        let version = input.u8()?;
        if version != VERSION {
            return Err(Malformed::Version(version));
        }
        input.at = PREFIX;
        let flags = input.u8()?;
        let (n, at, first_seq) = (input.u64()?, input.u64()?.cast_signed(), input.u64()?);
        let (events, facts) = (input.u32()?, input.u32()?);
        let name = if flags & HAS_NAME == 0 { None } else { Some(input.inline()?) };
        let start = input.at;
        Ok(Self { bytes, flags, n, at, first_seq, events, facts, name, start })
    }

    /// The bytes as they are stored.
    pub(crate) fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The session's name, in its first record.
    pub(crate) fn name(&self) -> Option<&str> {
        std::str::from_utf8(self.name.as_ref()?).ok()
    }

    /// Whether it can only be read with the bodies that lie apart.
    pub(crate) fn has_apart(&self) -> bool {
        self.flags & HAS_APART != 0
    }

    pub(crate) fn event_count(&self) -> u64 {
        u64::from(self.events)
    }

    /// Whether it has no event after `seq`.
    pub(crate) fn ends_at(&self, seq: u64) -> bool {
        self.events == 0 || self.end_seq() <= seq.saturating_add(1)
    }

    /// The seq after its last event.
    fn end_seq(&self) -> u64 {
        self.first_seq.saturating_add(self.event_count())
    }

    /// Hands over the events after `seq` until `take` has enough; true if it wants more.
    pub(crate) fn events_after<E: From<Malformed>>(
        &self,
        seq: u64,
        bodies: Bodies<'_, E>,
        take: &mut dyn FnMut(Event) -> bool,
    ) -> Result<bool, E> {
        let mut input = self.input();
        for place in self.first_seq..self.end_seq() {
            let body = input.body()?;
            if place > seq && !take(Event { seq: place, body: body.resolve(bodies)? }) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The whole record.
    pub(crate) fn record<E: From<Malformed>>(&self, bodies: Bodies<'_, E>) -> Result<Record, E> {
        let mut input = self.input();
        let mut record = Record::at(self.at);
        for seq in self.first_seq..self.end_seq() {
            record.events.push(Event { seq, body: input.body()?.resolve(bodies)? });
        }
        for _ in 0..self.facts {
            let kind = Kind::new(input.u8()?).ok_or(Malformed::Cut)?;
            record.facts.push(Fact { kind, body: input.body()?.resolve(bodies)? });
        }
        Ok(record)
    }

    fn input(&self) -> Input<'_> {
        Input { bytes: &self.bytes, at: self.start }
    }
}

/// Reads from the front; what is not there is an error, whatever the lengths say.
struct Input<'a> {
    bytes: &'a Bytes,
    at: usize,
}

impl Input<'_> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let found = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk()).ok_or(Malformed::Cut)?;
        self.at += N;
        Ok(*found)
    }

    fn u8(&mut self) -> Result<u8, Malformed> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    fn u32(&mut self) -> Result<u32, Malformed> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn u64(&mut self) -> Result<u64, Malformed> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    fn inline(&mut self) -> Result<Bytes, Malformed> {
        let length = self.u32()?;
        self.slice(length)
    }

    fn slice(&mut self, length: u32) -> Result<Bytes, Malformed> {
        let end = self.at.saturating_add(length as usize);
        if end > self.bytes.len() {
            return Err(Malformed::Cut);
        }
        let found = self.bytes.slice(self.at..end);
        self.at = end;
        Ok(found)
    }

    fn body(&mut self) -> Result<Body, Malformed> {
        let length = self.u32()?;
        if length == APART {
            return Ok(Body::Apart { length: self.u64()?, hash: self.array()? });
        }
        Ok(Body::Here(self.slice(length)?))
    }
}
