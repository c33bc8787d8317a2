//! Writes that happen together or not at all, also side by side and one within another.

use std::sync::{Arc, Mutex};

use selvedge_agent::{Change, Session, SessionView, reducers};

use crate::sessions::{Count, Plan, Seen, plan};

fn names(session: &Session) -> Vec<String> {
    session.all::<Plan>().iter().map(|plan| plan.name.clone()).collect()
}

#[test]
fn what_is_not_committed_never_happened() {
    let session = Session::new();
    session.append(plan("a", 1));
    let transaction = session.transaction();
    transaction.session().append(plan("b", 2));
    transaction.session().update(|it: &mut Count| it.0 += 1);
    assert_eq!(names(transaction.session()), ["a", "b"]);
    assert_eq!(names(&session), ["a"]);
    drop(transaction);
    assert_eq!(names(&session), ["a"]);
    assert_eq!(session.latest::<Count>(), None);
}

#[test]
fn what_is_committed_is_there() {
    let session = Session::new();
    session.seed([plan("a", 1), plan("b", 2)]);
    let transaction = session.transaction();
    transaction.session().remove_if(|it: &Plan| it.name == "a");
    transaction.session().append(plan("c", 3));
    transaction.commit();
    assert_eq!(names(&session), ["b", "c"]);
}

#[test]
fn transactions_side_by_side_do_not_undo_each_other() {
    let session = Session::new();
    let (one, other, lost) = (session.transaction(), session.transaction(), session.transaction());
    for transaction in [&one, &other, &lost] {
        transaction.session().append(plan("x", 1));
        transaction.session().update(|it: &mut Count| it.0 += 1);
        assert_eq!(transaction.session().latest::<Count>(), Some(Count(1)));
    }
    one.commit();
    session.append(plan("between", 2));
    drop(lost);
    other.commit();
    assert_eq!(names(&session), ["x", "between", "x"]);
    assert_eq!(session.latest::<Count>(), Some(Count(2)));
}

#[test]
fn a_commit_reduces_on_what_the_session_has_by_then() {
    let session = Session::new();
    session.register(reducers::upsert_by(|it: &Plan| it.name.clone()));
    let transaction = session.transaction();
    transaction.session().append(plan("a", 1));
    session.append(plan("a", 5));
    session.append(plan("b", 5));
    transaction.commit();
    assert_eq!(&*session.all::<Plan>(), [plan("a", 1), plan("b", 5)]);
}

#[test]
fn logs_are_on_the_session_at_once_and_stay() {
    let session = Session::new();
    let told = Arc::new(Mutex::new(Vec::new()));
    let telling = told.clone();
    let _watching = session.observe(move |seen: &Seen| telling.lock().unwrap().push(seen.0));
    let transaction = session.transaction();
    transaction.session().append(Seen(1));
    assert_eq!(*told.lock().unwrap(), [1]);
    drop(transaction);
    assert_eq!(&*session.all::<Seen>(), [Seen(1)]);
}

#[test]
fn what_a_log_does_to_state_is_undone() {
    let session = Session::new();
    session.register(reducers::append::<Seen>());
    session.register(|_: &SessionView<'_>, seen: &Seen| Change::Append(Count(seen.0)));
    let transaction = session.transaction();
    transaction.session().append(Seen(4));
    assert_eq!(transaction.session().latest::<Count>(), Some(Count(4)));
    drop(transaction);
    assert_eq!((session.latest::<Count>(), session.latest::<Seen>()), (None, Some(Seen(4))));
}

#[test]
fn observers_hear_of_state_when_it_is_on_the_session() {
    let session = Session::new();
    let told = Arc::new(Mutex::new(Vec::new()));
    let telling = told.clone();
    let _watching = session.observe(move |plan: &Plan| telling.lock().unwrap().push(plan.name.clone()));
    let lost = session.transaction();
    lost.session().append(plan("lost", 1));
    drop(lost);
    let kept = session.transaction();
    kept.session().append(plan("kept", 1));
    assert!(told.lock().unwrap().is_empty());
    kept.commit();
    assert_eq!(*told.lock().unwrap(), ["kept"]);
}

#[test]
fn an_inner_transaction_is_part_of_the_outer_one() {
    let session = Session::new();
    let outer = session.transaction();
    let inner = outer.session().transaction();
    inner.session().append(plan("inner", 1));
    inner.commit();
    let undone = outer.session().transaction();
    undone.session().append(plan("undone", 1));
    drop(undone);
    assert_eq!(names(outer.session()), ["inner"]);
    assert!(names(&session).is_empty());
    outer.commit();
    assert_eq!(names(&session), ["inner"]);
}

#[test]
fn a_handle_that_outlives_its_transaction_writes_nothing() {
    let session = Session::new();
    let transaction = session.transaction();
    let (left_behind, committed) = (transaction.session().clone(), session.transaction());
    drop(transaction);
    left_behind.append(plan("late", 1));
    assert!(names(&left_behind).is_empty());
    let after = committed.session().clone();
    committed.commit();
    after.append(plan("later", 1));
    assert!(names(&session).is_empty());
}

#[test]
fn a_snapshot_is_put_back_within_a_transaction() {
    let session = Session::new();
    session.append(plan("a", 1));
    let snapshot = session.snapshot();
    session.append(plan("b", 2));
    let transaction = session.transaction();
    transaction.session().restore(&snapshot).unwrap();
    assert_eq!((names(transaction.session()), names(&session).len()), (vec!["a".to_owned()], 2));
    transaction.commit();
    assert_eq!(names(&session), ["a"]);
}

#[test]
fn no_reader_sees_half_of_a_commit() {
    let session = Session::new();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for _ in 0..200 {
                let transaction = session.transaction();
                transaction.session().append(plan("one", 1));
                transaction.session().append(plan("other", 1));
                transaction.commit();
            }
        });
        while !writer.is_finished() {
            assert_eq!(session.all::<Plan>().len() % 2, 0);
        }
    });
    assert_eq!(session.all::<Plan>().len(), 400);
}
