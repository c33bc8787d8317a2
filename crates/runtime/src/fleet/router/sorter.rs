//! Sorts what an app-server says: to a thread, to everybody, or answered on the spot.

use std::{
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use selvedge_client::{Client, Line};
use selvedge_protocol::{
    asks,
    frame::{Frame, RequestId},
    say,
};
use selvedge_session::{Heard, Json};
use serde_json::Value;
use tokio::sync::mpsc;
use uuid::Uuid;

use super::routes::{Leftover, Routes};
use crate::{
    fleet::{
        counters::Counters,
        mailbox::{Told, Unclaimed},
    },
    from_codex::{Legacy, Meaning, Piece, Reader, Reply, asked_by},
};

/// JSON-RPC's "there is no such method": nobody here can answer that.
const NOT_FOUND: i64 = -32601;
/// Of a line that is no message at most so much is passed on.
const LONGEST_RAW: usize = 64 * 1024;

/// What a sorter is made of.
pub(super) struct Sorter {
    pub(super) client: Client,
    pub(super) reader: Reader<fn() -> Uuid>,
    /// Whether the client itself answers a request for new tokens.
    pub(super) gives_tokens: bool,
    pub(super) unclaimed: Option<mpsc::Sender<Unclaimed>>,
    pub(super) counters: Arc<Counters>,
}

impl Sorter {
    /// Sorts one line.
    pub(super) fn sort(&mut self, routes: &mut Routes, line: &Line) {
        routes.at(line.offset);
        let Some(text) = line.text() else {
            return self.unclaimed_line(line.offset, &String::from_utf8_lossy(line.bytes()));
        };
        let text = self.client.redactions().apply(text);
        match Piece::read(&text) {
            Some(piece) => routes.piece(line.offset, piece),
            None => match Legacy::read(&text) {
                Some(legacy) => self.sort_legacy(routes, line.offset, (legacy, &text)),
                None => self.sort_meaning(routes, line.offset, &text),
            },
        }
    }

    /// Sees to what no listener gets.
    pub(super) fn leftover(&self, leftover: Leftover) {
        match leftover {
            // What nobody knows is kept, also where nobody listens.
            Leftover::Muted(Told { heard: Heard::Unknown { raw, .. }, offset, .. })
            | Leftover::Unclaimed { told: Told { heard: Heard::Unknown { raw, .. }, offset, .. }, .. } => {
                self.unclaimed_line(offset, &raw);
            }
            Leftover::Muted(told) => {
                self.counters.muted.add();
                self.refuse_request(&told.heard);
            }
            Leftover::Unclaimed { thread, told } => {
                self.counters.unclaimed.add();
                self.refuse_request(&told.heard);
                self.pass_on(Unclaimed::Thread { told, thread });
            }
        }
    }

    fn sort_meaning(&mut self, routes: &mut Routes, offset: u64, text: &str) {
        match self.reader.read(text) {
            Meaning::Thread { thread, heard, more } => {
                let parent = parent_of(&heard);
                // Two news of one line may come into two records: then the second has a place of its own.
                let after = offset + u64::from(more.is_some());
                // Before it: with the end of its turn, readers may leave.
                if let Some(raw) = more {
                    let direction = "from_codex".to_owned();
                    routes.news(&thread, offset, Heard::Unknown { direction, raw });
                }
                routes.news(&thread, after, *heard);
                if let Some(parent) = parent {
                    routes.is_child_of(&thread, &parent);
                }
            }
            Meaning::Process { method, params } => self.notice(routes, offset, &(method, params)),
            Meaning::Reply { id, reply } => self.reply(&id, &reply),
            Meaning::LateAnswer { id: RequestId::Int(id) } if routes.mark_reached(id) => {}
            Meaning::LateAnswer { id } => self.late_answer(&id, text),
            Meaning::Unknown { raw, refuse } => {
                if let Some(id) = refuse {
                    self.refuse(&id, "this request is not known here");
                }
                match thread_of(&raw).filter(|thread| routes.has(thread)) {
                    Some(thread) => {
                        let heard = Heard::Unknown { direction: "from_codex".to_owned(), raw };
                        routes.news(&thread, offset, heard);
                    }
                    None => self.unclaimed_line(offset, &raw),
                }
            }
        }
    }

    fn sort_legacy(&self, routes: &mut Routes, offset: u64, (legacy, text): (Legacy, &str)) {
        match legacy {
            Legacy::Twin => self.counters.twins.add(),
            Legacy::Alone(Some(thread)) if routes.has(&thread) => {
                let heard = Heard::Unknown { direction: "from_codex".to_owned(), raw: text.to_owned() };
                routes.news(&thread, offset, heard);
            }
            Legacy::Alone(_) => self.unclaimed_line(offset, text),
        }
    }

    fn notice(&self, routes: &mut Routes, offset: u64, (method, params): &(String, Json)) {
        if concerns_everybody(method) {
            routes.notice(offset, method, params);
        } else {
            self.counters.notices.add();
        }
    }

    fn reply(&self, id: &RequestId<'_>, reply: &Reply) {
        match reply {
            Reply::Time => {
                let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
                let time = say::CurrentTimeReadResponse::new(i64::try_from(seconds).unwrap_or_default());
                // It can only fail because the process is gone, and with it the one who asked.
                let _gone = self.client.answer_to::<asks::CurrentTimeRead>(id, &time);
            }
            Reply::Tokens if self.gives_tokens => {}
            Reply::Tokens => self.refuse(id, "nobody here has new tokens"),
            Reply::Refuse(why) => self.refuse(id, why),
        }
    }

    fn late_answer(&self, id: &RequestId<'_>, text: &str) {
        self.counters.late_answers.add();
        if let Some(method) = self.client.take_late(id)
            && matches!(method.as_str(), "thread/start" | "thread/fork" | "turn/start")
        {
            let process = self.reader.process;
            self.pass_on(Unclaimed::LateAnswer { process, method, raw: text.to_owned() });
        }
    }

    fn refuse(&self, id: &RequestId<'_>, why: &str) {
        self.counters.refused.add();
        // As above.
        let _gone = self.client.refuse(id, NOT_FOUND, why);
    }

    /// What is asked where nobody listens is refused, never accepted.
    fn refuse_request(&self, heard: &Heard) {
        if let Heard::Asked { key, .. } | Heard::ToolCalled { key, .. } = heard
            && let Some((_, id)) = asked_by(key)
        {
            self.refuse(&id, "nobody is here to ask");
        }
    }

    fn unclaimed_line(&self, offset: u64, raw: &str) {
        self.counters.unclaimed.add();
        let raw = raw[..raw.floor_char_boundary(LONGEST_RAW)].to_owned();
        self.pass_on(Unclaimed::Line { process: self.reader.process, offset, raw });
    }

    fn pass_on(&self, unclaimed: Unclaimed) {
        let sent = self.unclaimed.as_ref().is_some_and(|sink| sink.try_send(unclaimed).is_ok());
        if !sent {
            self.counters.dropped.add();
        }
    }
}

/// What Codex says of a whole process and its sessions want to know.
fn concerns_everybody(method: &str) -> bool {
    method.starts_with("mcpServer/")
        || method.starts_with("account/")
        || matches!(method, "configWarning" | "deprecationNotice")
}

/// The parent of a thread that has just begun, if this says so.
fn parent_of(heard: &Heard) -> Option<String> {
    let Heard::Notice { method, params } = heard else { return None };
    if method != "thread/started" {
        return None;
    }
    let params: Value = serde_json::from_str(params.text()).ok()?;
    parent_in(&params["thread"])
}

/// The parent that a thread names. Up to 0.120 it stands in where the thread came from.
pub(in crate::fleet) fn parent_in(thread: &Value) -> Option<String> {
    let today = &thread["parentThreadId"];
    let before = &thread["source"]["subAgent"]["thread_spawn"]["parent_thread_id"];
    today.as_str().or_else(|| before.as_str()).map(str::to_owned)
}

/// The thread a message of an unknown kind names, if it does.
fn thread_of(raw: &str) -> Option<String> {
    let (Frame::Request { params, .. } | Frame::Notification { params, .. }) = Frame::read(raw) else {
        return None;
    };
    let params: Value = serde_json::from_str(params?.get()).ok()?;
    params["threadId"].as_str().map(str::to_owned)
}
