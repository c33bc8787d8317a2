//! What a serialised record promises: it comes back as it was, or it is known to be damaged.

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;

fn read_back(encoded: &Encoded) -> Result<Record, Malformed> {
    let apart: HashMap<Hash, Bytes> =
        encoded.apart.iter().map(|apart| (apart.hash, apart.body.clone())).collect();
    Blob::check(encoded.blob.clone())?.record(&mut |hash| apart.get(hash).cloned().ok_or(Malformed::Body))
}

fn records() -> impl Strategy<Value = Record> {
    let bodies = || prop::collection::vec(".{0,40}", 0..6);
    (any::<i64>(), 1..u64::MAX / 2, bodies(), bodies()).prop_map(|(at, first, events, facts)| {
        let mut record = Record::at(at);
        for (seq, body) in (first..).zip(events) {
            record = record.event(seq, body);
        }
        for (number, body) in (0..).zip(facts) {
            record = record.fact(Kind::new(number).unwrap(), body);
        }
        record
    })
}

proptest! {
    #[test]
    fn a_record_comes_back_as_it_was(record in records(), n in 1..u64::MAX) {
        let encoded = encode(&SessionId::from("s"), n, &record);
        prop_assert_eq!(read_back(&encoded).unwrap(), record);
        prop_assert_eq!(Blob::check(encoded.blob).unwrap().n, n);
    }

    #[test]
    fn a_changed_bit_is_found(record in records(), place in any::<prop::sample::Index>(), bit in 0..8u8) {
        let encoded = encode(&SessionId::from("s"), 1, &record);
        let mut damaged = encoded.blob.to_vec();
        let place = place.index(damaged.len());
        damaged[place] ^= 1 << bit;
        prop_assert!(Blob::check(damaged.into()).is_err());
    }

    #[test]
    fn a_cut_record_is_found(record in records(), keep in any::<prop::sample::Index>()) {
        let encoded = encode(&SessionId::from("s"), 1, &record);
        let keep = keep.index(encoded.blob.len());
        prop_assert!(Blob::check(encoded.blob.slice(..keep)).is_err());
    }
}

#[test]
fn a_long_body_lies_apart_and_comes_back() {
    let long = "x".repeat(INLINE_LIMIT + 1);
    let record = Record::at(5).event(1, "short").event(2, long);
    let encoded = encode(&SessionId::from("s"), 9, &record);
    assert!(encoded.blob.len() < 200, "the long body is not in the record");
    assert!(Blob::check(encoded.blob.clone()).unwrap().has_apart());
    assert_eq!(read_back(&encoded).unwrap(), record);
}

#[test]
fn only_the_first_record_names_its_session() {
    let session = SessionId::from("a session");
    let first = encode(&session, 1, &Record::at(0));
    let second = encode(&session, 2, &Record::at(0));
    assert_eq!(Blob::check(first.blob).unwrap().name(), Some("a session"));
    assert_eq!(Blob::check(second.blob).unwrap().name(), None);
}
