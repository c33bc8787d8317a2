//! Skills of prompts, before Codex gets them.

use selvedge_agent::{Prompt, Section, Session, Skill, Visibility};

#[test]
fn skills_are_checked_and_their_names_are_told_apart() {
    let skill = || Skill::new("keeper", "Keeps.", "Keep.");
    let twice = Section::markdown("A", "a", "x").skill(skill());
    let error = Prompt::text("a", "b")
        .section(twice)
        .section(Section::markdown("B", "b", "x").skill(skill()).skill(Skill::new("Bad Name", "x", "y")))
        .build()
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("section b: the skill `keeper`: another skill of the prompt is called keeper"),
        "{error}"
    );
    assert!(
        error.contains("section b: the skill `Bad Name`: \"Bad Name\" cannot be a skill's name"),
        "{error}"
    );
}

#[test]
fn a_skill_comes_and_goes_with_its_section() {
    let hidden = Section::markdown("A", "a", "x").summary("y").visibility(Visibility::Summary);
    let off = Section::markdown("C", "c", "x").enabled(|_| false);
    let skill = |name: &str| Skill::new(name, "Keeps.", "Keep.");
    let prompt = Prompt::text("a", "b")
        .section(hidden.skill(skill("hidden")))
        .section(Section::markdown("B", "b", "x").skill(skill("shown")))
        .section(off.skill(skill("off")))
        .build()
        .unwrap();
    let session = Session::new();
    let skills = || -> Vec<String> {
        prompt.render(&session).unwrap().skills().into_iter().map(|skill| skill.name).collect()
    };
    assert_eq!(skills(), ["shown"]);
    let rendered = prompt.render(&session).unwrap();
    assert!(rendered.text().contains("call `open_sections` with key \"a\""), "a skill needs a new rendering");
    session.set_visibility("a", Visibility::Full);
    assert_eq!(skills(), ["hidden", "shown"]);
}
