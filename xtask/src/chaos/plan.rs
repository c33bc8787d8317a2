//! The plan: everything that will be done, and when. It comes from the seed alone; what happens meanwhile changes nothing in it.

mod make;

use std::time::Duration;

/// So long a host lives at least, so that between two starts there is also some work. Behind relays the work goes on without
/// it.
const HOST_LIVES: Duration = Duration::from_secs(8);
const HOST_LIVES_WITH_RELAYS: Duration = Duration::from_secs(2);

/// What a plan is made from.
#[derive(Debug, Clone)]
pub(super) struct Wishes {
    pub(super) seed: u64,
    pub(super) length: Duration,
    pub(super) sessions: usize,
    pub(super) relay: bool,
    pub(super) wild: bool,
}

/// Everything that will be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) seed: u64,
    /// Whether app-servers stand behind relays.
    pub(super) relay: bool,
    /// Faults of the proxy in front of each environment's app-servers; without, there is no proxy.
    pub(super) environments: Vec<Option<String>>,
    pub(super) sessions: Vec<SessionPlan>,
    pub(super) messages: Vec<MessagePlan>,
    /// In the order of time.
    pub(super) steps: Vec<Step>,
}

/// One session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SessionPlan {
    /// In every text that belongs to it: `s003`.
    pub(super) token: String,
    pub(super) environment: usize,
    pub(super) isolated: bool,
    /// Codex asks before each command.
    pub(super) asks: bool,
    pub(super) busy: &'static str,
    pub(super) on_lost: &'static str,
    /// From whom it is forked.
    pub(super) parent: Option<usize>,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MessagePlan {
    /// In its text, its answer and its command: `s003m0042`. Unique.
    pub(super) token: String,
    pub(super) session: usize,
    pub(super) kind: Kind,
    /// Instead of the session's.
    pub(super) busy: Option<&'static str>,
    pub(super) retry: &'static str,
    pub(super) reaction: Reaction,
}

/// What the model does with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Says something.
    Say,
    /// Says something for seconds.
    SlowSay,
    /// Runs a command.
    Command,
    /// Runs one that takes a while before it leaves its trace.
    SlowCommand,
    /// Runs two, with some talk between.
    TwoCommands,
    /// Calls the session's own tool, then runs a command.
    Tool,
}

/// What is answered when Codex asks, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reaction {
    pub(super) after: Duration,
    pub(super) answer: Answer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    Accept,
    Decline,
    Cancel,
    /// Nobody answers; the time limit does.
    Nothing,
}

/// Something to do at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) at: Duration,
    pub(super) deed: Deed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    /// Make the session, or fork it.
    Create(usize),
    Send(usize),
    /// The same message again, with the same key.
    SendAgain(usize),
    Interrupt(usize),
    /// Its reader reads nothing for so long; then it goes on, or is opened anew.
    Stall {
        session: usize,
        length: Duration,
        reopen: bool,
    },
    /// Kill one of the app-servers that live then.
    KillServer {
        pick: u64,
        whom: Whom,
    },
    KillHost,
    /// It goes in order, and what is behind relays stays.
    LetHostGo,
    /// Kill one of the relays that live then; its app-server ends by that.
    KillRelay {
        pick: u64,
    },
    /// A relay or an app-server does nothing for so long.
    Freeze {
        pick: u64,
        length: Duration,
    },
}

/// Who of an app-server is killed, if it stands behind a proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whom {
    Server,
    Proxy,
    Both,
}

impl Kind {
    /// The traces its commands leave, of a message with this token.
    pub(super) fn traces(self, token: &str) -> Vec<String> {
        match self {
            Self::Say | Self::SlowSay => Vec::new(),
            Self::Command | Self::SlowCommand | Self::Tool => vec![format!("{token}a")],
            Self::TwoCommands => vec![format!("{token}a"), format!("{token}b")],
        }
    }
}

impl Plan {
    /// So long a host lives at least.
    pub(super) fn host_lives(&self) -> Duration {
        if self.relay { HOST_LIVES_WITH_RELAYS } else { HOST_LIVES }
    }

    /// Its fingerprint: the same seed, the same plan.
    pub(super) fn hash(&self) -> u64 {
        let text = format!("{self:?}");
        text.bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    pub(super) fn summary(&self) -> String {
        let count = |wanted: fn(&Deed) -> bool| self.steps.iter().filter(|step| wanted(&step.deed)).count();
        let summary = format!(
            "chaos: seed {}, plan {:016x}: {} sessions, {} messages, {} kills of app-servers, {} of the host",
            self.seed,
            self.hash(),
            self.sessions.len(),
            self.messages.len(),
            count(|deed| matches!(deed, Deed::KillServer { .. })),
            count(|deed| matches!(deed, Deed::KillHost)),
        );
        if !self.relay {
            return summary;
        }
        format!(
            "{summary}, which goes {} times; {} kills of relays, {} freezes",
            count(|deed| matches!(deed, Deed::LetHostGo)),
            count(|deed| matches!(deed, Deed::KillRelay { .. })),
            count(|deed| matches!(deed, Deed::Freeze { .. })),
        )
    }

    /// Whether frames of this session's app-servers may be lost, doubled or damaged.
    pub(super) fn is_wild(&self, session: usize) -> bool {
        let environment = &self.environments[self.sessions[session].environment];
        environment.as_deref().is_some_and(|faults| faults.contains("duplicate"))
    }

    /// The message whose token stands in this text.
    pub(super) fn message_in(&self, text: &str) -> Option<usize> {
        text.match_indices('m').find_map(|(place, _)| {
            let token = text.get(place.checked_sub(4)?..place + 6)?;
            let number = token.get(5..)?.parse::<usize>().ok()?;
            self.messages.get(number).filter(|message| message.token == token).map(|_| number)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(seed: u64) -> Plan {
        Plan::of(&wishes(seed, 120, false))
    }

    fn wishes(seed: u64, seconds: u64, relay: bool) -> Wishes {
        Wishes { seed, length: Duration::from_secs(seconds), sessions: 12, relay, wild: false }
    }

    #[test]
    fn a_seed_makes_the_same_plan_and_another_one_another() {
        assert_eq!(plan(1), plan(1));
        assert_eq!(plan(1).hash(), plan(1).hash());
        assert_ne!(plan(1).hash(), plan(2).hash());
    }

    #[test]
    fn a_session_is_made_before_anything_is_done_to_it() {
        let plan = plan(3);
        let made = |session: usize| {
            plan.steps.iter().find(|step| step.deed == Deed::Create(session)).map(|step| step.at).unwrap()
        };
        for step in &plan.steps {
            let session = match step.deed {
                Deed::Send(message) | Deed::SendAgain(message) => plan.messages[message].session,
                Deed::Interrupt(session) | Deed::Stall { session, .. } => session,
                Deed::Create(session) => plan.sessions[session].parent.unwrap_or(session),
                _ => continue,
            };
            assert!(made(session) <= step.at, "{step:?}");
        }
        assert!(plan.steps.is_sorted_by_key(|step| step.at));
    }

    #[test]
    fn a_host_lives_for_a_while_between_two_kills() {
        for (seed, relay) in (0..20).flat_map(|seed| [(seed, false), (seed, true)]) {
            let plan = Plan::of(&wishes(seed, 600, relay));
            let ends = plan.steps.iter().filter(|step| matches!(step.deed, Deed::KillHost | Deed::LetHostGo));
            let ends: Vec<Duration> = ends.map(|step| step.at).collect();
            assert!(ends.len() > 15);
            assert!(ends.windows(2).all(|pair| pair[1] - pair[0] >= plan.host_lives()), "{ends:?}");
        }
    }

    #[test]
    fn a_message_is_found_by_its_token() {
        let plan = plan(1);
        let token = &plan.messages[7].token;
        assert_eq!(plan.message_in(&format!("/bin/sh -c 'some more; echo {token}a >> ran.txt'")), Some(7));
        assert_eq!(plan.message_in("nothing m0 here"), None);
    }
}
