//! Sub-agents are stopped with their parent, and outlive only a turn that completed.

use selvedge_session::{Command, Heard, Place, Refusal, Status, TurnEnd};

use crate::{
    Then,
    play::{Play, child_place},
};

#[test]
fn sub_agents_are_stopped_with_their_parent_and_each_once() {
    let mut play = Play::running("t1");
    play.hear(Heard::TurnStarted(child_place("c1")));
    play.interrupt();
    assert_eq!(play.effects(), ["Interrupt t1", "Interrupt c1 of child"], "Codex would let it run on");
    let late = Place { thread: "late".into(), turn: "c2".into() };
    play.hear(Heard::TurnStarted(late.clone()));
    assert_eq!(play.effects(), ["Interrupt c2 of late"], "one that begins while its parent is being stopped");
    play.turn_ends("t1", Status::Interrupted);
    assert_eq!(play.effects(), ["CleanTerminals"]);
    let interrupted = || TurnEnd { status: Status::Interrupted, error: None, text: None };
    play.hear(Heard::TurnEnded(child_place("c1"), interrupted()));
    play.hear(Heard::TurnEnded(late, interrupted()));
    assert_eq!(play.tell(Command::Interrupt { force: false }), Err(Refusal::Idle), "nothing runs any more");
}

#[test]
fn a_sub_agent_outlives_a_turn_that_completed_until_it_is_stopped() {
    let ended = |status| {
        let mut play = Play::running("t1");
        play.hear(Heard::TurnStarted(child_place("c1")));
        play.turn_ends("t1", status);
        play
    };
    assert_eq!(ended(Status::Failed).effects(), ["Interrupt c1 of child"]);
    let stops: [(&str, Then); 2] = [("interrupted", Play::interrupt), ("stopped", Play::stop)];
    for (case, stop) in stops {
        let mut play = ended(Status::Completed);
        assert_eq!(play.effects(), Vec::<String>::new());
        stop(&mut play);
        assert_eq!(play.effects(), ["Interrupt c1 of child"], "{case}");
    }
    let mut play = ended(Status::Completed);
    play.process_gone();
    assert_eq!(
        play.tell(Command::Interrupt { force: false }),
        Err(Refusal::Idle),
        "it went with its process"
    );
}
