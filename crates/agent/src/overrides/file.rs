//! The file of one prompt and tag, in the reference's format.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ExampleOverride, PromptOverride, SectionOverride, ToolOverride};

/// The version of the format.
const VERSION: u32 = 2;

#[derive(Serialize, Deserialize)]
struct File {
    version: Value,
    ns: String,
    prompt_key: String,
    tag: String,
    /// By their paths with slashes.
    #[serde(default)]
    sections: Option<BTreeMap<String, SectionOverride>>,
    #[serde(default)]
    tools: Option<BTreeMap<String, Tool>>,
    #[serde(default)]
    task_example_overrides: Option<Vec<Value>>,
}

#[derive(Serialize, Deserialize)]
struct Tool {
    expected_contract_hash: String,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    param_descriptions: Option<BTreeMap<String, String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    example_overrides: Option<Vec<ExampleOverride>>,
}

/// Reads a file's text; what is wrong with it, in words.
pub(super) fn read(text: &str) -> Result<PromptOverride, String> {
    let mut json = serde_json::Deserializer::from_str(text);
    let file: File = serde_path_to_error::deserialize(&mut json).map_err(|error| error.to_string())?;
    if file.version != VERSION {
        return Err(format!("it has the format {}, and {VERSION} is what can be read", file.version));
    }
    let sections = file.sections.unwrap_or_default().into_iter().map(|(path, mut section)| {
        // Some files have only the path that they are kept by.
        if section.path.is_empty() {
            section.path = path.split('/').map(str::to_owned).collect();
        }
        section
    });
    let tools = file.tools.unwrap_or_default().into_iter().map(|(name, tool)| ToolOverride {
        name,
        expected_contract_hash: tool.expected_contract_hash,
        description: tool.description,
        param_descriptions: tool.param_descriptions.unwrap_or_default(),
        examples: tool.example_overrides.unwrap_or_default(),
    });
    Ok(PromptOverride {
        ns: file.ns,
        key: file.prompt_key,
        tag: file.tag,
        sections: sections.collect(),
        tools: tools.collect(),
        task_examples: file.task_example_overrides.unwrap_or_default(),
    })
}

/// The text of a file.
pub(super) fn written(given: &PromptOverride) -> serde_json::Result<String> {
    let sections = given.sections.iter().map(|it| (it.path.join("/"), it.clone()));
    let tools = given.tools.iter().map(|it| {
        let tool = Tool {
            expected_contract_hash: it.expected_contract_hash.clone(),
            description: it.description.clone(),
            param_descriptions: Some(it.param_descriptions.clone()),
            example_overrides: Some(it.examples.clone()).filter(|examples| !examples.is_empty()),
        };
        (it.name.clone(), tool)
    });
    let file = File {
        version: VERSION.into(),
        ns: given.ns.clone(),
        prompt_key: given.key.clone(),
        tag: given.tag.clone(),
        sections: Some(sections.collect()),
        tools: Some(tools.collect()),
        task_example_overrides: Some(given.task_examples.clone()),
    };
    serde_json::to_string_pretty(&file).map(|text| text + "\n")
}
