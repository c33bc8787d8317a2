//! What can be chosen: the models of Codex's catalogue, and who may answer for it.

mod standard;

use std::{borrow::Cow, path::PathBuf};

use selvedge_client::{
    Hint as _,
    process::{find_codex, own_program},
    protocol::{list::List, object::Object, view::View as _},
};
use selvedge_session::Code;
use serde::Serialize;
use serde_json::json;

use crate::{asking, error::Error, runtime::Runtime};
use standard::Standard;

/// Pages of the catalogue that are read: more would be no list to choose from.
const PAGES: usize = 20;

/// A model that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Model {
    /// As a session's `model` names it.
    pub id: String,
    /// For people.
    pub name: String,
    /// What it is good for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether a session gets it that does not choose: as the gateway or Codex is configured, else as the catalogue says.
    pub is_default: bool,
    /// How hard it can think, as a session's `effort` names it.
    pub efforts: Vec<Effort>,
    /// How hard it thinks when nobody chooses: as configured, if it can, else its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_effort: Option<String>,
    /// What it takes: `text`, `image`.
    pub inputs: Vec<String>,
}

/// How hard a model can think.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Effort {
    /// Its name.
    pub effort: String,
    /// For people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// Somebody who can answer for Codex.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BackendFound {
    /// `codex` or `rehearsal`, as a session's `backend` names it.
    pub kind: &'static str,
    /// Whether sessions get it when they do not choose.
    pub is_default: bool,
    /// Whether there is one.
    pub found: bool,
    /// Which program.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub path: Option<PathBuf>,
    /// Its version, as far as one has been asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Why it cannot be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// What to do about that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Runtime {
    /// The models of Codex's catalogue, those that are not to be shown left out, and what a configuration names beside them.
    pub async fn models(&self) -> Result<Vec<Model>, Error> {
        let mut listed = Vec::new();
        let mut cursor: Option<String> = None;
        for _ in 0..PAGES {
            let reply = asking::ask(&self.house, "model/list", &json!({ "cursor": cursor })).await?;
            let page = Object::view(reply.result()).ok_or_else(unreadable)?;
            let models = page.get::<List<'_, Object<'_>>>("data").ok_or_else(unreadable)?;
            listed.extend(models.iter().filter_map(|model| read(&model)));
            cursor = text(&page, "nextCursor");
            if cursor.is_none() {
                break;
            }
        }
        Ok(Standard::of(self).await.among(listed))
    }

    /// Who can answer for Codex, the one that sessions get first. That one is asked for its version.
    pub async fn backends(&self) -> Vec<BackendFound> {
        let rehearses = self.config().is_rehearsal();
        let mut found = [self.codex(!rehearses), self.stand_in(rehearses)];
        if rehearses {
            found.reverse();
        }
        let [mut default, other] = found;
        if default.found {
            match asking::version(&self.house).await {
                Ok(version) => default.version = version,
                Err(error) => (default.problem, default.hint) = (Some(error.message), error.hint),
            }
        }
        vec![default, other]
    }

    fn codex(&self, is_default: bool) -> BackendFound {
        let named = self.config().codex.as_deref().filter(|_| is_default);
        let none = BackendFound { is_default, ..nothing("codex") };
        match find_codex(named) {
            Ok(path) => {
                BackendFound { found: true, version: self.version_of(&path), path: Some(path), ..none }
            }
            Err(error) => BackendFound { problem: Some(error.to_string()), hint: error.hint(), ..none },
        }
    }

    /// The stand-in is a part of this program.
    fn stand_in(&self, is_default: bool) -> BackendFound {
        let path = self.config().rehearsal.program.clone().or_else(|| own_program().ok());
        let version = path.as_ref().and_then(|path| self.version_of(path));
        BackendFound { is_default, found: path.is_some(), path, version, ..nothing("rehearsal") }
    }

    /// What an app-server of this program says that it is.
    fn version_of(&self, program: &std::path::Path) -> Option<String> {
        self.processes().into_iter().find(|process| process.program == program)?.version
    }
}

fn nothing(kind: &'static str) -> BackendFound {
    BackendFound {
        kind,
        is_default: false,
        found: false,
        path: None,
        version: None,
        problem: None,
        hint: None,
    }
}

/// A model of the catalogue, which may not want it shown.
#[derive(Debug)]
struct Listed {
    model: Model,
    hidden: bool,
}

impl Model {
    /// One of which nothing is known but its name: somebody configured it.
    fn unknown(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            name: id.to_owned(),
            description: None,
            is_default: false,
            efforts: Vec::new(),
            default_effort: None,
            inputs: vec!["text".to_owned()],
        }
    }
}

fn read(model: &Object<'_>) -> Option<Listed> {
    let id = text(model, "model").or_else(|| text(model, "id"))?;
    let efforts = model.get::<List<'_, Object<'_>>>("supportedReasoningEfforts");
    let effort = |it: Object<'_>| {
        let effort = text(&it, "reasoningEffort")?;
        Some(Effort { effort, description: text(&it, "description").filter(|words| !words.is_empty()) })
    };
    let inputs = model.get::<List<'_, Cow<'_, str>>>("inputModalities");
    let hidden = model.get::<bool>("hidden") == Some(true);
    let model = Model {
        name: text(model, "displayName").unwrap_or_else(|| id.clone()),
        description: text(model, "description").filter(|words| !words.is_empty()),
        is_default: model.get("isDefault").unwrap_or(false),
        efforts: efforts.iter().flat_map(|efforts| efforts.iter().filter_map(effort)).collect(),
        default_effort: text(model, "defaultReasoningEffort"),
        inputs: inputs.iter().flat_map(|inputs| inputs.iter().map(Cow::into_owned)).collect(),
        id,
    };
    Some(Listed { model, hidden })
}

fn text(object: &Object<'_>, key: &str) -> Option<String> {
    object.get::<Cow<'_, str>>(key).map(Cow::into_owned)
}

fn unreadable() -> Error {
    Error::coded(Code::CodexUnusable, "Codex's list of models cannot be read")
}
