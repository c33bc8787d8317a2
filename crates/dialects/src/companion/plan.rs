//! Plans as the browser's to-do list.

use selvedge_session::data::PlanStep;
use serde_json::{Value, json};

/// One thing to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Todo {
    content: String,
    status: &'static str,
}

/// What `TodoWrite` is used with.
pub(super) fn input(todos: &[Todo]) -> Value {
    let todos: Vec<_> = todos
        .iter()
        .map(|todo| json!({"content": todo.content, "status": todo.status, "activeForm": todo.content}))
        .collect();
    json!({ "todos": todos })
}

pub(super) fn of_steps(steps: &[PlanStep]) -> Vec<Todo> {
    let todo = |step: &PlanStep| Todo { content: step.step.clone(), status: status(&step.status) };
    steps.iter().map(todo).collect()
}

fn status(word: &str) -> &'static str {
    match word {
        "completed" => "completed",
        "inProgress" | "in_progress" => "in_progress",
        _ => "pending",
    }
}

/// The items of lists in a plan that was written as text.
pub(super) fn of_text(text: &str) -> Vec<Todo> {
    text.lines().filter_map(|line| of_line(line.trim())).collect()
}

fn of_line(line: &str) -> Option<Todo> {
    let entry =
        line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).or_else(|| after_number(line))?.trim();
    let (content, status) = match entry.split_at_checked(3) {
        Some(("[x]" | "[X]", rest)) => (rest, "completed"),
        Some(("[~]" | "[>]", rest)) => (rest, "in_progress"),
        Some(("[ ]", rest)) => (rest, "pending"),
        _ => (entry, "pending"),
    };
    let content = content.trim().to_owned();
    (!content.is_empty()).then_some(Todo { content, status })
}

/// What stands after `1. ` or `1) `.
fn after_number(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let rest = (rest.len() < line.len()).then_some(rest)?;
    rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_read_from_its_lists() {
        let text = "# Plan\n\nFirst:\n- [x] look\n- [~] think\n- [>] write\n- [ ] test\n* ship\n2. rest\n3) sleep\n-\n1";
        let todos = of_text(text);
        let told: Vec<_> = todos.iter().map(|todo| (todo.content.as_str(), todo.status)).collect();
        assert_eq!(
            told,
            [
                ("look", "completed"),
                ("think", "in_progress"),
                ("write", "in_progress"),
                ("test", "pending"),
                ("ship", "pending"),
                ("rest", "pending"),
                ("sleep", "pending")
            ]
        );
        assert_eq!(of_text("Nothing to do."), []);
    }

    #[test]
    fn steps_keep_their_order_and_a_status_nobody_knows_is_pending() {
        let step = |status: &str| PlanStep { step: "s".into(), status: status.into() };
        let steps = of_steps(&["completed", "inProgress", "pending", "later"].map(step));
        let statuses: Vec<_> = steps.iter().map(|todo| todo.status).collect();
        assert_eq!(statuses, ["completed", "in_progress", "pending", "pending"]);
    }
}
