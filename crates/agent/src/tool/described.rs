//! A tool in other words: what the model reads about it and its parameters, and the calls it is shown.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Example, Tool};
use crate::overrides::ExampleOverride;

impl Tool {
    pub(crate) fn is_fixed(&self) -> bool {
        self.fixed
    }

    /// What the model reads about its parameters, by their names.
    pub(crate) fn param_descriptions(&self) -> BTreeMap<String, String> {
        let params = self.input_schema["properties"].as_object();
        let described = params
            .into_iter()
            .flatten()
            .filter_map(|(name, param)| Some((name.clone(), param.get("description")?.as_str()?.to_owned())));
        described.collect()
    }

    /// The same tool in other words. A parameter that it does not have is told.
    pub(crate) fn described(
        &self,
        description: Option<&str>,
        params: &BTreeMap<String, String>,
    ) -> Result<Self, String> {
        let mut tool = self.clone();
        if let Some(description) = description {
            description.clone_into(&mut tool.description);
        }
        for (name, words) in params {
            let param = tool.input_schema.get_mut("properties").and_then(|it| it.get_mut(name));
            let param = param.and_then(Value::as_object_mut);
            let param =
                param.ok_or_else(|| format!("it has no parameter `{name}` that could be described"))?;
            param.insert("description".to_owned(), words.as_str().into());
        }
        Ok(tool)
    }

    /// The same tool with other examples. One that does not fit it is told.
    pub(crate) fn exemplified(&self, given: &[ExampleOverride]) -> Result<Self, String> {
        let mut tool = self.clone();
        let (mut examples, mut more) = (tool.examples.drain(..).map(Some).collect::<Vec<_>>(), Vec::new());
        for it in given {
            match it {
                ExampleOverride::Modify { index, description, input_json, output, .. } => {
                    let Some(example) = examples.get_mut(*index) else { continue };
                    if let Some(example) = example {
                        example.change(description.as_deref(), input_json.as_deref(), output.as_deref());
                    }
                }
                ExampleOverride::Remove { index, .. } => {
                    if let Some(example) = examples.get_mut(*index) {
                        *example = None;
                    }
                }
                ExampleOverride::Append { description, input_json, output } => {
                    more.push(Example::of_text(description, input_json, output));
                }
            }
        }
        tool.examples = examples.into_iter().flatten().chain(more).collect();
        match tool.examples.iter().find_map(|example| tool.wrong_example(example)) {
            Some(wrong) => Err(wrong),
            None => Ok(tool),
        }
    }
}
