//! What a handler gives back: text and pictures for the model, a value for the program.

use serde::Serialize;
use serde_json::Value;

/// A part of what the model gets.
///
/// ```
/// use selvedge_agent::{Content, Prompt, Section, Session, Tool, ToolCall, ToolContext, ToolReply};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let chart = Tool::new("chart", "Draw the sales.", async |(): (), _: ToolContext| {
///     Ok(ToolReply::text("Sales by month").image("data:image/png;base64,iVBORw0KGgo="))
/// });
/// let prompt = Prompt::text("demo", "sales").section(Section::markdown("Task", "task", "Explain them.").tool(chart)).build()?;
/// let session = Session::new();
/// let answer = prompt.render(&session)?.toolbox(&session).call(ToolCall::new("chart", json!({}))).await;
/// assert_eq!(answer.content[0], Content::Text { text: "Sales by month".into() });
/// assert!(matches!(&answer.content[1], Content::Image { url } if url.starts_with("data:")));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Content {
    /// Words.
    Text {
        /// The words.
        text: String,
    },
    /// A picture.
    Image {
        /// A `data:` address.
        url: String,
    },
}

/// The result of a tool.
///
/// Anything that is [`Serialize`] becomes one: its JSON without nulls is the text, a string is the text itself, and nothing at all says `OK`.
///
/// ```
/// use selvedge_agent::ToolReply;
///
/// assert_eq!(ToolReply::from(vec![1, 2]).words(), "[1,2]");
/// let chart = ToolReply::text("Sales by month").image("data:image/png;base64,iVBORw0KGgo=").with_value(&[3, 5]);
/// assert_eq!(chart.words(), "Sales by month");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ToolReply {
    pub(crate) content: Vec<Content>,
    pub(crate) value: Option<Value>,
    /// Sections that the model wants to see. Only the tools that rendering adds say so.
    pub(crate) expansion: Option<crate::prompt::Expansion>,
    /// Why the value has no JSON.
    pub(crate) unwritable: Option<String>,
}

impl ToolReply {
    /// With words for the model.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            content: vec![Content::Text { text: text.into() }],
            value: None,
            expansion: None,
            unwritable: None,
        }
    }

    /// With one more picture, as a `data:` address.
    #[must_use]
    pub fn image(mut self, url: impl Into<String>) -> Self {
        self.content.push(Content::Image { url: url.into() });
        self
    }

    /// With a value that the program finds in `ToolInvoked`, and the model does not see.
    #[must_use]
    pub fn with_value(mut self, value: &impl Serialize) -> Self {
        match serde_json::to_value(value) {
            Ok(value) => self.value = Some(value),
            Err(error) => self.unwritable = Some(error.to_string()),
        }
        self
    }

    /// The words that the model gets.
    #[must_use]
    pub fn words(&self) -> String {
        words(&self.content)
    }
}

pub(crate) fn words(content: &[Content]) -> String {
    let texts = content.iter().filter_map(|part| match part {
        Content::Text { text } => Some(text.as_str()),
        Content::Image { .. } => None,
    });
    texts.collect::<Vec<_>>().join("\n\n")
}

// `ToolReply` is not `Serialize` itself: that would forbid this.
impl<T: Serialize> From<T> for ToolReply {
    fn from(value: T) -> Self {
        match serde_json::to_value(value) {
            Ok(value) => {
                Self { value: (!value.is_null()).then(|| value.clone()), ..Self::text(rendered(value)) }
            }
            Err(error) => Self { unwritable: Some(error.to_string()), ..Self::text("") },
        }
    }
}

fn rendered(value: Value) -> String {
    match without_nulls(value) {
        Value::Null => "OK".to_owned(),
        Value::String(text) if text.is_empty() => "OK".to_owned(),
        Value::String(text) => text,
        other => other.to_string(),
    }
}

fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let filled = fields.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(filled.map(|(name, value)| (name, without_nulls(value))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(without_nulls).collect()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_is_its_json_without_nulls() {
        let reply = ToolReply::from(json!({"a": 1, "b": null, "c": [{"d": null}]}));
        assert_eq!(reply.words(), r#"{"a":1,"c":[{}]}"#);
        assert_eq!(reply.value, Some(json!({"a": 1, "b": null, "c": [{"d": null}]})));
    }

    #[test]
    fn falls_back_to_message_when_render_empty() {
        assert_eq!(ToolReply::from(()).words(), "OK");
        assert_eq!(ToolReply::from("").words(), "OK");
        assert_eq!(ToolReply::from("as it is").words(), "as it is");
        assert_eq!(ToolReply::from(Vec::<u32>::new()).words(), "[]");
    }

    #[test]
    fn exclude_value_from_context_uses_message_only() {
        let reply = ToolReply::text("done").with_value(&json!({"secret": 1}));
        assert_eq!((reply.words().as_str(), reply.value), ("done", Some(json!({"secret": 1}))));
    }
}
