//! Frames: what was written is read, and nothing that was not.

use bytes::Bytes;
use proptest::prelude::*;

use super::frame::{self, Frame};

fn jotted() -> impl Strategy<Value = Vec<(i64, Vec<u8>)>> {
    prop::collection::vec((any::<i64>(), prop::collection::vec(any::<u8>(), 0..99)), 0..9)
}

fn written(records: &[(i64, Vec<u8>)]) -> Vec<u8> {
    let mut slip = Vec::new();
    for (session, blob) in records {
        frame::put(&mut slip, *session, blob);
    }
    slip
}

fn frames(records: &[(i64, Vec<u8>)]) -> Vec<Frame> {
    records
        .iter()
        .map(|(session, blob)| Frame { session: *session, blob: Bytes::from(blob.clone()) })
        .collect()
}

proptest! {
    #[test]
    fn what_is_written_is_read_whatever_lies_behind(records in jotted(), behind in prop::collection::vec(any::<u8>(), 0..40)) {
        let mut slip = written(&records);
        slip.extend(behind);
        prop_assert_eq!(frame::read(slip.into()), frames(&records));
    }

    #[test]
    fn a_changed_byte_ends_the_slip_there(records in jotted(), place in any::<prop::sample::Index>(), change in 1..=255_u8) {
        let mut slip = written(&records);
        prop_assume!(!slip.is_empty());
        let place = place.index(slip.len());
        slip[place] ^= change;
        let read = frame::read(slip.into());
        prop_assert!(read.len() < records.len());
        prop_assert_eq!(&read[..], &frames(&records)[..read.len()]);
    }

    #[test]
    fn nothing_ends_it_whatever_lay_there(before in jotted(), after in jotted()) {
        let mut slip = written(&before);
        slip.extend(frame::NOTHING);
        slip.extend(written(&after));
        prop_assert_eq!(frame::read(slip.into()), frames(&before));
    }
}
