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

pub use asking::{Question, Reply};
pub use fault::{Fault, Kind};
pub use fields::Fields;
pub use message::{Content, Message, Part, Role};
pub use offers::{OFFER, file_of};
pub use request::{List, OfTask, Send, Wishes};
pub use task::{Artifact, State, Status, Task, Update};
pub use telling::Telling;
