//! A thread that was made or loaded with what no longer holds: left for a new one, or loaded again.

use super::Deciding;
use crate::{code::Code, effect::Effect, fact::Fact, settings::Settings};

impl Deciding<'_> {
    /// Instructions are a thread's from its beginning; its MCP servers and their switches from when it is loaded.
    pub(super) fn note_outdated(&mut self, next: &Settings, reload: bool) {
        let session = &*self.session;
        let now = &session.settings;
        if session.thread_id.is_none() {
            return;
        }
        let other_words = now.base_instructions != next.base_instructions
            || now.developer_instructions != next.developer_instructions;
        let other_servers = now.mcp_servers != next.mcp_servers || now.mcp_enabled != next.mcp_enabled;
        if other_words {
            self.note(Fact::RenewalDue);
        } else if reload || other_servers {
            self.note(Fact::Stale);
        }
    }

    /// When nothing runs, the thread becomes what the settings say.
    pub(super) fn follow_settings(&mut self) {
        if self.session.wish.is_some() {
            return;
        }
        if self.session.renewal_due {
            let left = self.session.thread_id.clone().unwrap_or_default();
            self.note(Fact::Renewed);
            self.warn(Code::NewThread, format!("{}; it was {left}", Code::NewThread.message()));
        }
        let session = &*self.session;
        if session.stale && session.thread_ready && session.child_turns.is_empty() {
            self.note(Fact::Reloading);
            self.effect(Effect::EnsureThread);
        }
    }
}
