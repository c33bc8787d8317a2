//! The JavaScript of a code-mode response: all calls of a step at once, each answered for itself.

use std::fmt::Write as _;

use super::speech::Line;

/// A script that makes the calls concurrently. What no tool is called is answered as Codex answers it elsewhere, so
/// that one unknown name does not take the other calls with it.
pub(super) fn script(lines: &[Line]) -> String {
    let mut source = String::from(
        "const call = async (tool, input) => {\n  \
           if (typeof tools[tool] !== \"function\") throw `unsupported call: ${tool}`;\n  \
           return tools[tool](input);\n\
         };\n\
         const results = await Promise.allSettled([\n",
    );
    for line in lines {
        let tool = serde_json::Value::String(line.tool.clone());
        let _infallible = writeln!(source, "  call({tool}, {}),", line.input);
    }
    source.push_str("]);\nfor (const one of results) text(one.status === \"fulfilled\" ? one.value : String(one.reason));\n");
    source
}
