//! The exit codes scripts rely on, and which code of ours gives which.

use selvedge_session::{Code, Phase};

/// It is done.
pub(crate) const DONE: u8 = 0;
/// The turn failed, or what was asked did not work.
pub(crate) const FAILED: u8 = 1;
/// Wrong usage or bad input.
pub(crate) const BAD_INPUT: u8 = 2;
/// Codex is missing, unusable or not logged in.
pub(crate) const NO_CODEX: u8 = 3;
/// Ended by a declined approval or a policy.
pub(crate) const DECLINED: u8 = 4;
/// A budget is used up.
pub(crate) const OVER_BUDGET: u8 = 5;
/// Lost: the outcome is unknown.
pub(crate) const LOST: u8 = 6;
/// The deadline passed.
pub(crate) const TOO_LATE: u8 = 124;
/// Interrupted.
pub(crate) const INTERRUPTED: u8 = 130;

/// Every exit code with its meaning, as docs/errors.md shows them.
#[cfg(test)]
pub(crate) const MEANINGS: &[(u8, &str)] = &[
    (DONE, "done"),
    (FAILED, "the turn failed"),
    (BAD_INPUT, "wrong usage or bad input"),
    (NO_CODEX, "Codex missing, unusable or not logged in"),
    (DECLINED, "ended by a declined approval or a policy"),
    (OVER_BUDGET, "budget exceeded"),
    (LOST, "lost: outcome unknown"),
    (TOO_LATE, "deadline passed"),
    (INTERRUPTED, "interrupted"),
];

/// What a program exits with when it failed with this code.
pub(crate) fn of(code: Code) -> u8 {
    match code {
        Code::DeadlineExceeded | Code::QueueTimeExceeded => TOO_LATE,
        Code::OutcomeUnknown => LOST,
        Code::CodexMissing | Code::CodexUnusable | Code::NotLoggedIn | Code::Unauthorized | Code::Crashed => {
            NO_CODEX
        }
        Code::Declined | Code::TooManyDenials | Code::CyberPolicy | Code::MisalignmentPolicyViolation => {
            DECLINED
        }
        Code::InvalidArgument
        | Code::AmbiguousId
        | Code::NotFound
        | Code::InputTooLong
        | Code::ImageUrlRefused
        | Code::PriceUnknown
        | Code::DecisionNotOffered
        | Code::BodyInvalid
        | Code::BodyTooLarge
        | Code::OutsideRoots
        | Code::Unauthenticated
        | Code::Forbidden
        | Code::ToolsFixed => BAD_INPUT,
        code if code.phase() == Phase::Budget => OVER_BUDGET,
        _ => FAILED,
    }
}
