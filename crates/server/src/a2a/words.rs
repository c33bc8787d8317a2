//! A2A 1.0 in its own words, and how a session's events are told in them. Nothing here knows of files, tasks or HTTP.

mod answer;
mod asking;
mod doing;
mod ending;
mod fault;
mod fields;
mod message;
mod offers;
mod request;
mod task;
mod telling;

pub(crate) use fault::{Fault, Kind};
pub(crate) use fields::Fields;
pub(crate) use message::{Content, Message, Part, Role};
pub(crate) use offers::{OFFER, file_of};
pub(crate) use request::{List, OfTask, Send, Wishes};
pub(crate) use task::{Artifact, State, Task, Update};
pub(crate) use telling::Telling;
