//! How calls of tools are shown in the text.

use crate::tool::{Example, Tool};

/// The block below a section's text: empty, if none of its tools has an example.
pub(super) fn block(tools: &[Tool]) -> String {
    let lines: Vec<String> =
        tools.iter().filter(|tool| !tool.examples().is_empty()).flat_map(lines).collect();
    if lines.is_empty() { String::new() } else { format!("Tools:\n{}", lines.join("\n")) }
}

fn lines(tool: &Tool) -> Vec<String> {
    let name = tool.name();
    let mut lines = vec![format!("- {name}: {}", tool.description()), format!("  - {name} examples:")];
    lines.extend(tool.examples().iter().flat_map(example));
    lines
}

fn example(example: &Example) -> Vec<String> {
    let mut lines = vec![format!("    - description: {}", example.description), "      input:".to_owned()];
    lines.extend(fenced("json", &example.input));
    lines.push("      output:".to_owned());
    lines.extend(fenced("", &example.output));
    lines
}

fn fenced(language: &str, text: &str) -> Vec<String> {
    let inner = text.lines().map(str::to_owned);
    let lines = [format!("```{language}")].into_iter().chain(inner).chain(["```".to_owned()]);
    lines.map(|line| format!("        {line}")).collect()
}
