//! One process's messages, both directions, put into groups.

use std::collections::BTreeSet;

use selvedge_protocol::see::Notification;
use serde_json::{Value, json, value::RawValue};

use crate::differences::differences;

/// Whether a command's output comes in pieces, and in which, is chance; the whole stands in its completed item. Rate
/// limits come with a report of usage, and say nothing here.
const CHANCE: [&str; 3] =
    ["item/commandExecution/outputDelta", "item/fileChange/outputDelta", "account/rateLimits/updated"];

/// Older versions say everything once or twice more in these words. Which of them came is kept, not what they say.
pub(crate) const LEGACY: &str = "codex/event/";

/// Of these it is chance whether they come.
const LEGACY_CHANCE: [&str; 3] = [
    "codex/event/exec_command_output_delta",
    "codex/event/skills_update_available",
    "codex/event/token_count",
];

/// By these a case that does not listen finds out whether a turn has ended.
const LOOKS: [&str; 3] = ["thread/turns/list", "thread/read", "thread/list"];

/// Messages in groups, each in the order in which they came.
#[derive(Default)]
pub(super) struct Session {
    calls: Vec<Pair>,
    asks: Vec<Pair>,
    told: Vec<Told>,
    legacy: BTreeSet<String>,
}

/// A request and its answer.
struct Pair {
    id: Value,
    thread: Option<String>,
    line: Value,
}

struct Told {
    thread: Option<String>,
    item: Option<String>,
    line: Value,
}

impl Session {
    pub(super) fn read(tap: &str) -> Self {
        let mut session = Self::default();
        for entry in tap.lines() {
            let mut entry: Value = serde_json::from_str(entry).unwrap();
            let ours = entry["dir"] == "->";
            session.add(entry["msg"].take(), ours);
        }
        session
    }

    fn add(&mut self, message: Value, ours: bool) {
        let has = |key: &str| message.get(key).is_some();
        match (has("method"), has("id")) {
            (true, true) => self.request(&message, ours),
            (true, false) if ours => {}
            (true, false) => self.notification(&message),
            (false, _) => self.answer(message, ours),
        }
    }

    fn request(&mut self, message: &Value, ours: bool) {
        let (group, kind) = if ours { (&mut self.calls, "call") } else { (&mut self.asks, "ask") };
        let thread = message["params"]["threadId"].as_str().map(str::to_owned);
        let line = json!({ kind: message["method"], "params": message["params"] });
        group.push(Pair { id: message["id"].clone(), thread, line });
    }

    fn answer(&mut self, mut message: Value, ours: bool) {
        let group = if ours { &mut self.asks } else { &mut self.calls };
        let Some(pair) = group.iter_mut().find(|pair| pair.id == message["id"]) else { return };
        let key = if message.get("error").is_some() { "error" } else { "result" };
        pair.line[key] = message[key].take();
        if let Some(thread) = pair.line[key]["thread"]["id"].as_str() {
            pair.thread = Some(thread.to_owned());
        }
    }

    fn notification(&mut self, message: &Value) {
        let method = message["method"].as_str().unwrap();
        if CHANCE.contains(&method) || LEGACY_CHANCE.contains(&method) {
            return;
        }
        if method.starts_with(LEGACY) {
            self.legacy.insert(method.to_owned());
            return;
        }
        let params: Box<RawValue> = serde_json::from_str(&message["params"].to_string()).unwrap();
        let view = Notification::read(method, Some(&params));
        let [thread, item] =
            [view.thread_id(), view.item_id()].map(|id| id.map(std::borrow::Cow::into_owned));
        let line = json!({ "method": method, "params": message["params"] });
        if is_delta(&line) {
            self.delta(Told { thread, item, line });
        } else {
            self.told.push(Told { thread, item, line });
        }
    }

    /// The deltas of one item become one line, where the first one stood.
    fn delta(&mut self, mut told: Told) {
        let same = |other: &&mut Told| {
            (&other.item, &other.thread, &other.line["method"])
                == (&told.item, &told.thread, &told.line["method"])
        };
        if let Some(first) = self.told.iter_mut().find(same) {
            let piece = told.line["params"]["delta"].as_str().unwrap();
            let joined = format!("{}{piece}", first.line["params"]["delta"].as_str().unwrap());
            first.line["params"]["delta"] = joined.into();
            first.line["deltas"] = (first.line["deltas"].as_u64().unwrap() + 1).into();
            return;
        }
        told.line["deltas"] = 1.into();
        self.told.push(told);
    }

    /// Lines of threads, and lines of none.
    pub(super) fn grouped(mut self) -> (Vec<Value>, Vec<Value>) {
        self.forget_where_streams_were_cut();
        self.forget_the_usage_of_cut_turns();
        self.forget_what_is_chance_in_threads();
        self.keep_the_last_of_repeated_looks();
        let threads = self.threads();
        let place = |thread: &Option<String>| threads.iter().position(|known| Some(known) == thread.as_ref());
        self.asks.sort_by_key(|ask| (place(&ask.thread), tool_arguments(&ask.line["params"])));
        self.name_resolved_requests();
        // A change of status and the end of what changed it come in either order: the statuses stand by themselves.
        self.told.sort_by_key(|told| (place(&told.thread), told.rank()));
        self.put_tool_calls_side_by_side();
        let (of_none, of_threads): (Vec<_>, Vec<_>) =
            self.told.into_iter().partition(|told| told.thread.is_none());
        let pairs = self.calls.into_iter().chain(self.asks).map(|pair| pair.line);
        let lines = pairs.chain(of_threads.into_iter().map(|told| told.line)).collect();
        let legacy = (!self.legacy.is_empty()).then(|| json!({ "legacy": self.legacy }));
        (lines, of_none.into_iter().map(|told| told.line).chain(legacy).collect())
    }

    /// Threads in the order of our calls, then those that only Codex spoke of.
    fn threads(&self) -> Vec<String> {
        let called = self.calls.iter().filter_map(|call| call.thread.clone());
        let told = self.told.iter().filter_map(|told| told.thread.clone());
        let mut threads = Vec::new();
        for thread in called.chain(told) {
            if !threads.contains(&thread) {
                threads.push(thread);
            }
        }
        threads
    }

    /// Whether a thread that was looked at is idle yet, and what it is about, may be chance.
    fn forget_what_is_chance_in_threads(&mut self) {
        let looks = ["thread/read", "thread/resume", "thread/fork"];
        for call in &mut self.calls {
            let look = looks.iter().position(|look| call.line["call"] == *look);
            let Some(thread) = look.and_then(|_| call.line.pointer_mut("/result/thread")) else { continue };
            if look == Some(0) && thread.get("status").is_some() {
                thread["status"] = "<chance>".into();
            }
            if !differences().previews_at_once {
                thread["preview"] = "<chance>".into();
            }
        }
    }

    /// How often a case had to look is chance; what it saw at last is not.
    fn keep_the_last_of_repeated_looks(&mut self) {
        let question = |call: &Pair| (call.line["call"].clone(), call.line["params"].clone());
        let questions: Vec<_> = self.calls.iter().map(question).collect();
        let mut index = 0;
        self.calls.retain(|call| {
            index += 1;
            !LOOKS.iter().any(|look| call.line["call"] == *look)
                || !questions[index..].contains(&questions[index - 1])
        });
    }

    /// How far a stream came before it was cut is chance.
    fn forget_where_streams_were_cut(&mut self) {
        let completed = self.told.iter().filter(|told| told.line["method"] == "item/completed");
        let completed: Vec<_> = completed.map(|told| (told.thread.clone(), told.item.clone())).collect();
        let cut = |told: &&mut Told| {
            told.line.get("deltas").is_some()
                && !completed.contains(&(told.thread.clone(), told.item.clone()))
        };
        for told in self.told.iter_mut().filter(cut) {
            told.line["deltas"] = "cut".into();
            told.line["params"]["delta"] = "<cut>".into();
        }
    }

    /// Whether one tool call ends before the next begins is chance: neighbours are put one after another.
    fn put_tool_calls_side_by_side(&mut self) {
        let same = |a: &Told, b: &Told| a.of_a_tool_call() && b.of_a_tool_call() && a.thread == b.thread;
        for neighbours in self.told.chunk_by_mut(same) {
            let key = |told: &Told| {
                (tool_arguments(&told.line["params"]["item"]), told.line["method"] != "item/started")
            };
            neighbours.sort_by_key(key);
        }
    }

    /// A tool runs before the response that called it has ended. Whether that end, and with it the usage, is still heard
    /// of when the turn is interrupted is chance.
    fn forget_the_usage_of_cut_turns(&mut self) {
        let ends = self.told.iter().map(|told| &told.line).filter(|line| line["method"] == "turn/completed");
        let whole = ends.map(|line| &line["params"]["turn"]).filter(|turn| turn["status"] != "interrupted");
        let whole: Vec<_> = whole.map(|turn| turn["id"].clone()).collect();
        let is_usage = |line: &Value| line["method"] == "thread/tokenUsage/updated";
        self.told.retain(|told| !is_usage(&told.line) || whole.contains(&told.line["params"]["turnId"]));
    }

    /// Request ids are counted over all threads, so which is which is chance.
    fn name_resolved_requests(&mut self) {
        for told in self.told.iter_mut().filter(|told| told.line["method"] == "serverRequest/resolved") {
            let id = &told.line["params"]["requestId"];
            if let Some(index) = self.asks.iter().position(|ask| ask.id == *id) {
                told.line["params"]["requestId"] = format!("<ask-{}>", index + 1).into();
            }
        }
    }
}

impl Told {
    /// What comes at a moment of chance stands by itself, after everything else.
    fn rank(&self) -> u8 {
        match self.line["method"].as_str() {
            Some("thread/tokenUsage/updated") if !differences().usage_has_its_place => 1,
            Some("thread/status/changed") => 2,
            _ => 0,
        }
    }

    fn of_a_tool_call(&self) -> bool {
        self.line["params"]["item"]["type"] == "dynamicToolCall"
    }
}

/// Calls of one tool are told apart by their arguments: their ids are chance.
fn tool_arguments(call: &Value) -> String {
    call["arguments"].to_string()
}

fn is_delta(line: &Value) -> bool {
    line["method"].as_str().is_some_and(|method| method.to_lowercase().ends_with("delta"))
        && line["params"]["delta"].is_string()
}
