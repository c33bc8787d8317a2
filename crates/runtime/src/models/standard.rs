//! What a session gets that chooses nothing: our own configuration says it first, then Codex's, then Codex's catalogue.

use selvedge_client::protocol::{object::Object, view::View as _};
use serde_json::json;

use super::{Listed, Model, text};
use crate::{asking, runtime::Runtime};

/// A model and an effort, where a configuration names them.
#[derive(Debug, Default)]
pub(super) struct Standard {
    pub(super) model: Option<String>,
    pub(super) effort: Option<String>,
}

impl Standard {
    /// As new sessions of this runtime get it. A Codex that does not tell its configuration takes what its catalogue says.
    pub(super) async fn of(runtime: &Runtime) -> Self {
        let ours = runtime.config();
        let reply = asking::ask(&runtime.house, "config/read", &json!({ "includeLayers": false })).await.ok();
        let config =
            reply.as_ref().and_then(|reply| Object::view(reply.result())?.get::<Object<'_>>("config"));
        let named = |key| config.as_ref().and_then(|config| text(config, key));
        Self {
            model: ours.model.clone().or_else(|| named("model")),
            effort: ours.effort.clone().or_else(|| named("model_reasoning_effort")),
        }
    }

    /// The models to choose from, with this as their standard. What the catalogue hides or does not know can be it, too.
    pub(super) fn among(self, listed: Vec<Listed>) -> Vec<Model> {
        let wanted = |model: &Model| self.model.as_ref().is_some_and(|wanted| *wanted == model.id);
        let shown = listed.into_iter().filter(|it| !it.hidden || wanted(&it.model));
        let mut models: Vec<Model> = shown.map(|it| it.model).collect();
        if let Some(unknown) = self.model.as_ref().filter(|_| !models.iter().any(wanted)) {
            models.insert(0, Model::unknown(unknown));
        }
        for model in &mut models {
            model.is_default = if self.model.is_some() { wanted(model) } else { model.is_default };
            let takes = |effort: &String| model.efforts.iter().any(|it| it.effort == *effort);
            let effort = self.effort.clone().filter(|effort| model.efforts.is_empty() || takes(effort));
            model.default_effort = effort.or_else(|| model.default_effort.take());
        }
        models
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::Effort;

    fn listed(id: &str, hidden: bool) -> Listed {
        let effort = |effort: &str| Effort { effort: effort.to_owned(), description: None };
        let efforts = vec![effort("low"), effort("high")];
        let model = Model {
            is_default: id == "first",
            efforts,
            default_effort: Some("low".to_owned()),
            ..Model::unknown(id)
        };
        Listed { model, hidden }
    }

    fn chosen(model: Option<&str>, effort: Option<&str>) -> Vec<(String, bool, Option<String>)> {
        let standard = Standard { model: model.map(str::to_owned), effort: effort.map(str::to_owned) };
        let models =
            standard.among(vec![listed("first", false), listed("second", false), listed("old", true)]);
        models.into_iter().map(|it| (it.id, it.is_default, it.default_effort)).collect()
    }

    fn row(id: &str, is_default: bool, effort: Option<&str>) -> (String, bool, Option<String>) {
        (id.to_owned(), is_default, effort.map(str::to_owned))
    }

    #[test]
    fn the_catalogue_says_it_where_nobody_else_does() {
        assert_eq!(chosen(None, None), [row("first", true, Some("low")), row("second", false, Some("low"))]);
    }

    #[test]
    fn a_configured_model_is_the_only_standard_even_if_it_is_hidden_or_unknown() {
        let second = [row("first", false, Some("low")), row("second", true, Some("low"))];
        assert_eq!(chosen(Some("second"), None), second);
        assert_eq!(chosen(Some("old"), None).last(), Some(&row("old", true, Some("low"))));
        let own = chosen(Some("own"), Some("high"));
        let wanted = [
            row("own", true, Some("high")),
            row("first", false, Some("high")),
            row("second", false, Some("high")),
        ];
        assert_eq!(own, wanted);
    }

    #[test]
    fn an_effort_is_the_standard_of_models_that_have_it() {
        assert_eq!(chosen(None, Some("ultra"))[0], row("first", true, Some("low")));
    }
}
