//! A message as its sender writes it.

use selvedge_runtime::{Message, Part, files::Picture};
use selvedge_session::{Budget, BusyPolicy, Code, Json, Options, Retry};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{by_name::ByName, idempotent::Maker, problem::Problem};

/// A message: `text`, or `input` with pictures; one of the two.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SendMessage {
    /// Words.
    text: Option<String>,
    /// Words and pictures.
    #[schema(value_type = Option<Vec<MessagePart>>)]
    input: Option<Vec<ByName<MessagePart>>>,
    /// The JSON schema of the answer: `output` is then the answer, parsed and checked.
    #[schema(value_type = Option<Object>)]
    output_schema: Option<Map<String, Value>>,
    /// How long its turn may run, without the time it waits for answers.
    deadline_seconds: Option<u64>,
    /// How long it may wait in the queue.
    queue_seconds: Option<u64>,
    /// Whether it may be run again after a crash.
    retry: Option<Retry>,
    /// Instead of the session's.
    model: Option<String>,
    /// Instead of the session's.
    effort: Option<String>,
    /// Instead of the session's.
    #[schema(value_type = Option<Limits>)]
    budget: Option<ByName<Limits>>,
    /// Instead of the session's: what happens if a turn runs.
    busy_policy: Option<BusyPolicy>,
}

/// A part of what is said.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum MessagePart {
    /// Words.
    Text {
        /// The words.
        text: String,
    },
    /// A picture: `data` with its `media_type`, or a `data:` address. Nothing is fetched.
    Image {
        /// The picture, in base64.
        data: Option<String>,
        /// For example `image/png`.
        media_type: Option<String>,
        /// The picture as a `data:` address.
        url: Option<String>,
    },
}

/// Limits on what a message may use. It is stopped at the first report of more.
#[derive(Debug, Clone, Copy, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::routes) struct Limits {
    /// Input and output together.
    max_total_tokens: Option<u64>,
    /// Input alone.
    max_input_tokens: Option<u64>,
    /// Output alone.
    max_output_tokens: Option<u64>,
    /// In money; the model's price has to be known.
    max_cost_usd: Option<f64>,
}

impl From<Limits> for Budget {
    fn from(limits: Limits) -> Self {
        let Limits { max_total_tokens, max_input_tokens, max_output_tokens, max_cost_usd } = limits;
        Self { max_total_tokens, max_input_tokens, max_output_tokens, max_cost_usd }
    }
}

impl SendMessage {
    pub(super) fn checked(self, maker: Maker) -> Result<Message, Problem> {
        let input = said(self.text, self.input)?;
        let options = Options {
            busy_policy: self.busy_policy,
            output_schema: self.output_schema.map(|schema| Json::from(Value::Object(schema))),
            deadline_seconds: self.deadline_seconds,
            queue_seconds: self.queue_seconds,
            retry: self.retry.unwrap_or_default(),
            model: self.model,
            effort: self.effort,
            budget: self.budget.map(|ByName(limits)| limits.into()),
            price: None,
        };
        Ok(Message { id: None, input, options, sender: Some(maker.name), idempotency_key: maker.key })
    }
}

fn said(text: Option<String>, input: Option<Vec<ByName<MessagePart>>>) -> Result<Vec<Part>, Problem> {
    let wrong = |detail: &str| Problem::coded(Code::InvalidArgument, detail);
    match (text, input) {
        (Some(text), None) if text.trim().is_empty() => Err(wrong("the message says nothing").field("text")),
        (Some(text), None) => Ok(vec![Part::Text(text)]),
        (None, Some(parts)) if parts.is_empty() => Err(wrong("the message says nothing").field("input")),
        (None, Some(parts)) => {
            let numbered = parts.into_iter().enumerate();
            numbered
                .map(|(n, ByName(part))| part.read().map_err(|wrong| wrong.field(format!("input[{n}]"))))
                .collect()
        }
        (Some(_), Some(_)) => Err(wrong("give `text` or `input`, not both").field("input")),
        (None, None) => Err(wrong("a message has `text` or `input`").field("text")),
    }
}

impl MessagePart {
    fn read(self) -> Result<Part, Problem> {
        match self {
            Self::Text { text } => Ok(Part::Text(text)),
            Self::Image { data: Some(data), media_type: Some(kind), url: None } => {
                let picture = Picture::of_base64(&kind, &data).map_err(selvedge_runtime::Error::from)?;
                Ok(Part::Image { data: picture.bytes, media_type: picture.media_type })
            }
            Self::Image { data: None, media_type: None, url: Some(url) } => Ok(Part::ImageUrl(url)),
            Self::Image { .. } => {
                let detail = "an image has `data` and `media_type`, or a `data:` address in `url`";
                Err(Problem::coded(Code::InvalidArgument, detail))
            }
        }
    }
}
