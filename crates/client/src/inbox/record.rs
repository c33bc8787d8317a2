//! How a line lies in the spill file: a fixed head, then its bytes.

use bytes::{Buf, BufMut, Bytes};
use selvedge_protocol::frame::Malformed;

use crate::line::Line;

/// offset, length, kind of flaw, length of what was too long.
pub(super) const HEAD: usize = 8 + 4 + 1 + 8;

const WHOLE: u8 = 0;
const TOO_LONG: u8 = 1;
const CUT: u8 = 2;

/// Appends one line.
pub(super) fn encode(line: &Line, to: &mut Vec<u8>) {
    let (flaw, bytes) = match line.flaw() {
        Some(Malformed::TooLong { bytes }) => (TOO_LONG, bytes),
        Some(_) => (CUT, 0),
        None => (WHOLE, 0),
    };
    to.put_u64(line.offset);
    // A line is at most as long as the splitter's limit, far below 4 GiB.
    to.put_u32(u32::try_from(line.bytes().len()).unwrap_or(u32::MAX));
    to.put_u8(flaw);
    to.put_u64(bytes);
    to.put_slice(line.bytes());
}

/// Takes the first line off `block`; `Err` is how many bytes the line needs that `block` does not have.
pub(super) fn decode(block: &mut Bytes) -> Result<Line, usize> {
    if block.len() < HEAD {
        return Err(HEAD);
    }
    let mut head = &block[..HEAD];
    let (offset, length, flaw, bytes) =
        (head.get_u64(), head.get_u32() as usize, head.get_u8(), head.get_u64());
    if block.len() < HEAD + length {
        return Err(HEAD + length);
    }
    let raw = block.split_to(HEAD + length).slice(HEAD..);
    Ok(match flaw {
        TOO_LONG => Line::flawed(offset, raw, Malformed::TooLong { bytes }),
        CUT => Line::flawed(offset, raw, Malformed::Cut),
        _ => Line::whole(offset, raw),
    })
}
