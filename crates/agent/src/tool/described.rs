//! A tool in other words: what the model reads about it and its parameters.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Tool;

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
}
