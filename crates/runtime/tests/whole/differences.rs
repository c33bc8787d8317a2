//! What an older Codex does otherwise, so that a case cannot be played on it as it is. What happens instead is asserted in
//! `older.rs`, or in the judge of the client.

use selvedge_client::JUDGED;

use crate::setup::judged;

/// A case, the newest version on which it does not hold, and why.
const DIFFERENCES: &[(&str, &str, &str)] = &[
    (
        "a_bare_session_uses_no_skill_that_a_message_names",
        "0.98.0",
        "no switch for single skills: it is told",
    ),
    ("a_call_is_answered_once", "0.98.0", "no item tells of a tool's call"),
    ("a_call_is_listed_and_answered", "0.98.0", "no item tells of a tool's call"),
    ("a_call_of_a_server_is_asked_about_once_for_the_session", "0.98.0", "nobody is asked about MCP servers"),
    ("a_call_that_failed_is_said_so_and_the_turn_goes_on", "0.98.0", "no item tells of a tool's call"),
    ("a_decision_that_is_not_offered_is_refused", "0.98.0", "the model is not offered to ask questions"),
    ("a_form_is_declined_by_policy", "0.98.0", "no forms of MCP servers reach us"),
    ("a_form_is_filled_in_by_a_person", "0.98.0", "no forms of MCP servers reach us"),
    ("a_fork_ends_after_a_message", "0.98.0", "a thread is copied whole or not at all"),
    ("a_machine_without_a_sandbox_is_told_once", "0.98.0", "its sandbox needs no user namespace"),
    (
        "a_name_that_a_killed_program_left_untold_is_told_at_the_next_start",
        "0.98.0",
        "a thread does not say its name",
    ),
    (
        "a_name_that_was_left_to_a_dead_relay_is_told_at_the_next_start",
        "0.98.0",
        "a thread does not say its name",
    ),
    ("a_question_is_answered_by_a_person", "0.98.0", "the model is not offered to ask questions"),
    ("a_steer_joins_the_running_turn_and_ends_with_it", "0.98.0", "no steer: the message waits"),
    ("a_steer_that_was_heard_and_not_answered_is_not_run_twice", "0.98.0", "no steer: the message waits"),
    ("a_sub_agent_is_shown_under_its_own_thread", "0.98.0", "the model is not offered any"),
    ("a_thread_that_rests_is_renamed", "0.98.0", "a thread does not say its name"),
    (
        "a_turn_cut_in_the_middle_of_its_words_is_run_again",
        "0.98.0",
        "it is; the cut turn stays in the history",
    ),
    (
        "an_archive_that_was_done_and_not_answered_is_no_trouble_at_the_next_start",
        "0.98.0",
        "it does not tell of an archive",
    ),
    ("each_attempt_is_written_down_with_its_process_and_request", "0.98.0", "no steer: the message waits"),
    ("each_failure_has_its_phase_and_code", "0.120.0", "some causes are called `other`"),
    (
        "edits_are_accepted_by_their_mode",
        "0.120.0",
        "they are; a command that asks to leave the sandbox is then refused by Codex itself",
    ),
    ("in_code_mode_two_calls_are_open_at_once", "0.120.0", "no code mode with tools of ours"),
    ("looking_at_images_is_switched_off_and_on", "0.120.0", "no switch for it: it is told"),
    ("model_effort_and_sandbox_reach_codex", "0.120.0", "the model's request does not say the sandbox"),
    ("on_failure_becomes_on_request_with_a_warning", "0.120.0", "it still has `on-failure`"),
    ("permissions_are_granted_as_they_were_asked_for", "0.98.0", "the model cannot ask for permissions"),
    ("permissions_bypassed_are_nobodys_question", "0.98.0", "the model cannot ask for permissions"),
    (
        "permissions_for_the_session_are_granted_for_longer_than_a_turn",
        "0.98.0",
        "the model cannot ask for permissions",
    ),
    ("the_plan_mode_is_said_once", "0.98.0", "the model is told of it in other words"),
    ("two_calls_have_ids_of_their_own", "0.98.0", "no item tells of a tool's call"),
    ("two_parents_have_their_own_children", "0.98.0", "the model is not offered any"),
    ("what_stops_a_turn_stops_its_sub_agents_too", "0.98.0", "the model is not offered any"),
];

/// What the oldest is judged on: messages, approvals, interrupts, and threads that are loaded again.
const OF_THE_OLDEST: [&str; 16] = [
    "a_command_for_the_session_is_asked_once",
    "a_message_is_answered",
    "a_message_that_streams_is_stopped_and_its_text_is_kept",
    "a_program_that_is_killed_loses_no_turn",
    "a_queue_keeps_its_order",
    "a_session_goes_on_after_a_failed_turn",
    "an_approval_nobody_answers_is_declined_in_time",
    "an_open_approval_ends_with_its_turn",
    "an_unattended_session_declines",
    "between_turns_a_death_costs_nothing_but_a_restart",
    "messages_that_follow_at_once_are_not_mixed_up",
    "never_accepts_by_policy",
    "open_approvals_are_listed_across_sessions",
    "the_events_of_a_session_are_dense_and_the_same_after_a_rest",
    "the_queue_goes_on_after_an_interrupt",
    "what_a_killed_program_left_running_is_ended_at_the_next_start",
];

/// Whether a case is for the version that is judged.
pub(crate) fn is_for(case: &str) -> bool {
    judged() != JUDGED[0] || OF_THE_OLDEST.contains(&case)
}

/// Why a case does not hold on the version that is judged, if it does not.
pub(crate) fn lacks(case: &str) -> Option<&'static str> {
    let place = |version: &str| JUDGED.iter().position(|known| *known == version);
    // One that nobody has judged yet is taken to be new.
    let judged = place(&judged())?;
    let found = DIFFERENCES.iter().find(|(name, upto, _)| *name == case && place(upto) >= Some(judged));
    found.map(|(_, _, why)| *why)
}
