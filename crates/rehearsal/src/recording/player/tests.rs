//! The player, line by line.

use selvedge_recording::Recording;

use super::*;

const SIMPLE: &str = concat!(
    r#"{"t":0.0,"dir":"->","msg":{"id":1,"method":"initialize","params":{}}}"#,
    "\n",
    r#"{"t":0.1,"dir":"<-","msg":{"id":1,"result":{"userAgent":"recorded/0.166.0"}}}"#,
    "\n",
    r#"{"t":0.1,"dir":"->","msg":{"id":2,"method":"turn/start","params":{"threadId":true}}}"#,
    "\n",
    r#"{"t":0.1,"dir":"<-","msg":{"id":2,"error":{"code":-32600,"message":"refused then"}}}"#,
    "\n",
    r#"{"t":0.2,"dir":"->","msg":{"id":3,"method":"thread/start","params":{"cwd":"/"}}}"#,
    "\n",
    r#"{"t":0.3,"dir":"<-","msg":{"id":3,"result":{"thread":{"id":"T"}}}}"#,
    "\n",
    r#"{"t":1.0,"dir":"->","msg":{"id":4,"method":"turn/start","params":{"threadId":"T","clientUserMessageId":"then","input":[]}}}"#,
    "\n",
    r#"{"t":1.1,"dir":"<-","msg":{"id":4,"result":{"turn":{"id":"U"}}}}"#,
    "\n",
    r#"{"t":1.2,"dir":"<-","msg":{"method":"turn/started","params":{"threadId":"T","turn":{"id":"U","status":"inProgress"}}}}"#,
    "\n",
    r#"{"t":1.4,"dir":"<-","msg":{"method":"item/started","params":{"threadId":"T","item":{"clientId":"then"}}}}"#,
    "\n",
    r#"{"t":1.5,"dir":"<-","msg":{"id":0,"method":"item/commandExecution/requestApproval","params":{"threadId":"T"}}}"#,
    "\n",
    r#"{"t":4.5,"dir":"->","msg":{"id":0,"result":{"decision":"accept"}}}"#,
    "\n",
    r#"{"t":5.5,"dir":"<-","msg":{"method":"turn/completed","params":{"threadId":"T","turn":{"id":"U","status":"completed"}}}}"#,
    "\n",
);

/// With a clock that only the test turns.
struct Stage {
    player: Player,
    now: Duration,
}

impl Stage {
    fn new(text: &str, pace: Pace) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("recording.jsonl");
        std::fs::write(&path, text).unwrap();
        let script = Script::of(&Recording::open(&path).unwrap());
        Self { player: Player::new(script, pace), now: Duration::ZERO }
    }

    fn hear(&mut self, message: &Value) {
        self.player.heard(&message.to_string());
    }

    fn next(&mut self) -> Next {
        self.player.next(self.now)
    }

    fn said(&mut self) -> Value {
        match self.next() {
            Next::Say(line) => serde_json::from_str(&line).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    /// Turns the clock to when the next thing is due.
    fn wait(&mut self) -> Duration {
        match self.next() {
            Next::At(due) => {
                let waited = due - self.now;
                self.now = due;
                waited
            }
            other => panic!("{other:?}"),
        }
    }

    /// The handshake, the thread and the turn, with ids of now.
    fn begin(&mut self) {
        self.hear(&json!({"id": 100, "method": "initialize", "params": {}}));
        assert_eq!(self.said()["result"]["userAgent"], "recorded/0.166.0");
        self.hear(&json!({"id": 101, "method": "thread/start", "params": {"cwd": "/"}}));
        assert_eq!(self.said(), json!({"id": 101, "result": {"thread": {"id": "T"}}}));
        self.hear(&json!({"id": 102, "method": "turn/start", "params": {"threadId": "T", "clientUserMessageId": "now", "input": []}}));
        assert_eq!(self.said(), json!({"id": 102, "result": {"turn": {"id": "U"}}}));
    }
}

#[test]
fn nothing_is_said_before_the_client_has_done_what_it_did() {
    let mut stage = Stage::new(SIMPLE, Pace::AtOnce);
    assert_eq!(stage.next(), Next::Wait, "nobody has introduced himself");
    stage.hear(&json!({"id": 100, "method": "initialize", "params": {}}));
    stage.said();
    let Next::Cue(Cue::Deed(place)) = stage.next() else { panic!("a deed is waited for") };
    assert!(matches!(&stage.player.script.steps[place], Step::Await(deed) if deed.opens()));
    assert_eq!(stage.next(), Next::Wait, "it is told once");
    stage.begin();
    assert_eq!(stage.next(), Next::Cue(Cue::Done(place)));
    assert_eq!(stage.said()["method"], "turn/started");
    assert_eq!(stage.said()["params"]["item"]["clientId"], "now", "the message has the id it has now");
    assert_eq!(stage.said()["id"], 0);
    assert!(matches!(stage.next(), Next::Cue(Cue::Deed(_))), "the approval is answered first");
    stage.hear(&json!({"id": 0, "result": {"decision": "decline"}}));
    assert!(matches!(stage.next(), Next::Cue(Cue::Done(_))));
    assert_eq!(stage.said()["method"], "turn/completed");
    assert_eq!(stage.next(), Next::Cue(Cue::Played));
    assert_eq!(stage.next(), Next::Wait);
}

#[test]
fn times_are_the_recorded_ones_divided_by_the_speed() {
    for speed in [1.0, 4.0] {
        let mut stage = Stage::new(SIMPLE, Pace::Times(speed));
        stage.begin();
        let about = |waited: Duration, recorded: f64| (waited.as_secs_f64() * speed - recorded).abs() < 1e-3;
        let waited = stage.wait();
        assert!(about(waited, 0.8), "the turn was started {waited:?} after the thread");
        assert!(about(stage.wait(), 0.2));
        assert_eq!(stage.said()["method"], "turn/started");
        assert!(about(stage.wait(), 0.2));
        stage.said();
        assert!(about(stage.wait(), 0.1));
        stage.said();
        assert!(about(stage.wait(), 3.0), "a person took so long");
        assert!(matches!(stage.next(), Next::Cue(Cue::Deed(_))));
        stage.hear(&json!({"id": 0, "result": {"decision": "accept"}}));
        assert!(matches!(stage.next(), Next::Cue(Cue::Done(_))));
        assert!(about(stage.wait(), 1.0));
        assert_eq!(stage.said()["method"], "turn/completed");
    }
}

#[test]
fn stepwise_each_line_waits_for_a_word_and_answers_for_none() {
    let mut stage = Stage::new(SIMPLE, Pace::Step);
    stage.begin();
    for method in ["turn/started", "item/started", "item/commandExecution/requestApproval"] {
        assert!(matches!(stage.next(), Next::Cue(Cue::Word(_))));
        assert_eq!(stage.next(), Next::Wait);
        stage.hear(&json!({"id": 7, "method": "thread/read", "params": {"threadId": "T"}}));
        assert_eq!(stage.said()["result"]["thread"]["id"], "T");
        stage.player.word();
        assert_eq!(stage.said()["method"], method);
    }
}

#[test]
fn what_was_refused_is_refused_and_what_nobody_asked_is_answered_from_what_is_known() {
    let mut stage = Stage::new(SIMPLE, Pace::AtOnce);
    stage.begin();
    let mut ask = |method: &str, params: Value| {
        stage.hear(&json!({"id": 9, "method": method, "params": params}));
        stage.said()
    };
    assert_eq!(ask("turn/start", json!({"threadId": true}))["error"]["message"], "refused then");
    assert_eq!(ask("thread/loaded/list", json!({}))["result"]["data"], json!(["T"]));
    assert!(ask("turn/start", json!({"threadId": "T"}))["error"].is_object(), "no second turn was recorded");
    assert!(ask("thread/start", json!({"sandbox": true}))["error"].is_object(), "it only asks what there is");
    assert!(ask("model/list", json!({}))["error"].is_object());
    assert!(ask("turn/interrupt", json!({"threadId": "T"}))["error"].is_object(), "it plays what was");
    assert_eq!(stage.said()["method"], "turn/started");
    stage.hear(&json!({"id": 9, "method": "thread/turns/list", "params": {"threadId": "T"}}));
    assert_eq!(stage.said()["result"]["data"][0]["status"], "inProgress");
}

#[test]
fn a_turn_that_runs_when_the_recording_ends_can_be_ended() {
    let cut = SIMPLE.lines().take(9).collect::<Vec<_>>().join("\n");
    let mut stage = Stage::new(&(cut + "\n"), Pace::AtOnce);
    stage.begin();
    stage.said();
    assert_eq!(stage.next(), Next::Cue(Cue::Played));
    stage.hear(&json!({"id": 9, "method": "turn/interrupt", "params": {"threadId": "T", "turnId": "U"}}));
    assert_eq!(stage.said(), json!({"id": 9, "result": {}}));
    let ended = stage.said();
    assert_eq!(
        (&ended["method"], &ended["params"]["turn"]["status"]),
        (&json!("turn/completed"), &json!("interrupted"))
    );
}
