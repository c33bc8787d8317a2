//! Makes a plan from a seed.

use std::time::Duration;

use super::{Answer, Deed, Kind, MessagePlan, Plan, Reaction, SessionPlan, Step, Whom, Wishes};
use crate::chaos::dice::Dice;

/// Between two kills of app-servers, on average.
const SERVER_KILLS: Duration = Duration::from_secs(7);
/// Between two kills of the host, on average; never less than half of it, which is more than `HOST_LIVES`.
const HOST_KILLS: Duration = Duration::from_secs(22);
/// The same behind relays: app-servers are to outlive hosts, and not to be killed before they could.
const SERVER_KILLS_BEHIND_RELAYS: Duration = Duration::from_secs(14);
const RELAY_KILLS: Duration = Duration::from_secs(20);
const HOST_ENDS: Duration = Duration::from_secs(5);
const FREEZES: Duration = Duration::from_secs(6);
/// Between two messages of one session, on average.
const MESSAGES: Duration = Duration::from_millis(2600);
const BUSY: &[&str] = &["queue", "queue", "steer", "interrupt", "reject"];
/// What no pipe does; only where it is asked for.
const WILD: &str = "drop=0.3%,duplicate=0.5%,corrupt=0.3%,garbage=0.5%";

impl Plan {
    pub(in crate::chaos) fn of(wishes: &Wishes) -> Self {
        let mut dice = Dice::new(wishes.seed);
        let mut plan = Self {
            seed: wishes.seed,
            relay: wishes.relay,
            environments: environments(&mut dice, wishes),
            sessions: Vec::new(),
            messages: Vec::new(),
            steps: Vec::new(),
        };
        for _ in 0..wishes.sessions {
            plan.add_session(&mut dice, wishes);
        }
        for _ in 0..wishes.sessions / 4 {
            plan.add_fork(&mut dice, wishes);
        }
        plan.add_kills(&mut dice, wishes);
        plan.steps.sort_by_key(|step| step.at);
        plan
    }

    fn add_session(&mut self, dice: &mut Dice, wishes: &Wishes) {
        let session = self.sessions.len();
        self.sessions.push(SessionPlan {
            token: format!("s{session:03}"),
            environment: dice.place(self.environments.len()),
            isolated: dice.percent(25),
            asks: dice.percent(50),
            busy: dice.pick(BUSY),
            on_lost: dice.pick(&["hold", "continue"]),
            parent: None,
        });
        let from = Duration::from_millis(dice.between(0, 3000));
        self.step(from, Deed::Create(session));
        self.add_life(dice, session, from..wishes.length);
    }

    fn add_fork(&mut self, dice: &mut Dice, wishes: &Wishes) {
        let parent = dice.place(wishes.sessions);
        let session = self.sessions.len();
        let token = format!("s{session:03}");
        self.sessions.push(SessionPlan { token, parent: Some(parent), ..self.sessions[parent].clone() });
        let from = wishes.length.mul_f64(0.2) + moment(dice, wishes.length.mul_f64(0.5));
        self.step(from, Deed::Create(session));
        self.add_life(dice, session, from..wishes.length);
    }

    /// What is said to a session, and what else happens to it.
    fn add_life(&mut self, dice: &mut Dice, session: usize, span: std::ops::Range<Duration>) {
        let mut at = span.start;
        loop {
            at += around(dice, MESSAGES);
            if at >= span.end {
                return;
            }
            let message = self.add_message(dice, session);
            self.step(at, Deed::Send(message));
            if dice.percent(15) {
                self.step(at + Duration::from_millis(dice.between(0, 2500)), Deed::SendAgain(message));
            }
            if dice.percent(10) {
                self.step(at + Duration::from_millis(dice.between(50, 2000)), Deed::Interrupt(session));
            }
            if dice.percent(6) {
                let length = Duration::from_millis(dice.between(200, 6000));
                self.step(at, Deed::Stall { session, length, reopen: dice.percent(50) });
            }
        }
    }

    fn add_message(&mut self, dice: &mut Dice, session: usize) -> usize {
        let message = self.messages.len();
        let kinds = [
            (Kind::Say, 24),
            (Kind::SlowSay, 14),
            (Kind::Command, 26),
            (Kind::SlowCommand, 14),
            (Kind::TwoCommands, 14),
            (Kind::Tool, 8),
        ];
        let kinds: Vec<Kind> = kinds.iter().flat_map(|(kind, weight)| vec![*kind; *weight]).collect();
        self.messages.push(MessagePlan {
            token: format!("{}m{message:05}", self.sessions[session].token),
            session,
            kind: dice.pick(&kinds),
            busy: if dice.percent(50) { Some(dice.pick(BUSY)) } else { None },
            retry: dice.pick(&["safe", "safe", "safe", "always", "never"]),
            reaction: reaction(dice),
        });
        message
    }

    fn add_kills(&mut self, dice: &mut Dice, wishes: &Wishes) {
        let kills = if wishes.relay { SERVER_KILLS_BEHIND_RELAYS } else { SERVER_KILLS };
        let mut at = Duration::from_secs(2);
        while at < wishes.length {
            let whom = dice.pick(&[Whom::Server, Whom::Server, Whom::Proxy, Whom::Both]);
            self.step(at, Deed::KillServer { pick: dice.next(), whom });
            at += around(dice, kills);
        }
        if wishes.relay {
            return self.add_ends_behind_relays(dice, wishes.length);
        }
        let mut at = around(dice, HOST_KILLS);
        while at < wishes.length {
            self.step(at, Deed::KillHost);
            at += around(dice, HOST_KILLS);
        }
    }

    fn add_ends_behind_relays(&mut self, dice: &mut Dice, length: Duration) {
        type Make = fn(&mut Dice) -> Deed;
        let host: Make = |dice| if dice.percent(60) { Deed::KillHost } else { Deed::LetHostGo };
        let relay: Make = |dice| Deed::KillRelay { pick: dice.next() };
        let freeze: Make = |dice| {
            let length = Duration::from_millis(dice.between(100, 3000));
            Deed::Freeze { pick: dice.next(), length }
        };
        for (make, every) in [(host, HOST_ENDS), (relay, RELAY_KILLS), (freeze, FREEZES)] {
            let mut at = around(dice, every);
            while at < length {
                let deed = make(dice);
                self.step(at, deed);
                at += around(dice, every);
            }
        }
    }

    fn step(&mut self, at: Duration, deed: Deed) {
        self.steps.push(Step { at, deed });
    }
}

/// The first app-servers stand alone, the second ones behind a proxy that does what pipes do, the third ones worse.
fn environments(dice: &mut Dice, wishes: &Wishes) -> Vec<Option<String>> {
    let pipe = format!("seed={},spare=8,pipe", dice.next());
    let wild = wishes.wild.then(|| Some(format!("seed={},spare=8,pipe,{WILD}", dice.next())));
    [None, Some(pipe)].into_iter().chain(wild).collect()
}

fn reaction(dice: &mut Dice) -> Reaction {
    let answers =
        [Answer::Accept, Answer::Accept, Answer::Accept, Answer::Decline, Answer::Cancel, Answer::Nothing];
    let answer = dice.pick(&answers);
    let after = if dice.percent(70) { dice.between(0, 600) } else { dice.between(600, 7000) };
    Reaction { after: Duration::from_millis(after), answer }
}

/// Between half and one and a half of it.
fn around(dice: &mut Dice, length: Duration) -> Duration {
    length / 2 + moment(dice, length)
}

fn moment(dice: &mut Dice, within: Duration) -> Duration {
    Duration::from_millis(dice.between(0, u64::try_from(within.as_millis()).unwrap_or(u64::MAX)))
}
