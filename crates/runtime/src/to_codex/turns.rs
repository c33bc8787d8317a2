//! Turns: begun, joined and stopped.

use std::{borrow::Cow, path::PathBuf, sync::Arc};

use selvedge_client::Abilities;
use selvedge_protocol::{
    object::Object,
    say::{
        CollaborationMode, LocalImageUserInput, ModeKind, ReasoningSummary, Settings as ModeSettings,
        TextUserInput, TurnInterruptParams, TurnStartParams, TurnSteerParams, UserInput,
    },
    view::View,
};
use selvedge_session::{Cut, InputPart, MadeWith, MessageId, Options, Settings};
use serde_json::value::RawValue;

use super::{
    cut::combined,
    lacking::nearest_effort,
    policy::{approval_policy, mode},
};

/// A turn to be begun.
#[derive(Debug, Clone, Copy)]
pub struct TurnStart<'a> {
    /// In which thread.
    pub thread_id: &'a str,
    /// Which message; Codex stores it with the turn, so that after a crash it can be found.
    pub message_id: MessageId,
    /// What it says.
    pub input: &'a [InputPart],
    /// How it is run.
    pub options: &'a Options,
    /// What it was cut from, if it interrupted another.
    pub after: Option<&'a Cut>,
    /// What its session works with; they may have changed since the last turn.
    pub settings: &'a Settings,
    /// What is known of the thread.
    pub now: &'a ThreadNow,
}

/// What is known of a loaded thread. What a turn is given stays with the thread, so the next one takes it back.
#[derive(Debug, Clone, Default)]
pub struct ThreadNow {
    /// What it works with unless somebody says otherwise.
    pub made_with: MadeWith,
    /// The effort it has, as Codex answered or was told last.
    pub effort: Option<String>,
    /// The mode it is in, as Codex answered or was told last. It outlives its process. Older versions do not say it, and
    /// are in the default mode until told otherwise.
    pub mode: Option<ModeKind>,
    /// What this Codex can do.
    pub can: Arc<Abilities>,
}

impl ThreadNow {
    /// Of what Codex answered to `thread/start`, `thread/resume` or `thread/fork`.
    #[must_use]
    pub fn of_reply(reply: &RawValue, can: Arc<Abilities>) -> Self {
        let Some(reply) = Object::view(reply) else { return Self { can, ..Self::default() } };
        let text = |key: &str| reply.get::<Cow<'_, str>>(key).map(Cow::into_owned);
        let mode = reply.get::<Object<'_>>("collaborationMode");
        let mode = mode.and_then(|mode| mode.get::<Cow<'_, str>>("mode").map(Cow::into_owned));
        let mode = mode.map(|mode| match mode.as_str() {
            "plan" => ModeKind::Plan,
            "default" => ModeKind::Default,
            _ => ModeKind::Other(mode),
        });
        let effort = text("reasoningEffort");
        let made_with = MadeWith { model: text("model"), effort: effort.clone(), price: None };
        Self { made_with, effort, mode, can }
    }
}

/// `turn/start`. `images` gives the file of a picture by its hash.
pub fn turn_start(start: &TurnStart<'_>, images: &impl Fn(&str) -> PathBuf) -> TurnStartParams {
    let TurnStart { options, settings, now, .. } = *start;
    let input = match start.after {
        Some(cut) => user_input(&combined(cut, start.input), images),
        None => user_input(start.input, images),
    };
    let schema = options.output_schema.as_ref();
    let model = first(&options.model, &settings.model, &now.made_with.model);
    let effort = effort(options, settings, &now.made_with).map(|effort| nearest_effort(effort, &now.can));
    TurnStartParams {
        client_user_message_id: Some(start.message_id.to_string()),
        output_schema: schema.and_then(|schema| serde_json::from_str(schema.text()).ok()),
        collaboration_mode: changed_mode(settings, now, (model.as_ref(), effort.as_ref())),
        model,
        effort,
        summary: settings.summary.as_deref().map(summary),
        approval_policy: approval_policy(settings, &now.can),
        ..TurnStartParams::new(start.thread_id, input)
    }
}

/// How hard the model is to think in a turn: nothing if Codex leaves that to the model.
#[must_use]
pub fn effort(options: &Options, settings: &Settings, made_with: &MadeWith) -> Option<String> {
    first(&options.effort, &settings.effort, &made_with.effort)
}

/// The message's own, else the session's, else the thread's.
fn first(own: &Option<String>, session: &Option<String>, thread: &Option<String>) -> Option<String> {
    own.clone().or_else(|| session.clone()).or_else(|| thread.clone())
}

/// The mode, if the thread is not in it yet. Codex wants the model said with it, and takes that before the turn's.
/// Saying it is also the only way to take an effort back where there was none: a turn's own cannot be nothing.
fn changed_mode(
    settings: &Settings,
    now: &ThreadNow,
    (model, effort): (Option<&String>, Option<&String>),
) -> Option<CollaborationMode> {
    let wanted = mode(settings);
    let changes = *now.mode.as_ref().unwrap_or(&ModeKind::Default) != wanted;
    let clears = effort.is_none() && now.effort.is_some();
    if !(changes || clears) || !now.can.plan_mode() {
        return None;
    }
    // Without instructions of ours Codex would tell the model about a mode that it has been in all along.
    let unsaid = !changes && wanted == ModeKind::Default;
    let in_mode = ModeSettings {
        reasoning_effort: effort.cloned(),
        developer_instructions: unsaid.then(String::new),
        ..ModeSettings::new(model?.as_str())
    };
    Some(CollaborationMode::new(wanted, in_mode))
}

fn summary(word: &str) -> ReasoningSummary {
    match word {
        "auto" => ReasoningSummary::Auto,
        "concise" => ReasoningSummary::Concise,
        "detailed" => ReasoningSummary::Detailed,
        "none" => ReasoningSummary::None,
        other => ReasoningSummary::Other(other.to_owned()),
    }
}

/// Something to be added to a running turn.
#[derive(Debug, Clone, Copy)]
pub struct Steer<'a> {
    /// In which thread.
    pub thread_id: &'a str,
    /// Into this turn, and no other.
    pub turn_id: &'a str,
    /// Which message, if it is one.
    pub message_id: Option<MessageId>,
    /// What it says.
    pub input: &'a [InputPart],
}

/// `turn/steer`.
pub fn turn_steer(steer: &Steer<'_>, images: &impl Fn(&str) -> PathBuf) -> TurnSteerParams {
    TurnSteerParams {
        client_user_message_id: steer.message_id.map(|id| id.to_string()),
        ..TurnSteerParams::new(steer.thread_id, steer.turn_id, user_input(steer.input, images))
    }
}

/// `turn/interrupt`.
#[must_use]
pub fn turn_interrupt(thread_id: &str, turn_id: &str) -> TurnInterruptParams {
    TurnInterruptParams::new(thread_id, turn_id)
}

fn user_input(parts: &[InputPart], images: &impl Fn(&str) -> PathBuf) -> Vec<UserInput> {
    let said = parts.iter().map(|part| match part {
        InputPart::Text { text } => TextUserInput::new(text.as_str()).into(),
        InputPart::Image { sha256, .. } => {
            LocalImageUserInput::new(images(sha256).to_string_lossy().into_owned()).into()
        }
    });
    said.collect()
}

#[cfg(test)]
mod tests;
