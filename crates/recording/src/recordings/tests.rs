//! Recordings as they are begun, written, cut and refused.

use std::{fs, io::Write, sync::Mutex};

use super::*;
use crate::{Direction, Form, ReadError, Recording, part::Part};

const LONG: Duration = Duration::from_secs(60);

struct Stage {
    directory: tempfile::TempDir,
    recordings: Recordings,
    told: Arc<Mutex<Vec<String>>>,
}

impl Stage {
    fn new(limits: Limits) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let told = Arc::new(Mutex::new(Vec::new()));
        let hears = Arc::clone(&told);
        let tell: Tell = Arc::new(move |what: &str| hears.lock().unwrap().push(what.to_owned()));
        let recordings = Recordings::new(directory.path().join("recordings"), limits, tell);
        Self { directory, recordings, told }
    }

    fn begin(&self) -> Recorder {
        let who = Conversation { process: Uuid::now_v7(), backend: "codex" };
        self.recordings.begin(&who, Box::new(|text| text.replace("sk-secret", "[redacted]").into()))
    }

    fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.directory.path().join("recordings")).unwrap();
        let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        files.sort_by_key(|path| Name::of(path));
        files
    }
}

#[test]
fn what_was_said_is_read_again_without_secrets_and_only_by_its_user() {
    let stage = Stage::new(Limits::default());
    let recorder = stage.begin();
    recorder.line(Direction::Sent, br#"{"id":0,"method":"initialize"}"#);
    recorder.line(Direction::Received, br#"{"id":0,"result":{"userAgent":"x"}}"#);
    recorder.introduce(Some("0.166.0"));
    recorder.line(Direction::Sent, br#"{"key":"sk-secret"}"#);
    recorder.line(Direction::Received, b"no json, and sk-secret");
    drop(recorder);
    stage.recordings.finish(LONG);
    let [file] = &stage.files()[..] else { panic!("one file") };
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(file), mode(file.parent().unwrap())), (0o600, 0o700));
    let recording = Recording::open(file).unwrap();
    let header = recording.header.as_ref().unwrap();
    assert_eq!(
        (header.codex.as_deref(), header.backend.as_str(), header.part),
        (Some("0.166.0"), "codex", 1)
    );
    assert!(header.started_at.parse::<jiff::Timestamp>().is_ok());
    let said: Vec<_> = recording.entries.iter().map(|entry| (entry.direction, entry.text.as_str())).collect();
    assert_eq!(
        said,
        [
            (Direction::Sent, r#"{"id":0,"method":"initialize"}"#),
            (Direction::Received, r#"{"id":0,"result":{"userAgent":"x"}}"#),
            (Direction::Sent, r#"{"key":"[redacted]"}"#),
            (Direction::Received, "no json, and [redacted]"),
        ]
    );
    assert!(recording.entries.is_sorted_by_key(|entry| entry.at));
    assert_eq!((recording.form, recording.cut), (Form::Ours, false));
    assert_eq!(stage.recordings.counts(), Counts { files: 1, lines: 4, missing: 0, failed: 0 });
    assert!(stage.told.lock().unwrap().is_empty());
}

#[test]
fn a_process_that_never_introduced_itself_is_recorded_too() {
    let stage = Stage::new(Limits::default());
    let recorder = stage.begin();
    recorder.line(Direction::Sent, b"{}");
    recorder.not_introduced();
    drop(recorder);
    let given_up_while_it_began = stage.begin();
    given_up_while_it_began.line(Direction::Sent, b"{}");
    drop(given_up_while_it_began);
    let silent = stage.begin();
    drop(silent);
    let only_ready = stage.begin();
    only_ready.line(Direction::Sent, br#"{"id":0,"method":"initialize"}"#);
    only_ready.line(Direction::Sent, br#"{"method":"initialized"}"#);
    only_ready.introduce(Some("0.166.0"));
    only_ready.line(Direction::Received, b"{}");
    drop(only_ready);
    stage.recordings.finish(LONG);
    let files = stage.files();
    assert_eq!(files.len(), 1, "of those that nobody asked anything there is no file");
    assert_eq!(Recording::open(&files[0]).unwrap().header.unwrap().codex, None);
}

#[test]
fn one_that_was_taken_over_is_recorded_though_nothing_is_asked_after_its_version_is_known() {
    let stage = Stage::new(Limits::default());
    let recorder = stage.begin();
    recorder.line(Direction::Sent, br#"{"id":7,"method":"thread/loaded/list"}"#);
    recorder.line(Direction::Received, br#"{"method":"turn/completed"}"#);
    recorder.introduce(Some("0.166.0"));
    drop(recorder);
    stage.recordings.finish(LONG);
    let [file] = &stage.files()[..] else { panic!("one file") };
    let recording = Recording::open(file).unwrap();
    assert_eq!(recording.entries.len(), 2);
    assert_eq!(recording.header.unwrap().codex.as_deref(), Some("0.166.0"));
}

#[test]
fn a_file_that_is_full_goes_on_in_parts_and_they_are_read_as_one() {
    let stage = Stage::new(Limits { file_bytes: 1000, ..Limits::default() });
    let recorder = stage.begin();
    recorder.introduce(None);
    recorder.line(Direction::Sent, b"{}");
    for number in 0..40 {
        recorder.line(
            Direction::Received,
            format!("{{\"number\":{number},\"text\":\"{}\"}}", "x".repeat(50)).as_bytes(),
        );
    }
    drop(recorder);
    stage.recordings.finish(LONG);
    let files = stage.files();
    assert!(files.len() > 3, "{files:?}");
    let all = Recording::open(&files[0]).unwrap();
    assert_eq!(all.entries.len(), 41);
    assert!(all.entries[40].text.contains("\"number\":39"));
    let last = Recording::open(files.last().unwrap()).unwrap();
    assert_eq!(last.header.unwrap().part as usize, files.len());
    assert!(last.entries.len() < 40, "a later part is read alone");
}

#[test]
fn what_was_flushed_can_be_read_while_it_is_written_and_after_a_cut() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cut.jsonl.zst");
    let mut part = Part::create(&path).unwrap();
    part.line(&serde_json::json!({"t": 0, "dir": "<-", "msg": {"first": true}})).unwrap();
    part.flush().unwrap();
    let open = Recording::open(&path).unwrap();
    assert_eq!((open.entries.len(), open.cut), (1, true));
    for number in 0..100 {
        part.line(&serde_json::json!({"t": 1, "dir": "<-", "msg": {"number": number}})).unwrap();
    }
    part.end().unwrap();
    let whole = fs::read(&path).unwrap();
    assert!(!Recording::open(&path).unwrap().cut);
    fs::File::create(&path).unwrap().write_all(&whole[..whole.len() - 20]).unwrap();
    let cut = Recording::open(&path).unwrap();
    assert!(cut.cut && !cut.entries.is_empty() && cut.entries.len() < 101, "{}", cut.entries.len());
    let mut damaged = whole;
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0xff;
    fs::write(&path, damaged).unwrap();
    assert!(matches!(Recording::open(&path), Err(ReadError::Damaged { .. })));
}

#[test]
fn what_cannot_be_written_is_told_and_counted_and_nobody_waits() {
    let stage = Stage::new(Limits::default());
    fs::remove_dir_all(stage.directory.path().join("recordings")).unwrap();
    let recorder = stage.begin();
    recorder.introduce(None);
    recorder.line(Direction::Sent, b"{}");
    drop(recorder);
    stage.recordings.finish(LONG);
    assert_eq!(stage.recordings.counts().failed, 1);
    let told = stage.told.lock().unwrap();
    assert!(told[0].contains("recordings in"), "{told:?}");
}
