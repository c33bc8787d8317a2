//! The tools a request offers, and so how an action is to be spoken.

use super::wire::{Body, ToolSpec};

/// What the model may call in this request.
#[derive(Debug, Default)]
pub(super) struct Offered {
    tools: Vec<OfferedTool>,
}

#[derive(Debug)]
struct OfferedTool {
    namespace: Option<String>,
    name: String,
    description: String,
}

impl Offered {
    pub(super) fn of(body: &Body) -> Self {
        let mut offered = Self::default();
        let additional = body.input.iter().flat_map(|item| &item.tools);
        for tool in body.tools.iter().chain(additional) {
            offered.add(tool);
        }
        offered
    }

    fn add(&mut self, tool: &ToolSpec) {
        if tool.kind == "namespace" {
            // `functions` is how code-mode requests wrap what has no namespace.
            let namespace = (tool.name != "functions").then(|| tool.name.clone());
            self.tools.extend(tool.tools.iter().map(|inner| OfferedTool::new(namespace.clone(), inner)));
        } else {
            self.tools.push(OfferedTool::new(None, tool));
        }
    }

    fn find(&self, name: &str) -> Option<&OfferedTool> {
        self.tools.iter().find(|tool| tool.namespace.is_none() && tool.name == name)
    }

    /// Whether it can be called by its own name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Whether it can be called in its namespace.
    pub(super) fn has_in(&self, namespace: &str, name: &str) -> bool {
        self.tools.iter().any(|tool| tool.namespace.as_deref() == Some(namespace) && tool.name == name)
    }

    /// Tools go through scripts for `exec`, and cannot be called themselves.
    pub(super) fn code_mode(&self) -> bool {
        self.has("exec") && !self.has("exec_command")
    }

    /// Whether a script can call it: `exec` describes each tool under a heading of its name.
    pub(super) fn in_script(&self, name: &str) -> bool {
        let heading = format!("### `{name}`");
        self.find("exec").is_some_and(|exec| exec.description.contains(&heading))
    }

    /// Further tools may exist that are not listed: found by search, but callable at once.
    pub(super) fn hides_some(&self) -> bool {
        self.has("tool_search")
    }

    /// Whether questions to the person wait for plan mode.
    pub(super) fn asks_in_plan_mode_only(&self) -> bool {
        self.find("request_user_input")
            .is_some_and(|tool| tool.description.contains("only available in Plan mode"))
    }
}

impl OfferedTool {
    fn new(namespace: Option<String>, tool: &ToolSpec) -> Self {
        // A tool of the provider's own (`tool_search`) has only a type.
        let name = if tool.name.is_empty() { &tool.kind } else { &tool.name };
        Self { namespace, name: name.clone(), description: tool.description.clone() }
    }
}
