//! What a session wants and its Codex cannot: what takes its place, and what cannot be replaced.

use selvedge_client::{Abilities, Efforts, Tools};
use selvedge_session::{Code, Failure, PermissionMode, Settings, ToolsVia};

use super::{
    policy::{self, Warning},
    threads::ThreadExtras,
};

/// Efforts from the least to the most.
const LADDER: [&str; 8] = ["none", "minimal", "low", "medium", "high", "xhigh", "max", "ultra"];

const MIDDLE: usize = 3;

/// What had to be said in other words, or could not be said.
pub(super) fn warnings(settings: &Settings, extras: &ThreadExtras) -> Vec<Warning> {
    let can = &extras.can;
    let stored = (settings.ephemeral && !can.ephemeral()).then(|| {
        missing("this Codex keeps every thread on the disk: `ephemeral` is only kept by Selvedge".to_owned())
    });
    let effort = settings.effort.as_deref().and_then(|effort| replaced_effort(effort, can));
    let skills = (settings.bare && extras.skills_stay).then(|| {
        missing("this Codex has no switch for single skills: `bare` leaves out AGENTS.md and the skills of Codex's directory".to_owned())
    });
    policy::replaced(settings, can).into_iter().chain(stored).chain(effort).chain(skills).collect()
}

/// Why a session cannot have a thread here at all.
#[must_use]
pub fn unfit(settings: &Settings, can: &Abilities) -> Option<Failure> {
    let dynamic = !settings.tools.is_empty() && settings.tools_via != Some(ToolsVia::Mcp);
    if dynamic && can.tools() == Tools::None {
        return Some(too_old("use a session's own tools"));
    }
    (settings.permission_mode == Some(PermissionMode::Plan) && !can.plan_mode())
        .then(|| too_old("plan before it acts"))
}

/// What cannot be replaced.
#[must_use]
pub fn too_old(what: &str) -> Failure {
    Failure::coded(Code::CodexTooOld, format!("this Codex cannot {what}"))
}

/// The effort itself where it exists or anything may be said, else the next one below it that exists, else above.
pub(super) fn nearest_effort(effort: String, can: &Abilities) -> String {
    let Efforts::Only(known) = can.efforts() else { return effort };
    if known.contains(&effort) {
        return effort;
    }
    // A word that nobody knows is taken for the middle.
    let wanted = LADDER.iter().position(|step| *step == effort).or(Some(MIDDLE));
    let place = |known: &&String| LADDER.iter().position(|step| step == *known);
    let below = known.iter().filter(|known| place(known) <= wanted).max_by_key(place);
    below.or_else(|| known.iter().min_by_key(place)).cloned().unwrap_or(effort)
}

/// That another effort took its place.
#[must_use]
pub fn replaced_effort(effort: &str, can: &Abilities) -> Option<Warning> {
    let nearest = nearest_effort(effort.to_owned(), can);
    (nearest != effort)
        .then(|| missing(format!("this Codex has no effort `{effort}`: `{nearest}` took its place")))
}

fn missing(message: String) -> Warning {
    let code = Code::AbilityMissing;
    Warning { code, message, hint: Some(code.hint().to_owned()) }
}
