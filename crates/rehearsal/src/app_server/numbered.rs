//! Copies of one line with numbers that count on, or with the time: built once, so that a flood costs little more than the pipe.

use rustix::time::{ClockId, clock_gettime};

/// Bytes of one write, about: more than the writer would gather and copy, few enough to stay in a processor's cache.
const CHUNK_BYTES: usize = 128 * 1024;
/// The number in the template; with it a reader knows that nothing was lost and nothing swapped.
pub(super) const MARK: &str = "000000000000000000";

/// Lines that differ only in their number.
#[derive(Debug)]
pub(super) struct Numbered {
    chunk: Vec<u8>,
    line: usize,
    digits_at: usize,
    number: Number,
}

/// What a line's number says.
#[derive(Debug, Clone, Copy)]
pub(super) enum Number {
    /// How many came before it.
    Count(u64),
    /// When it was made, in nanoseconds of the machine's monotonic clock: what it costs to bring it to a reader is then
    /// known to any process.
    Time,
}

impl Numbered {
    /// Copies of a line that holds `MARK`.
    pub(super) fn new(template: &[u8], number: Number) -> Self {
        let at = template.windows(MARK.len()).position(|window| window == MARK.as_bytes());
        let count = match number {
            Number::Count(_) => CHUNK_BYTES.div_ceil(template.len().max(1)),
            Number::Time => 1,
        };
        Self { chunk: template.repeat(count), line: template.len(), digits_at: at.unwrap_or(0), number }
    }

    /// The next lines, at most so many; fewer if they do not fit into one write.
    pub(super) fn fill(&mut self, most: usize) -> (usize, &[u8]) {
        let count = most.min(self.chunk.len() / self.line);
        for line in self.chunk.chunks_exact_mut(self.line).take(count) {
            write_number(&mut line[self.digits_at..self.digits_at + MARK.len()], self.number.take());
        }
        (count, &self.chunk[..count * self.line])
    }
}

impl Number {
    fn take(&mut self) -> u64 {
        match self {
            Self::Count(next) => {
                *next += 1;
                *next - 1
            }
            Self::Time => {
                let now = clock_gettime(ClockId::Monotonic);
                u64::try_from(now.tv_sec * 1_000_000_000 + now.tv_nsec).unwrap_or(0)
            }
        }
    }
}

fn write_number(digits: &mut [u8], mut number: u64) {
    for digit in digits.iter_mut().rev() {
        *digit = b"0123456789"[(number % 10) as usize];
        number /= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_on() {
        let mut lines = Numbered::new(format!("<{MARK}>\n").as_bytes(), Number::Count(0));
        assert_eq!(lines.fill(2), (2, &b"<000000000000000000>\n<000000000000000001>\n"[..]));
        assert_eq!(lines.fill(1), (1, &b"<000000000000000002>\n"[..]));
        let (count, bytes) = lines.fill(usize::MAX);
        assert_eq!(bytes.len(), count * 21);
    }

    #[test]
    fn times_go_on() {
        let mut lines = Numbered::new(format!("{MARK}\n").as_bytes(), Number::Time);
        let mut next = || String::from_utf8_lossy(lines.fill(1).1).trim().parse::<u64>().unwrap();
        let (first, second) = (next(), next());
        assert!(0 < first && first <= second, "{first} {second}");
    }
}
