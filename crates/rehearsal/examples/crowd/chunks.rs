//! The chunks of an HTTP body, put together again as they come.

/// Where in a chunked body the last bytes ended.
#[derive(Debug, Default)]
pub(crate) struct Chunks {
    /// Digits of a size that has not ended.
    size: usize,
    part: Part,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Part {
    #[default]
    Size,
    /// So many bytes are still to come, and a line end.
    Body(usize),
    End,
}

impl Chunks {
    /// Adds the bodies in these bytes to a text; false, when something is no chunk.
    pub(crate) fn take(&mut self, mut bytes: &[u8], text: &mut Vec<u8>) -> bool {
        while let Some((first, rest)) = bytes.split_first() {
            match self.part {
                Part::Size => {
                    bytes = rest;
                    if !self.digit(*first) {
                        return false;
                    }
                }
                Part::Body(left) => {
                    let (body, rest) = bytes.split_at(left.min(bytes.len()));
                    text.extend_from_slice(body);
                    bytes = rest;
                    self.part = if body.len() == left { Part::End } else { Part::Body(left - body.len()) };
                }
                Part::End => {
                    bytes = rest;
                    if *first == b'\n' {
                        self.part = Part::Size;
                    }
                }
            }
        }
        true
    }

    fn digit(&mut self, byte: u8) -> bool {
        match char::from(byte).to_digit(16) {
            Some(digit) => self.size = self.size << 4 | digit as usize,
            None if byte == b'\r' => {}
            None if byte == b'\n' => self.part = Part::Body(std::mem::take(&mut self.size)),
            None => return false,
        }
        true
    }
}
