//! A message as its sender writes it.

use selvedge_runtime::{
    Error, Message, Part,
    files::{FileError, Picture, picture_of_url},
};
use selvedge_session::{Budget, BusyPolicy, Code, Json, Options, Retry};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    by_name::ByName,
    idempotent::Maker,
    problem::Problem,
    strict::{lacks, only},
};

/// A message: `text`, or `input` with pictures; one of the two.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SendMessage {
    /// Words.
    text: Option<String>,
    /// Words and pictures.
    #[schema(value_type = Option<Vec<MessagePart>>)]
    input: Option<Vec<ByName<PartFields>>>,
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
#[derive(utoipa::ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[expect(dead_code, reason = "it describes what `PartFields` reads")]
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

/// Whatever kind it is: what is wrong within a kind would be told without its place.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PartFields {
    #[serde(rename = "type")]
    kind: PartKind,
    text: Option<String>,
    data: Option<String>,
    media_type: Option<String>,
    url: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PartKind {
    Text,
    Image,
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

fn said(text: Option<String>, input: Option<Vec<ByName<PartFields>>>) -> Result<Vec<Part>, Problem> {
    let wrong = |detail: &str| Problem::coded(Code::InvalidArgument, detail);
    match (text, input) {
        (Some(text), None) if text.trim().is_empty() => Err(wrong("the message says nothing").field("text")),
        (Some(text), None) => Ok(vec![Part::Text(text)]),
        (None, Some(parts)) if parts.is_empty() => Err(wrong("the message says nothing").field("input")),
        (None, Some(parts)) => {
            let numbered = parts.into_iter().enumerate();
            numbered.map(|(n, ByName(part))| part.read(&format!("input[{n}]"))).collect()
        }
        (Some(_), Some(_)) => Err(wrong("give `text` or `input`, not both").field("input")),
        (None, None) => Err(wrong("a message has `text` or `input`").field("text")),
    }
}

impl PartFields {
    fn read(self, place: &str) -> Result<Part, Problem> {
        let Self { kind, text, data, media_type, url } = self;
        if let PartKind::Text = kind {
            let others =
                [("data", data.is_some()), ("media_type", media_type.is_some()), ("url", url.is_some())];
            only("a text", place, &others)?;
            return text.map(Part::Text).ok_or_else(|| lacks("text", place));
        }
        only("an image", place, &[("text", text.is_some())])?;
        let (read, field) = match (data, media_type, url) {
            (Some(data), Some(kind), None) => (Picture::of_base64(&kind, &data), "data"),
            (None, None, Some(url)) => (picture_of_url(&url), "url"),
            _ => {
                let detail = "an image has `data` and `media_type`, or a `data:` address in `url`";
                return Err(Problem::coded(Code::InvalidArgument, detail).field(place));
            }
        };
        let Picture { media_type, bytes } = read.map_err(|error: FileError| {
            let field =
                if matches!(error, FileError::Kind) && field == "data" { "media_type" } else { field };
            Problem::from(Error::from(error)).field(format!("{place}.{field}"))
        })?;
        Ok(Part::Image { data: bytes, media_type })
    }
}
