//! Events as they are, one a line, for a program.

use std::io::{self, Write};

use selvedge_runtime::Written;

/// Writes a page of events and lets the reader have it.
pub(crate) fn write(out: &mut impl Write, page: &[Written]) -> io::Result<()> {
    for event in page {
        out.write_all(&event.text)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}
