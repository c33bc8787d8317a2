//! Typed parameters of sections.

use std::any::{Any, TypeId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::schema;

/// A type whose fields stand in a section's text. Every struct that is [`Serialize`] and [`JsonSchema`] is one.
///
/// ```
/// use schemars::JsonSchema;
/// use selvedge_agent::{Params, Prompt, PromptError, Section, Session};
/// use serde::Serialize;
///
/// #[derive(Serialize, JsonSchema)]
/// struct Guest {
///     name: String,
/// }
///
/// fn rendered<P: Params>(prompt: Prompt, params: P) -> Result<String, PromptError> {
///     Ok(prompt.bind(params)?.render(&Session::new())?.text().to_owned())
/// }
///
/// let section = Section::markdown("Task", "task", "Greet ${name}.").takes::<Guest>();
/// let prompt = Prompt::text("demo", "greet").section(section).build()?;
/// assert_eq!(rendered(prompt, Guest { name: "Ada".into() })?, "## 1. Task (task)\n\nGreet Ada.");
/// # Ok::<(), selvedge_agent::PromptError>(())
/// ```
pub trait Params: Serialize + JsonSchema + Send + Sync + 'static {}

impl<T: Serialize + JsonSchema + Send + Sync + 'static> Params for T {}

/// A type of parameters, before there is a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParamsType {
    pub(crate) id: TypeId,
    pub(crate) name: String,
    pub(crate) fields: BTreeSet<String>,
}

impl ParamsType {
    pub(crate) fn of<P: Params>() -> Self {
        let schema = schema::of_written::<P>();
        let fields = schema.get("properties").and_then(Value::as_object);
        let fields = fields.into_iter().flat_map(|it| it.keys().cloned()).collect();
        Self { id: TypeId::of::<P>(), name: P::schema_name().into_owned(), fields }
    }
}

/// Parameters that somebody gave.
#[derive(Clone)]
pub(crate) struct Given {
    value: Arc<dyn Any + Send + Sync>,
    pub(crate) fields: BTreeMap<String, String>,
}

impl Given {
    pub(crate) fn new<P: Params>(params: P) -> Result<Self, String> {
        let fields = match serde_json::to_value(&params) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) => return Err("they have to be a struct with named fields".to_owned()),
            Err(error) => return Err(error.to_string()),
        };
        let fields = fields.into_iter().map(|(name, value)| (name, shown(value))).collect();
        Ok(Self { value: Arc::new(params), fields })
    }

    pub(crate) fn get<P: Params>(&self) -> Option<&P> {
        self.value.downcast_ref()
    }
}

/// A value as it stands in a text.
fn shown(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        other => other.to_string(),
    }
}
