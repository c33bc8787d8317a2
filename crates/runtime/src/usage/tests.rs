//! What was used stands under its day, model and session, once.

use selvedge_session::{Lifecycle, Timestamp, What};
use uuid::Uuid;

use super::*;
use crate::view::Backend;

fn tokens(total: u64) -> Usage {
    Usage { input: total, total, ..Usage::default() }
}

fn stretch(day: &str, model: Option<&str>, total: u64, cost_usd: Option<f64>) -> Stretch {
    Stretch { day: day.into(), model: model.map(str::to_owned), usage: tokens(total), cost_usd, turns: 2 }
}

fn session(total: u64, cost_usd: Option<f64>) -> Summary {
    Summary {
        id: SessionId(Uuid::now_v7()),
        name: None,
        state: Lifecycle::Idle,
        thread_id: None,
        cwd: "/".into(),
        model: Some("last".into()),
        queued: 0,
        held: false,
        archived: false,
        usage: tokens(total),
        cost_usd,
        context_used_percent: None,
        last_seq: 1,
        epoch: 0,
        created_at: Timestamp(0),
        // 2026-01-03
        updated_at: Timestamp(1_767_441_600_000),
        backend: Backend::default(),
        labels: BTreeMap::new(),
    }
}

fn summed(group: UsageGroup, sessions: &[(Summary, Vec<Stretch>)]) -> UsageReport {
    let mut sums = Sums { group, by_key: BTreeMap::new() };
    for (summary, stretches) in sessions {
        sums.add_session(summary, stretches);
    }
    sums.report()
}

#[test]
fn every_grouping_adds_up_to_what_the_sessions_used() {
    let one = vec![
        stretch("2026-01-01", Some("a"), 10, None),
        stretch("2026-01-01", Some("b"), 15, Some(0.1)),
        stretch("2026-01-02", Some("a"), 35, Some(0.3)),
    ];
    // The second has used something that no line tells: it was made by an older version.
    let sessions =
        [(session(35, Some(0.3)), one), (session(7, None), vec![stretch("2026-01-02", None, 4, None)])];
    let keyed = |group| {
        let report = summed(group, &sessions);
        assert_eq!(report.total, Used { turns: 8, usage: tokens(42), cost_usd: Some(0.3) }, "{group:?}");
        report.items.into_iter().map(|item| (item.key, item.used.usage.total)).collect::<Vec<_>>()
    };
    let named = |pairs: &[(&str, u64)]| {
        pairs.iter().map(|(key, total)| ((*key).to_owned(), *total)).collect::<Vec<_>>()
    };
    assert_eq!(keyed(UsageGroup::Day), named(&[("2026-01-01", 15), ("2026-01-02", 24), ("2026-01-03", 3)]));
    assert_eq!(keyed(UsageGroup::Model), named(&[("a", 30), ("b", 5), ("last", 3), ("unknown", 4)]));
    let mut by_session: Vec<u64> = keyed(UsageGroup::Session).into_iter().map(|(_, total)| total).collect();
    by_session.sort_unstable();
    assert_eq!(by_session, [7, 35]);
}

/// A report of a turn, or of a sub-agent's in it.
fn report_of(seq: u64, turn: &str, thread: Option<&str>) -> Event {
    Event {
        seq,
        session_id: SessionId(Uuid::nil()),
        at: Timestamp(0),
        thread_id: thread.map(str::to_owned),
        turn_id: Some(turn.to_owned()),
        item_id: None,
        what: What::UsageUpdated(UsageUpdated {
            turn: Usage::default(),
            session: Usage::default(),
            cost_usd: None,
            context_window: None,
            context_used_percent: None,
        }),
    }
}

#[test]
fn a_stretch_lasts_as_long_as_day_and_model() {
    let id = SessionId(Uuid::now_v7());
    let of = |before, seq, place| Under::of(before, id, &report_of(seq, "t", None), place);
    let first = of(None, 5, ("2026-01-01", Some("a")));
    let key = first.key.clone();
    let same = of(Some(first), 9, ("2026-01-01", Some("a")));
    assert_eq!(same.key, key);
    let other = of(Some(same), 10, ("2026-01-01", Some("b")));
    assert!(other.key > key, "later ones come later");
    assert_ne!(of(Some(other), 11, ("2026-01-02", Some("b"))).key, key);
}

#[test]
fn a_turn_is_counted_once_and_where_it_began() {
    let id = SessionId(Uuid::now_v7());
    let (one, next) = (("2026-01-01", Some("a")), ("2026-01-02", Some("a")));
    let first = Under::of(None, id, &report_of(5, "t1", None), one);
    let again = Under::of(Some(first), id, &report_of(6, "t1", None), one);
    let child = Under::of(Some(again), id, &report_of(7, "c1", Some("child")), one);
    assert_eq!(child.turns, 1);
    let second = Under::of(Some(child), id, &report_of(8, "t2", None), one);
    assert_eq!(second.turns, 2);
    let after_midnight = Under::of(Some(second), id, &report_of(9, "t2", None), next);
    assert_eq!(after_midnight.turns, 0);
    assert_eq!(Under::of(Some(after_midnight), id, &report_of(10, "t3", None), next).turns, 1);
}
