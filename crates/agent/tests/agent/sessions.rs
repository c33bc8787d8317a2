//! Slices, reducers and observers.

use std::sync::{Arc, Mutex};

use selvedge_agent::{Change, Session, SessionView, Slice, SlicePolicy, reducers};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(crate) name: String,
    pub(crate) step: u32,
}

impl Slice for Plan {
    const NAME: &'static str = "plan";
}

/// A log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Seen(pub(crate) u32);

impl Slice for Seen {
    const NAME: &'static str = "seen";
    const POLICY: SlicePolicy = SlicePolicy::Log;
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Count(pub(crate) u32);

impl Slice for Count {
    const NAME: &'static str = "count";
}

pub(crate) fn plan(name: &str, step: u32) -> Plan {
    Plan { name: name.to_owned(), step }
}

fn steps(session: &Session) -> Vec<(String, u32)> {
    session.all::<Plan>().iter().map(|plan| (plan.name.clone(), plan.step)).collect()
}

fn pairs<const N: usize>(pairs: [(&str, u32); N]) -> Vec<(String, u32)> {
    pairs.map(|(name, step)| (name.to_owned(), step)).to_vec()
}

#[test]
fn an_empty_slice_has_no_values() {
    let session = Session::new();
    assert!(session.all::<Plan>().is_empty());
    assert_eq!(session.latest::<Plan>(), None);
    assert_eq!(session.filter::<Plan>(|_| true), []);
}

#[test]
fn values_are_kept_by_type_and_in_order() {
    let session = Session::new();
    session.append(plan("a", 1));
    session.append(Seen(9));
    session.append(plan("b", 2));
    session.append(plan("b", 3));
    assert_eq!(steps(&session), pairs([("a", 1), ("b", 2), ("b", 3)]));
    assert_eq!(session.latest::<Plan>(), Some(plan("b", 3)));
    assert_eq!(session.filter::<Plan>(|it| it.name == "b").len(), 2);
    assert_eq!(&*session.all::<Seen>(), [Seen(9)]);
}

#[test]
fn what_was_read_does_not_change() {
    let session = Session::new();
    session.append(plan("a", 1));
    let read = session.all::<Plan>();
    session.append(plan("b", 2));
    session.clear::<Plan>();
    assert_eq!(&*read, [plan("a", 1)]);
}

#[test]
fn a_slice_is_seeded_cleared_and_thinned_out() {
    let session = Session::new();
    session.append(plan("old", 0));
    session.seed([plan("a", 1), plan("b", 2), plan("c", 3)]);
    assert_eq!(steps(&session), pairs([("a", 1), ("b", 2), ("c", 3)]));
    session.remove_if(|it: &Plan| it.step == 2);
    assert_eq!(steps(&session), pairs([("a", 1), ("c", 3)]));
    session.remove_if(|it: &Plan| it.step == 99);
    assert_eq!(session.all::<Plan>().len(), 2);
    session.clear::<Plan>();
    assert!(session.all::<Plan>().is_empty());
}

#[test]
fn the_newest_value_is_updated() {
    let session = Session::new();
    session.update(|it: &mut Count| it.0 += 2);
    session.update(|it: &mut Count| it.0 *= 5);
    assert_eq!(&*session.all::<Count>(), [Count(10)]);
    session.append(Count(1));
    session.update(|it: &mut Count| it.0 += 1);
    assert_eq!(&*session.all::<Count>(), [Count(10), Count(2)]);
}

#[test]
fn built_in_reducers_keep_what_they_say() {
    let after = |register: fn(&Session)| {
        let session = Session::new();
        register(&session);
        for (name, step) in [("a", 1), ("b", 2), ("a", 3)] {
            session.append(plan(name, step));
        }
        steps(&session)
    };
    let key = |it: &Plan| it.name.clone();
    assert_eq!(after(|it| it.register(reducers::append::<Plan>())), pairs([("a", 1), ("b", 2), ("a", 3)]));
    assert_eq!(after(|it| it.register(reducers::replace_latest::<Plan>())), pairs([("a", 3)]));
    assert_eq!(
        after(|it| it.register(reducers::upsert_by(|it: &Plan| it.name.clone()))),
        pairs([("a", 3), ("b", 2)])
    );
    assert_eq!(
        after(|it| it.register(reducers::replace_latest_by(|it: &Plan| it.name.clone()))),
        pairs([("b", 2), ("a", 3)])
    );
    let session = Session::new();
    session.seed([plan("a", 1), plan("b", 1), plan("a", 2)]);
    session.register(reducers::upsert_by(key));
    session.append(plan("a", 3));
    assert_eq!(steps(&session), pairs([("a", 3), ("b", 1)]));
}

#[test]
fn several_reducers_of_one_event_run_in_their_order_and_see_each_other() {
    let session = Session::new();
    session.register(|_: &SessionView<'_>, event: &Plan| Change::Append(Seen(event.step)));
    session.register(|view: &SessionView<'_>, _: &Plan| {
        Change::Replace(vec![Count(view.all::<Seen>().len() as u32)])
    });
    session.register(|view: &SessionView<'_>, _: &Plan| match view.latest::<Count>() {
        Some(Count(n)) => Change::Extend(vec![plan("counted", n)]),
        None => Change::Keep,
    });
    session.append(plan("x", 7));
    session.append(plan("y", 8));
    assert_eq!(&*session.all::<Seen>(), [Seen(7), Seen(8)]);
    assert_eq!(&*session.all::<Count>(), [Count(2)]);
    // With reducers of its own, an event is no longer added to its slice by itself.
    assert_eq!(steps(&session), pairs([("counted", 1), ("counted", 2)]));
}

#[test]
fn a_reducer_can_clear() {
    let session = Session::new();
    session.seed([Count(1), Count(2)]);
    session.register(|_: &SessionView<'_>, _: &Plan| Change::<Count>::Clear);
    session.append(plan("x", 1));
    assert!(session.all::<Count>().is_empty());
}

#[test]
fn reducer_failure_leaves_previous_slice_unchanged_and_the_others_at_work() {
    let session = Session::new();
    session.append(Count(1));
    session.register(|_: &SessionView<'_>, _: &Plan| -> Change<Count> { panic!("a reducer's mistake") });
    session.register(reducers::append::<Plan>());
    session.append(plan("x", 1));
    session.append(plan("y", 2));
    assert_eq!(&*session.all::<Count>(), [Count(1)]);
    assert_eq!(session.all::<Plan>().len(), 2);
}

type Told = Arc<Mutex<Vec<String>>>;

fn note(told: &Told, who: &'static str) -> impl Fn(&Plan) + Send + Sync + 'static {
    let told = told.clone();
    move |plan| told.lock().unwrap().push(format!("{who} {}", plan.name))
}

#[test]
fn observers_are_told_in_order_until_they_leave() {
    let (session, told) = (Session::new(), Told::default());
    let first = session.observe(note(&told, "first"));
    session.observe(note(&told, "second")).detach();
    let other = session.observe::<Seen>(|_| panic!("told of something else"));
    session.append(plan("a", 1));
    drop(first);
    session.append(plan("b", 2));
    drop(other);
    session.append(Seen(1));
    assert_eq!(*told.lock().unwrap(), ["first a", "second a", "second b"]);
}

#[test]
fn an_observer_that_panics_keeps_nobody_from_being_told() {
    let (session, told) = (Session::new(), Told::default());
    session.observe::<Plan>(|_| panic!("an observer's mistake")).detach();
    session.observe(note(&told, "second")).detach();
    session.append(plan("a", 1));
    assert_eq!(*told.lock().unwrap(), ["second a"]);
    assert_eq!(session.all::<Plan>().len(), 1);
}

#[test]
fn an_observer_may_use_the_session_and_sees_the_change() {
    let session = Session::new();
    let inner = session.clone();
    let count = move |_: &Plan| inner.append(Count(inner.all::<Plan>().len() as u32));
    let _watching = session.observe(count);
    session.append(plan("a", 1));
    assert_eq!(&*session.all::<Count>(), [Count(1)]);
}

#[test]
fn session_tracks_parent_children_and_tags() {
    let parent = Session::builder().tag("suite", "x").build();
    let child = Session::builder().parent(&parent).build();
    assert_eq!((child.parent_id(), parent.children()), (Some(parent.id()), vec![child.id()]));
    assert_eq!(parent.tags()["suite"], "x");
    assert_eq!(parent.tags()["session_id"], parent.id().to_string());
    assert_eq!(child.tags()["parent_session_id"], parent.id().to_string());
    assert!(parent.parent_id().is_none() && child.children().is_empty());
    assert!(parent.created_at() <= child.created_at());
}

#[test]
fn a_fork_goes_its_own_way() {
    let session = Session::builder().tag("suite", "x").build();
    let told = Told::default();
    session.observe(note(&told, "observer")).detach();
    session.register(reducers::replace_latest::<Plan>());
    session.append(plan("a", 1));
    session.append(Seen(1));
    let fork = session.fork();
    fork.append(plan("b", 2));
    fork.append(Seen(2));
    assert_eq!((steps(&session), steps(&fork)), (pairs([("a", 1)]), pairs([("b", 2)])));
    assert_eq!((session.all::<Seen>().len(), fork.all::<Seen>().len()), (1, 2));
    assert_eq!(*told.lock().unwrap(), ["observer a"]);
    assert_ne!(session.id(), fork.id());
    assert_eq!(
        (fork.tags()["suite"].as_str(), fork.tags()["session_id"].clone()),
        ("x", fork.id().to_string())
    );
}

#[test]
fn a_session_is_shared_between_threads() {
    let session = Session::new();
    session.register(reducers::append::<Plan>());
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let session = &session;
            scope.spawn(move || {
                for step in 0..100 {
                    session.append(plan(&thread.to_string(), step));
                    session.update(|it: &mut Count| it.0 += 1);
                }
            });
        }
    });
    assert_eq!(session.latest::<Count>(), Some(Count(800)));
    for thread in 0..8 {
        let own = session.filter::<Plan>(|it| it.name == thread.to_string());
        assert!(own.iter().map(|it| it.step).eq(0..100), "{own:?}");
    }
}
