//! Which "user" messages Codex wrote itself: context, notices and summaries that no person said.

/// How messages begin that Codex puts into the conversation under the role `user` (0.98 to 0.166, measured).
const OPENINGS: &[&str] = &[
    "<environment_context>",
    "# AGENTS.md instructions",
    "<user_instructions>",
    "<user_shell_command>",
    "<turn_aborted>",
    "<subagent_notification>",
    "<codex_internal_context",
    "<context_window_reminder>",
    "<current_time_reminder>",
    "<skill>",
    "<model_switch>",
    "<hook_prompt",
];

/// The request that asks for a summary.
const COMPACTION: &str = "You are performing a CONTEXT CHECKPOINT COMPACTION";

/// What stands before a summary when the conversation goes on from it.
const SUMMARY: &str = "Another language model started to solve this problem";

pub(super) fn is_injected(text: &str) -> bool {
    let text = text.trim_start();
    OPENINGS.iter().any(|opening| text.starts_with(opening))
}

pub(super) fn asks_for_summary(text: &str) -> bool {
    text.trim_start().starts_with(COMPACTION)
}

/// The summary alone: after a compaction in the middle of a turn it is the last thing "the user" said.
pub(super) fn without_summary_preamble(text: &str) -> &str {
    if !text.starts_with(SUMMARY) {
        return text;
    }
    text.split_once(":\n").map_or(text, |(_, summary)| summary)
}
