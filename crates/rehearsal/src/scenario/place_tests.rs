//! Tables of cases: which step plays after how many outputs.

use crate::scenario::{Scenario, Step};

fn scenario(steps: &[usize]) -> Scenario {
    let steps: String = steps.iter().map(|calls| step(*calls)).collect();
    Scenario::parse(&format!("[[rule]]\ncontains = \"go\"\n{steps}")).unwrap()
}

fn step(calls: usize) -> String {
    let calls = "{ run = { command = \"true\" } },".repeat(calls);
    format!("[[rule.step]]\ndo = [ {{ say = {{ text = \"x\" }} }}, {calls} ]\n")
}

#[test]
fn the_number_of_outputs_finds_the_step() {
    for (calls, outputs, expected) in [
        (&[1, 1, 0][..], 0, Some(0)),
        (&[1, 1, 0], 1, Some(1)),
        (&[1, 1, 0], 2, Some(2)),
        (&[1, 1, 0], 7, Some(2)),
        (&[2, 0], 0, Some(0)),
        (&[2, 0], 1, Some(0)),
        (&[2, 0], 2, Some(1)),
        (&[1], 0, Some(0)),
        (&[1], 1, None),
        (&[1], 5, None),
        (&[0], 0, Some(0)),
        (&[0], 3, Some(0)),
        (&[3, 2], 3, Some(1)),
        (&[3, 2], 4, Some(1)),
        (&[3, 2], 5, None),
    ] {
        let scenario = scenario(calls);
        let place = scenario.place("go", outputs).unwrap();
        assert_eq!(place.step, expected, "steps with {calls:?} calls, {outputs} outputs");
    }
}

#[test]
fn a_player_may_count_calls_its_own_way() {
    let scenario = scenario(&[3, 2, 0]);
    let one_script_a_step = |step: &Step| step.calls().min(1);
    for (outputs, expected) in [(0, 0), (1, 1), (2, 2)] {
        assert_eq!(scenario.place_by("go", outputs, one_script_a_step).unwrap().step, Some(expected));
    }
}

#[test]
fn the_first_rule_that_matches_plays() {
    let scenario = Scenario::parse(
        r#"
        [[rule]]
        contains = "apple"
        regex = '(?i)red (\w+)'
        step = [ { do = [ { say = { text = "$1" } } ] } ]
        [[rule]]
        regex = 'say (?P<word>\S+)'
        step = [ { do = [ { say = { text = "${word}, for $$1" } } ] } ]
        [[rule]]
        contains = "fruit"
        step = [ { do = [ { say = { text = "costs $1" } } ] } ]
        "#,
    )
    .unwrap();
    for (text, rule, said) in [
        ("a Red apple", Some(1), "apple"),
        ("say red", Some(2), "red, for $1"),
        ("fruit", Some(3), "costs $1"),
        ("an apple", None, ""),
    ] {
        let place = scenario.place(text, 0);
        assert_eq!(place.as_ref().map(|place| place.rule_number), rule, "{text}");
        if let Some(place) = place {
            let crate::scenario::Action::Say(say) = &place.step().unwrap().actions[0] else { panic!() };
            assert_eq!(place.fill(&say.text), said, "{text}");
        }
    }
}
