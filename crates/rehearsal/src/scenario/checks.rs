//! What a scenario must keep to so that every step of it can be reached and played.

use regex::Regex;

use super::{Action, Rule, Scenario, ScenarioError, Step};

type Check = Result<(), ScenarioError>;

pub(super) fn check(scenario: &Scenario) -> Check {
    if scenario.rules.is_empty() {
        return Err(ScenarioError::new("a scenario without a rule", "add at least one `[[rule]]`"));
    }
    scenario.rules.iter().enumerate().try_for_each(|(n, rule)| check_rule(&format!("rule {}", n + 1), rule))
}

fn check_rule(place: &str, rule: &Rule) -> Check {
    if let Some(pattern) = &rule.regex {
        Regex::new(pattern).map_err(|error| {
            let what = format!("the regular expression `{pattern}` cannot be read: {error}");
            ScenarioError::at(place, &what, "in TOML a regular expression is best written in 'single quotes'")
        })?;
    }
    if rule.steps.is_empty() {
        return Err(ScenarioError::at(place, "no step", "add a `[[rule.step]]` with `do = [ … ]`"));
    }
    for (n, step) in rule.steps.iter().enumerate() {
        let place = format!("{place}, step {}", n + 1);
        let last = n + 1 == rule.steps.len();
        check_step(&place, step)?;
        if !last && step.calls() == 0 {
            return Err(ScenarioError::at(
                &place,
                "no tool call, so the turn ends here and the next step is never played",
                "put both into one step, or give this one a tool call",
            ));
        }
    }
    Ok(())
}

fn check_step(place: &str, step: &Step) -> Check {
    let mut called = false;
    let mut ended = None;
    for (n, action) in step.actions.iter().enumerate() {
        let place = format!("{place}, action {}", n + 1);
        if let Some(end) = ended {
            let what = format!("`{}` after `{end}` is never played", action.name());
            return Err(ScenarioError::at(
                &place,
                &what,
                "`fail`, `hang` and `crash` stand last in their step",
            ));
        }
        if called
            && matches!(action, Action::Say(_) | Action::Think(_) | Action::Search(_) | Action::Answer(_))
        {
            let what = format!("`{}` after a tool call", action.name());
            return Err(ScenarioError::at(
                &place,
                &what,
                "tool calls stand last; say it before, or in the next step",
            ));
        }
        let next_ends = step.actions.get(n + 1).is_some_and(Action::ends_response);
        if matches!(action, Action::Say(say) if say.open) && !next_ends {
            let hint = "`open` leaves a message unfinished for the `fail` or `hang` that follows it";
            return Err(ScenarioError::at(&place, "an open message that nothing cuts", hint));
        }
        called |= action.is_call();
        ended = action.ends_response().then(|| action.name());
        check_action(&place, action)?;
    }
    Ok(())
}

fn check_action(place: &str, action: &Action) -> Check {
    match action {
        Action::Say(say) => one_of(place, "phase", say.phase.as_deref(), &["commentary", "final_answer"]),
        Action::Patch(patch) if !patch.patch.trim_start().starts_with("*** Begin Patch") => {
            let hint = "Codex's patch format starts with `*** Begin Patch` and ends with `*** End Patch`";
            Err(ScenarioError::at(place, "not a patch in Codex's format", hint))
        }
        Action::Ask(ask)
            if ask.questions.is_empty() || ask.questions.iter().any(|one| one.options.is_empty()) =>
        {
            let hint =
                "one to three `questions`, each with two or three `options`; Codex adds a free answer itself";
            Err(ScenarioError::at(place, "a question without options, which Codex refuses", hint))
        }
        Action::Plan(plan) => plan.steps.iter().try_for_each(|step| {
            one_of(place, "status", Some(&step.status), &["pending", "in_progress", "completed"])
        }),
        _ => Ok(()),
    }
}

fn one_of(place: &str, field: &str, value: Option<&str>, known: &[&str]) -> Check {
    match value {
        Some(value) if !known.contains(&value) => {
            let what = format!("`{field}` is `{value}`");
            Err(ScenarioError::at(place, &what, &format!("one of: {}", known.join(", "))))
        }
        _ => Ok(()),
    }
}
