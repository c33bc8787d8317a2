//! Answers as types: the schema that Codex is held to, and the way back from text.

mod find;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::events::shortened;
use crate::schema::{self, Leniency, fit, is_nothing, strict};

/// The most characters of an answer that an error repeats.
const LONGEST_ANSWER: usize = 2000;
/// The field in which a list travels: the top of a strict schema is an object.
const ITEMS: &str = "items";

/// A type that a final answer can be: `()`, a struct, or a `Vec` of structs. Whether it can be asked for is told when a prompt is built.
///
/// ```
/// use schemars::JsonSchema;
/// use selvedge_agent::{Output, Prompt, Section, Session, testing::Rehearsal};
/// use serde::Deserialize;
/// use serde_json::json;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Verdict {
///     good: bool,
/// }
///
/// fn judge<T: Output>(what: &str) -> Result<Prompt<T>, selvedge_agent::PromptError> {
///     Prompt::<T>::builder("demo", "judge").section(Section::markdown("Task", "task", format!("Judge {what}."))).build()
/// }
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let codex = Rehearsal::answering(json!({"good": true})).codex().build().await?;
/// assert!(codex.evaluate(&judge::<Verdict>("it")?, &Session::new()).await?.output.good);
/// assert!(judge::<Vec<Verdict>>("them").is_ok() && judge::<()>("it").is_ok());
/// assert!(judge::<u32>("it").is_err(), "a number has to be a field of something");
/// # codex.close().await;
/// # Ok(())
/// # }
/// ```
pub trait Output: DeserializeOwned + JsonSchema + Send + 'static {}

impl<T: DeserializeOwned + JsonSchema + Send + 'static> Output for T {}

/// Why an answer is not of the type that was asked for.
///
/// ```
/// use schemars::JsonSchema;
/// use selvedge_agent::Prompt;
/// use serde::Deserialize;
///
/// #[derive(Debug, Deserialize, JsonSchema)]
/// struct Sum {
///     sum: i64,
/// }
///
/// let prompt = Prompt::<Sum>::builder("demo", "sum").build()?;
/// let error = prompt.parse(r#"{"sum": "many"}"#).unwrap_err();
/// assert!(error.why.starts_with("sum: "), "{}", error.why);
/// assert_eq!(error.text, r#"{"sum": "many"}"#);
/// # Ok::<(), selvedge_agent::PromptError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the answer is not what was asked for: {why}")]
pub struct OutputError {
    /// What is wrong with it.
    pub why: String,
    /// The first 2,000 characters of the answer.
    pub text: String,
}

/// How the answer is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Container {
    /// It is plain text, and no value.
    #[default]
    Text,
    Object,
    Array,
}

/// The form of a prompt's answers.
#[derive(Default)]
pub(crate) struct OutputForm {
    container: Container,
    wanted: Value,
    strict: Option<Value>,
    extra_fields: bool,
}

impl OutputForm {
    pub(crate) fn of<T: Output>(extra_fields: bool) -> Result<Self, String> {
        let wanted = schema::of::<T>();
        let container = container(&wanted)?;
        let strict = match container {
            Container::Text => None,
            Container::Object => Some(strict(&wanted).map_err(|error| error.to_string())?),
            Container::Array => Some(wrapped(strict(&wanted).map_err(|error| error.to_string())?)),
        };
        Ok(Self { container, wanted, strict, extra_fields })
    }

    pub(crate) fn schema(&self) -> Option<&Value> {
        self.strict.as_ref()
    }

    /// The answer as a value, and as the JSON that was read of it, unless it is plain text.
    pub(crate) fn parse<T: Output>(&self, answer: &str) -> Result<(T, Option<Value>), OutputError> {
        let wrong = |why| OutputError { why, text: shortened(answer, LONGEST_ANSWER) };
        let json = self.read(answer).map_err(wrong)?;
        let value = schema::read(json.clone()).map_err(wrong)?;
        Ok((value, Some(json).filter(|_| self.container != Container::Text)))
    }

    fn read(&self, answer: &str) -> Result<Value, String> {
        let mut value = match self.container {
            Container::Text => return Ok(Value::Null),
            Container::Object => object(find::json(answer, Value::is_object)?)?,
            Container::Array => list(find::json(answer, |it| it.is_array() || it.is_object())?)?,
        };
        let leniency = Leniency {
            extra_fields: self.extra_fields,
            scalars_as_text: true,
            null_for_default: true,
            ..Leniency::default()
        };
        fit(&self.wanted, &mut value, leniency)?;
        Ok(value)
    }
}

fn object(value: Value) -> Result<Value, String> {
    if value.is_object() { Ok(value) } else { Err("a JSON object is wanted, and it is a list".to_owned()) }
}

/// A list as it is, or in its envelope.
fn list(value: Value) -> Result<Value, String> {
    let items = match value {
        Value::Object(mut envelope) => envelope.remove(ITEMS).unwrap_or_default(),
        other => other,
    };
    let Value::Array(list) = &items else {
        return Err(format!("a JSON list is wanted, or an object with a list as `{ITEMS}`"));
    };
    match list.iter().position(|item| !item.is_object()) {
        Some(index) => Err(format!("item {index} of the list is not an object")),
        None => Ok(items),
    }
}

/// A list in its envelope. What it refers to has to stand at the top.
fn wrapped(mut list: Value) -> Value {
    let definitions = list.as_object_mut().and_then(|it| it.remove("$defs"));
    let mut envelope = Map::new();
    envelope.insert("type".to_owned(), json!("object"));
    envelope.insert("properties".to_owned(), json!({ITEMS: list}));
    envelope.insert("required".to_owned(), json!([ITEMS]));
    envelope.insert("additionalProperties".to_owned(), json!(false));
    envelope.extend(definitions.map(|it| ("$defs".to_owned(), it)));
    Value::Object(envelope)
}

fn container(wanted: &Value) -> Result<Container, String> {
    let kind = wanted.get("type").and_then(Value::as_str);
    match kind {
        _ if is_nothing(wanted) => Ok(Container::Text),
        Some("object") => Ok(Container::Object),
        Some("array") if wanted.get("items").is_some_and(is_of_objects) => Ok(Container::Array),
        _ => {
            Err("it has to be a struct, or a list of structs\nhint: put it into a field of a struct"
                .to_owned())
        }
    }
}

fn is_of_objects(schema: &Value) -> bool {
    let choices = schema.get("anyOf").or_else(|| schema.get("oneOf")).and_then(Value::as_array);
    schema.get("type").is_some_and(|it| it == "object")
        || schema.get("$ref").is_some()
        || choices.is_some_and(|choices| choices.iter().all(is_of_objects))
}

#[cfg(test)]
mod tests;
