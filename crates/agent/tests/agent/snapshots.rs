//! Snapshots: state is put back, logs stay; JSON goes there and back.

use std::collections::BTreeMap;

use selvedge_agent::{Session, Slice, Snapshot, SnapshotError, ToolInvoked, reducers};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::sessions::{Count, Plan, Seen, plan};

#[test]
fn state_is_put_back_and_logs_stay() {
    let session = Session::new();
    session.append(plan("a", 1));
    session.append(Seen(1));
    let snapshot = session.snapshot();
    session.append(plan("b", 2));
    session.append(Count(7));
    session.append(Seen(2));
    session.restore(&snapshot).unwrap();
    assert_eq!(&*session.all::<Plan>(), [plan("a", 1)]);
    // It was not there when the snapshot was taken.
    assert!(session.all::<Count>().is_empty());
    assert_eq!(&*session.all::<Seen>(), [Seen(1), Seen(2)]);
}

#[test]
fn everything_can_be_taken_and_put_back() {
    let session = Session::new();
    session.append(Seen(1));
    let snapshot = session.snapshot_all();
    session.append(Seen(2));
    session.restore(&snapshot).unwrap();
    assert_eq!(session.all::<Seen>().len(), 2);
    session.restore_all(&snapshot).unwrap();
    assert_eq!(&*session.all::<Seen>(), [Seen(1)]);
}

#[test]
fn a_session_is_emptied_by_the_snapshot_of_a_new_one() {
    let session = Session::new();
    session.append(plan("a", 1));
    session.append(Seen(1));
    session.restore_all(&Session::new().snapshot_all()).unwrap();
    assert!(session.all::<Plan>().is_empty() && session.all::<Seen>().is_empty());
}

#[test]
fn snapshot_preserves_custom_reducer_behavior() {
    let session = Session::new();
    session.register(reducers::replace_latest::<Plan>());
    session.append(plan("a", 1));
    let snapshot = session.snapshot();
    session.append(plan("b", 2));
    session.restore(&snapshot).unwrap();
    session.append(plan("c", 3));
    assert_eq!(&*session.all::<Plan>(), [plan("c", 3)]);
}

fn json_of(snapshot: &Snapshot) -> Value {
    serde_json::from_str(&snapshot.to_json().unwrap()).unwrap()
}

#[test]
fn the_json_has_the_reference_s_form() {
    #[derive(Clone, Serialize, Deserialize)]
    struct Steps {
        steps: Vec<String>,
        when: Option<String>,
    }
    impl Slice for Steps {
        const NAME: &'static str = "steps";
    }
    let session = Session::builder().tag("suite", "x").build();
    session.append(Steps { steps: vec!["a".into()], when: None });
    session.append(Seen(1));
    let snapshot = session.snapshot();
    let expected = json!({
        "version": "1",
        "created_at": snapshot.created_at().to_string(),
        "parent_id": null,
        "children_ids": [],
        "policies": {"steps": "state", "visibility_overrides": "state"},
        "slices": [{"slice_type": "steps", "item_type": "steps", "items": [{"steps": ["a"], "when": null}]}],
        "tags": {"session_id": session.id().to_string(), "suite": "x"},
    });
    assert_eq!(json_of(&snapshot), expected);
    assert!(snapshot.to_json().unwrap().starts_with(r#"{"children_ids":[],"created_at":"#));
    assert_eq!(json_of(&session.snapshot_all())["policies"]["seen"], "log");
}

#[test]
fn json_goes_there_and_back() {
    let parent = Session::new();
    let session = Session::builder().parent(&parent).build();
    session.append(plan("a", 1));
    session.append(Count(2));
    session.append(Seen(3));
    let child = Session::builder().parent(&session).build();
    let json = session.snapshot_all().to_json().unwrap();
    let read = Snapshot::from_json(&json).unwrap();
    assert_eq!(read.to_json().unwrap(), json);
    assert_eq!(read.tags(), session.tags());
    assert_eq!(json_of(&read)["children_ids"], json!([child.id()]));
    let other = Session::new();
    other.declare::<Plan>();
    other.declare::<Count>();
    other.declare::<Seen>();
    other.restore_all(&read).unwrap();
    assert_eq!((&*other.all::<Plan>(), &*other.all::<Count>()), (&[plan("a", 1)][..], &[Count(2)][..]));
    assert_eq!(&*other.all::<Seen>(), [Seen(3)]);
}

#[test]
fn snapshot_rollback_requires_registered_slices() {
    let session = Session::new();
    session.append(plan("a", 1));
    session.append(Count(1));
    let read = Snapshot::from_json(&session.snapshot().to_json().unwrap()).unwrap();
    let other = Session::new();
    other.append(Count(9));
    let error = other.restore(&read).unwrap_err();
    assert!(error.to_string().starts_with("the session does not know these slices: plan\nhint: "), "{error}");
    assert_eq!(other.latest::<Count>(), Some(Count(9)));
}

#[test]
fn json_that_is_no_snapshot_is_refused() {
    let valid = Session::new().snapshot().to_json().unwrap();
    let of_version = |version: &str| valid.replace(r#""version":"1""#, &format!(r#""version":"{version}""#));
    assert!(matches!(Snapshot::from_json("nonsense"), Err(SnapshotError::NotASnapshot(_))));
    assert!(matches!(Snapshot::from_json("[]"), Err(SnapshotError::NotASnapshot(_))));
    assert!(matches!(Snapshot::from_json(r#"{"version":"1"}"#), Err(SnapshotError::NotASnapshot(_))));
    for wrong in
        [r#""tags":[]"#, r#""tags":{"a":1}"#, r#""policies":{"plan":"other"}"#, r#""created_at":"now""#]
    {
        let field = wrong.split(':').next().unwrap();
        let mut json: Value = serde_json::from_str(&valid).unwrap();
        json.as_object_mut().unwrap().remove(field.trim_matches('"'));
        let json = json.to_string().replacen('{', &format!("{{{wrong},"), 1);
        assert!(matches!(Snapshot::from_json(&json), Err(SnapshotError::NotASnapshot(_))), "{json}");
    }
    let error = Snapshot::from_json(&of_version("2")).unwrap_err();
    assert_eq!(error.to_string(), "the snapshot has version \"2\", this is \"1\"");
}

#[test]
fn a_stored_value_that_is_not_of_its_type_is_told_with_its_place() {
    let session = Session::new();
    session.seed([Count(1), Count(2)]);
    let json = session.snapshot().to_json().unwrap().replace("[1,2]", r#"[1,"two"]"#);
    let error = session.restore(&Snapshot::from_json(&json).unwrap()).unwrap_err();
    assert!(error.to_string().starts_with("item 1 of the slice `count` cannot be read: "), "{error}");
    assert_eq!(session.all::<Count>().len(), 2);
}

#[test]
fn policies_and_tags_may_be_missing_in_json() {
    let bare = r#"{"version":"1","created_at":"2026-01-02T03:04:05Z","slices":[]}"#;
    let snapshot = Snapshot::from_json(bare).unwrap();
    assert!(snapshot.tags().is_empty());
    Session::new().restore(&snapshot).unwrap();
}

#[test]
fn values_without_json_are_told() {
    #[derive(Clone, Serialize, Deserialize)]
    struct Odd(BTreeMap<(u32, u32), u32>);
    impl Slice for Odd {
        const NAME: &'static str = "odd";
    }
    let session = Session::new();
    session.append(Odd(BTreeMap::from([((1, 2), 3)])));
    let snapshot = session.snapshot();
    let error = snapshot.to_json().unwrap_err();
    assert!(
        error.to_string().starts_with("a value of the slice `odd` cannot be written as JSON: "),
        "{error}"
    );
    // In memory it needs no JSON.
    session.clear::<Odd>();
    session.restore(&snapshot).unwrap();
    assert_eq!(session.all::<Odd>().len(), 1);
}

#[test]
fn two_types_of_one_name_are_told() {
    #[derive(Clone, Serialize, Deserialize)]
    struct Other;
    impl Slice for Other {
        const NAME: &'static str = "plan";
    }
    let session = Session::new();
    session.append(Other);
    session.append(plan("a", 1));
    assert!(matches!(session.snapshot().to_json(), Err(SnapshotError::SameName(name)) if name == "plan"));
}

#[test]
fn events_of_evaluations_are_logs() {
    let session = Session::new();
    let _ = session.all::<ToolInvoked>();
    let policies = json_of(&session.snapshot_all())["policies"].clone();
    assert_eq!(policies, json!({"tool_invoked": "log", "visibility_overrides": "state"}));
}
