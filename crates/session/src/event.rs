//! Events: the product's one language. What is shown, numbered without gaps.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error, ser::SerializeStruct};
use serde_json::value::RawValue;

use crate::{ids::SessionId, time::Timestamp};

pub mod data;

/// Something that happened in a session.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// From 1, without gaps.
    pub seq: u64,
    /// Whose.
    pub session_id: SessionId,
    /// When.
    pub at: Timestamp,
    /// The sub-agent's thread, if it is not the session's own.
    pub thread_id: Option<String>,
    /// The turn it belongs to.
    pub turn_id: Option<String>,
    /// The item it belongs to.
    pub item_id: Option<String>,
    /// What happened.
    pub what: What,
}

macro_rules! whats {
    ($($(#[$doc:meta])+ $variant:ident($data:ty) = $name:literal;)+) => {
        /// What happened.
        #[derive(Debug, Clone, PartialEq)]
        pub enum What {
            $($(#[$doc])+ $variant($data),)+
            /// Of a type that this version does not know: kept as it is.
            Other(String, crate::json::Json),
        }

        impl What {
            /// Its `type` on every surface.
            #[must_use]
            pub fn name(&self) -> &str {
                match self {
                    $(Self::$variant(_) => $name,)+
                    Self::Other(name, _) => name,
                }
            }

            fn read(name: &str, data: &RawValue) -> Result<Self, serde_json::Error> {
                match name {
                    $($name => serde_json::from_str(data.get()).map(Self::$variant),)+
                    _ => Ok(Self::Other(name.to_owned(), data.into())),
                }
            }

            /// Each kind, described.
            #[cfg(feature = "schema")]
            pub(crate) fn kinds() -> Vec<crate::schema::Kind> {
                vec![$(crate::schema::Kind::of::<$data>($name, stringify!($variant)),)+]
            }
        }

        /// The `data` field alone.
        struct Data<'a>(&'a What);

        impl Serialize for Data<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self.0 {
                    $(What::$variant(data) => data.serialize(serializer),)+
                    What::Other(_, data) => data.serialize(serializer),
                }
            }
        }
    };
}

whats! {
    /// The session exists.
    SessionCreated(data::Created) = "session.created";
    /// Its settings changed.
    SessionUpdated(data::Updated) = "session.updated";
    /// Its state changed.
    SessionState(data::StateChanged) = "session.state";
    /// Something a person should know.
    SessionWarning(data::Warning) = "session.warning";
    /// The session is gone; said in the feed of all sessions, for its own events are gone with it.
    SessionRemoved(data::Removed) = "session.removed";
    /// A message is ours to bring to an end.
    MessageAccepted(data::Accepted) = "message.accepted";
    /// While it waits, it says something else or has another place.
    MessageUpdated(data::Edited) = "message.updated";
    /// It was handed to Codex.
    MessageStarted(data::Started) = "message.started";
    /// It has ended: exactly one per message.
    MessageFinished(data::Finished) = "message.finished";
    /// A turn began.
    TurnStarted(data::TurnStarted) = "turn.started";
    /// A turn ended.
    TurnCompleted(data::TurnCompleted) = "turn.completed";
    /// An item began.
    ItemStarted(data::ItemData) = "item.started";
    /// An item ended.
    ItemCompleted(data::ItemData) = "item.completed";
    /// A piece of an item.
    ItemDelta(data::Delta) = "item.delta";
    /// Codex asks a person.
    ApprovalRequested(data::ApprovalRequested) = "approval.requested";
    /// The question is settled.
    ApprovalResolved(data::ApprovalResolved) = "approval.resolved";
    /// One of the session's own tools is called.
    ToolRequested(data::ToolRequested) = "tool.requested";
    /// The call is settled.
    ToolResolved(data::ToolResolved) = "tool.resolved";
    /// Tokens were used.
    UsageUpdated(data::UsageUpdated) = "usage.updated";
    /// The plan changed.
    PlanUpdated(data::PlanUpdated) = "plan.updated";
    /// The files changed.
    DiffUpdated(data::DiffUpdated) = "diff.updated";
    /// The app-server ended.
    CodexExited(data::Exited) = "codex.exited";
    /// Another one took its place.
    CodexRestarted(data::Restarted) = "codex.restarted";
    /// Known, without an event of its own.
    CodexNotice(data::Notice) = "codex.notice";
    /// What we do not know, kept.
    CodexUnknown(data::Unknown) = "codex.unknown";
}

impl Serialize for Event {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut event = serializer.serialize_struct("Event", 8)?;
        event.serialize_field("seq", &self.seq)?;
        event.serialize_field("session_id", &self.session_id)?;
        event.serialize_field("at", &self.at)?;
        for (name, id) in
            [("thread_id", &self.thread_id), ("turn_id", &self.turn_id), ("item_id", &self.item_id)]
        {
            match id {
                Some(id) => event.serialize_field(name, id)?,
                None => event.skip_field(name)?,
            }
        }
        event.serialize_field("type", self.what.name())?;
        event.serialize_field("data", &Data(&self.what))?;
        event.end()
    }
}

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Fields {
            seq: u64,
            session_id: SessionId,
            at: Timestamp,
            thread_id: Option<String>,
            turn_id: Option<String>,
            item_id: Option<String>,
            #[serde(rename = "type")]
            name: String,
            data: Box<RawValue>,
        }
        let fields = Fields::deserialize(deserializer)?;
        Ok(Self {
            seq: fields.seq,
            session_id: fields.session_id,
            at: fields.at,
            thread_id: fields.thread_id,
            turn_id: fields.turn_id,
            item_id: fields.item_id,
            what: What::read(&fields.name, &fields.data).map_err(D::Error::custom)?,
        })
    }
}
