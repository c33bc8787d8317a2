//! Messages and their parts.

use serde_json::{Map, Value, json};

use super::{fault::Fault, fields::Fields};

/// Who says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Who asked.
    User,
    /// The agent.
    Agent,
}

/// What is said.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Given by whoever says it.
    pub id: String,
    /// The conversation.
    pub context: Option<String>,
    /// The task it is about.
    pub task: Option<String>,
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub parts: Vec<Part>,
    /// For programs.
    pub metadata: Option<Map<String, Value>>,
    /// Extensions of the protocol that it uses.
    pub extensions: Vec<String>,
    /// Other tasks that it is about.
    pub references: Vec<String>,
}

/// A part of a message or an artifact.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// What it holds.
    pub content: Content,
    /// A file's name.
    pub filename: Option<String>,
    /// Of which kind it is.
    pub media_type: Option<String>,
    /// For programs.
    pub metadata: Option<Map<String, Value>>,
}

/// What a part holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Words.
    Text(String),
    /// Bytes, in base64 as they came.
    Raw(String),
    /// Where it lies.
    Url(String),
    /// Any JSON.
    Data(Value),
}

impl Part {
    /// Words.
    pub fn text(text: impl Into<String>) -> Self {
        Self::of(Content::Text(text.into()))
    }

    /// This, and nothing about it.
    pub fn of(content: Content) -> Self {
        Self { content, filename: None, media_type: None, metadata: None }
    }

    fn read(value: &Value, place: &str) -> Result<Self, Fault> {
        let fields = Fields::of(value, place)?;
        let text = |name: &str| match fields.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(fields.wrong(name, "it has to be a text")),
        };
        let contents = [
            text("text")?.map(Content::Text),
            text("raw")?.map(Content::Raw),
            text("url")?.map(Content::Url),
            fields.get("data").cloned().map(Content::Data),
        ];
        let mut contents = contents.into_iter().flatten();
        let (Some(content), None) = (contents.next(), contents.next()) else {
            return Err(Fault::invalid(place, "a part has one of `text`, `raw`, `url` and `data`"));
        };
        Ok(Self {
            content,
            filename: fields.text("filename")?.map(str::to_owned),
            media_type: fields.text("mediaType")?.map(str::to_owned),
            metadata: fields.map("metadata")?,
        })
    }

    /// As it is sent.
    pub fn json(&self) -> Value {
        let (name, content) = match &self.content {
            Content::Text(text) => ("text", json!(text)),
            Content::Raw(raw) => ("raw", json!(raw)),
            Content::Url(url) => ("url", json!(url)),
            Content::Data(data) => ("data", data.clone()),
        };
        let mut part = Map::from_iter([(name.to_owned(), content)]);
        put(&mut part, "filename", self.filename.as_ref().map(|it| json!(it)));
        put(&mut part, "mediaType", self.media_type.as_ref().map(|it| json!(it)));
        put(&mut part, "metadata", self.metadata.clone().map(Value::Object));
        Value::Object(part)
    }
}

impl Message {
    /// Words of the agent.
    pub fn of_agent(id: String, text: impl Into<String>) -> Self {
        Self { role: Role::Agent, ..Self::of_user(id, vec![Part::text(text)]) }
    }

    /// What somebody says to an agent.
    pub fn of_user(id: String, parts: Vec<Part>) -> Self {
        Self {
            id,
            context: None,
            task: None,
            role: Role::User,
            parts,
            metadata: None,
            extensions: Vec::new(),
            references: Vec::new(),
        }
    }

    /// The same, said where.
    pub fn within(mut self, context: &str, task: Option<&str>) -> Self {
        self.context = Some(context.to_owned());
        self.task = task.map(str::to_owned);
        self
    }

    /// One that somebody sends.
    pub fn read(fields: &Fields<'_>) -> Result<Self, Fault> {
        let role = match fields.get("role") {
            Some(Value::String(role)) if role == "ROLE_USER" => Role::User,
            Some(Value::String(role)) if role == "ROLE_AGENT" => Role::Agent,
            Some(Value::Number(role)) if role.as_i64() == Some(1) => Role::User,
            Some(Value::Number(role)) if role.as_i64() == Some(2) => Role::Agent,
            None => return Err(fields.wrong("role", "it is missing")),
            Some(_) => return Err(fields.wrong("role", "it has to be ROLE_USER or ROLE_AGENT")),
        };
        let parts = fields.list("parts")?;
        if parts.is_empty() {
            return Err(fields.wrong("parts", "a message has at least one"));
        }
        let place = |n: usize| format!("{}[{n}]", fields.place("parts"));
        let parts = parts.iter().enumerate().map(|(n, part)| Part::read(part, &place(n)));
        Ok(Self {
            id: fields.needed("messageId")?.to_owned(),
            context: fields.text("contextId")?.map(str::to_owned),
            task: fields.text("taskId")?.map(str::to_owned),
            role,
            parts: parts.collect::<Result<_, _>>()?,
            metadata: fields.map("metadata")?,
            extensions: fields.texts("extensions")?,
            references: fields.texts("referenceTaskIds")?,
        })
    }

    /// One that was kept.
    pub fn kept(value: &Value) -> Option<Self> {
        Self::read(&Fields::of(value, "").ok()?).ok()
    }

    /// As it is sent and kept.
    pub fn json(&self) -> Value {
        let role = match self.role {
            Role::User => "ROLE_USER",
            Role::Agent => "ROLE_AGENT",
        };
        let parts: Vec<Value> = self.parts.iter().map(Part::json).collect();
        let mut message = Map::from_iter([("messageId".to_owned(), json!(self.id))]);
        put(&mut message, "contextId", self.context.as_ref().map(|it| json!(it)));
        put(&mut message, "taskId", self.task.as_ref().map(|it| json!(it)));
        put(&mut message, "role", Some(json!(role)));
        put(&mut message, "parts", Some(Value::Array(parts)));
        put(&mut message, "metadata", self.metadata.clone().map(Value::Object));
        let some = |list: &[String]| (!list.is_empty()).then(|| json!(list));
        put(&mut message, "extensions", some(&self.extensions));
        put(&mut message, "referenceTaskIds", some(&self.references));
        Value::Object(message)
    }

    /// All its words.
    pub fn text(&self) -> String {
        let words = self.parts.iter().filter_map(|part| match &part.content {
            Content::Text(text) => Some(text.as_str()),
            _ => None,
        });
        words.collect::<Vec<_>>().join("\n")
    }

    /// The first thing in it that is JSON.
    pub fn data(&self) -> Option<&Value> {
        self.parts.iter().find_map(|part| match &part.content {
            Content::Data(data) => Some(data),
            _ => None,
        })
    }
}

/// Puts a field that is there.
pub(crate) fn put(object: &mut Map<String, Value>, name: &str, value: Option<Value>) {
    if let Some(value) = value {
        object.insert(name.to_owned(), value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_comes_out_as_it_went_in() {
        let sent = json!({
            "messageId": "m", "contextId": "c", "taskId": "t", "role": "ROLE_USER",
            "parts": [
                {"text": ""}, {"raw": "aGk=", "filename": "a.txt", "mediaType": "text/plain"},
                {"url": "https://example.org/x"}, {"data": {"k": [1, null]}, "metadata": {"a": 1}}, {"data": false},
            ],
            "metadata": {"k": "v"}, "extensions": ["e"], "referenceTaskIds": ["r"],
        });
        assert_eq!(Message::kept(&sent).unwrap().json(), sent);
    }

    #[test]
    fn what_is_wrong_with_a_message_is_named() {
        for (message, field) in [
            (json!({"role": "ROLE_USER", "parts": [{"text": "x"}]}), "message.messageId"),
            (json!({"messageId": "m", "parts": [{"text": "x"}]}), "message.role"),
            (json!({"messageId": "m", "role": "user", "parts": [{"text": "x"}]}), "message.role"),
            (json!({"messageId": "m", "role": "ROLE_USER", "parts": []}), "message.parts"),
            (json!({"messageId": "m", "role": "ROLE_USER", "parts": [{}]}), "message.parts[0]"),
            (
                json!({"messageId": "m", "role": "ROLE_USER", "parts": [{"text": "x", "url": "y"}]}),
                "message.parts[0]",
            ),
            (json!({"messageId": "m", "role": "ROLE_USER", "parts": [{"text": 7}]}), "message.parts[0].text"),
        ] {
            let read = Fields::of(&message, "message").and_then(|fields| Message::read(&fields));
            assert_eq!(read.unwrap_err().field.as_deref(), Some(field), "{message}");
        }
    }
}
