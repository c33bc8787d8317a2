//! A thread that Codex has loaded, let go so that it is loaded with what holds now.

use selvedge_client::protocol::calls;
use selvedge_session::{Code, Heard};

use super::{NoSeat, Place, refused_as};
use crate::to_codex::{self, Refused};

impl Place<'_> {
    /// Codex takes no other configuration for a thread that it has loaded, and keeps it loaded for long; what it puts away
    /// it lets go at once.
    pub(super) async fn unload(&self, thread_id: &str, heard: &mut Vec<Heard>) -> Result<(), NoSeat> {
        if !self.can.has("thread/unarchive") {
            let code = Code::AbilityMissing;
            let message = "this Codex does not load a thread again: what was changed holds when another app-server has it";
            heard.push(Heard::Warning {
                code,
                message: message.to_owned(),
                hint: Some(code.hint().to_owned()),
            });
            return Ok(());
        }
        let params = to_codex::archive(thread_id);
        let away = self.patiently(|| self.client().call::<calls::ThreadArchive>(&params)).await;
        // One that has no turn yet is nowhere stored, and one that was put away by a program that was then killed is put away.
        if away.is_err() && !refused_as(&away, Refused::ThreadGone) {
            return away.map(drop).map_err(|error| self.failed(&error));
        }
        self.take_out(thread_id).await
    }

    pub(super) async fn take_out(&self, thread_id: &str) -> Result<(), NoSeat> {
        let out = self.client().call::<calls::ThreadUnarchive>(&to_codex::unarchive(thread_id)).await;
        if refused_as(&out, Refused::ThreadGone) {
            Ok(())
        } else {
            out.map(drop).map_err(|error| self.failed(&error))
        }
    }
}
