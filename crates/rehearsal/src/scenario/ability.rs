//! Which versions, models, modes and players can play each action; measured, printed in docs/scenarios.md.

use semver::{Version, VersionReq};

use super::Action;

/// The way a model calls tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Models {
    /// Each tool by its own call (gpt-5.5, unknown slugs).
    Classic,
    /// By a script for the one tool `exec` (gpt-5.6-*, gpt-6*).
    CodeMode,
    /// Both.
    Any,
}

/// Codex's collaboration mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The usual one.
    Default,
    /// Planning together, nothing is changed.
    Plan,
}

/// The modes an action can be played in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Modes {
    /// Only in this one.
    Only(Mode),
    /// In each.
    Any,
}

/// The stand-ins that play an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Players {
    /// Only `rehearse model`.
    Model,
    /// Only `rehearse app-server`.
    AppServer,
    /// Both.
    Both,
}

/// What an action needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ability {
    /// The action's word in a file.
    pub action: &'static str,
    /// Codex versions, as a semver requirement.
    pub versions: &'static str,
    /// Models.
    pub models: Models,
    /// Collaboration modes.
    pub modes: Modes,
    /// Players.
    pub players: Players,
    /// Why, or how it is spoken.
    pub reason: &'static str,
}

impl Ability {
    /// Whether a Codex of this version can be made to play it.
    pub fn plays_on(&self, version: &Version) -> bool {
        VersionReq::parse(self.versions).is_ok_and(|required| required.matches(version))
    }
}

impl Action {
    /// What this action needs.
    pub fn ability(&self) -> &'static Ability {
        let found = ABILITIES.iter().find(|ability| ability.action == self.name());
        found.unwrap_or(&ABILITIES[0])
    }
}

/// What each action needs, in the order of the documentation.
pub fn abilities() -> &'static [Ability] {
    ABILITIES
}

const ABILITIES: &[Ability] = &[
    early("say", "an assistant message; `phase` reaches the item from 0.120 on"),
    early("think", "a reasoning item with a summary"),
    both("search", "a `web_search_call` of the model's own side; nothing is searched"),
    early(
        "run",
        "`exec_command`, on older ones `shell_command` or `shell`; `escalate` asks a person under `on-request`",
    ),
    early(
        "patch",
        "the custom tool `apply_patch`, where the model has it; else `exec_command` with `apply_patch`",
    ),
    both(
        "tool",
        "the thread's own dynamic tools; several in one step run at once in code mode, else one after another",
    ),
    model("mcp", ">=0.98.0", Modes::Any, "a tool of a configured server: `mcp__SERVER` and its name"),
    model(
        "ask",
        ">=0.120.0",
        Modes::Only(Mode::Plan),
        "`request_user_input`; in default mode only with `features.default_mode_request_user_input`",
    ),
    Ability {
        modes: Modes::Only(Mode::Default),
        ..both(
            "plan",
            "`update_plan`; 0.166 offers it only with `tools.update_plan.enabled`, which our configuration sets",
        )
    },
    model(
        "spawn",
        ">=0.120.0",
        Modes::Any,
        "`spawn_agent`, then `wait_agent`; hidden but callable on gpt-5.5; `collaboration` on code-mode models",
    ),
    model(
        "compact",
        ">=0.98.0",
        Modes::Any,
        "reports a full context; Codex asks for a summary before its next request",
    ),
    early("usage", "the tokens of `response.completed`"),
    both("answer", "a message that fits `outputSchema`; Codex does not check it"),
    early("fail", "an HTTP status or a `response.failed`"),
    both("hang", "no further event, until the client gives up or `after_ms`"),
    app_server("crash", "the real process is killed from outside"),
    app_server("garbage", "the real Codex writes only JSON"),
    app_server("huge_line", "on the real Codex: `say` with `repeat`"),
    app_server("half_line", "the real Codex writes whole lines"),
    app_server("flood", "the real Codex makes at most 29,000 deltas a second"),
];

const fn both(action: &'static str, reason: &'static str) -> Ability {
    Ability {
        action,
        versions: ">=0.98.0",
        models: Models::Any,
        modes: Modes::Any,
        players: Players::Both,
        reason,
    }
}

const fn early(action: &'static str, reason: &'static str) -> Ability {
    Ability { versions: ">=0.72.0", ..both(action, reason) }
}

const fn model(action: &'static str, versions: &'static str, modes: Modes, reason: &'static str) -> Ability {
    Ability { action, versions, models: Models::Any, modes, players: Players::Model, reason }
}

const fn app_server(action: &'static str, reason: &'static str) -> Ability {
    Ability { players: Players::AppServer, ..both(action, reason) }
}

/// The table of docs/scenarios.md.
pub fn ability_table() -> String {
    let mut table = String::from(
        "| action | Codex | models | modes | played by | how, why |\n|---|---|---|---|---|---|\n",
    );
    for ability in ABILITIES {
        table.push_str(&row(ability));
    }
    table
}

fn row(ability: &Ability) -> String {
    let models = match ability.models {
        Models::Classic => "classic",
        Models::CodeMode => "code mode",
        Models::Any => "any",
    };
    let modes = match ability.modes {
        Modes::Only(Mode::Default) => "default",
        Modes::Only(Mode::Plan) => "plan",
        Modes::Any => "any",
    };
    let players = match ability.players {
        Players::Model => "model",
        Players::AppServer => "app-server",
        Players::Both => "model, app-server",
    };
    let Ability { action, versions, reason, .. } = ability;
    format!("| `{action}` | {versions} | {models} | {modes} | {players} | {reason} |\n")
}

#[cfg(test)]
mod tests {
    use semver::{Version, VersionReq};

    use super::{ABILITIES, ability_table};

    #[test]
    fn every_requirement_can_be_read() {
        for ability in ABILITIES {
            assert!(VersionReq::parse(ability.versions).is_ok(), "{}", ability.action);
            assert!(ability.plays_on(&Version::new(0, 166, 0)), "{}", ability.action);
        }
    }

    #[test]
    fn the_documentation_shows_this_table() {
        let page = include_str!("../../../../docs/scenarios.md");
        assert!(page.contains(&ability_table()), "docs/scenarios.md should hold:\n{}", ability_table());
    }
}
