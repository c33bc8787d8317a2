//! Wishes in plain words, for whoever reads a session in any dialect and has none of their own to say them in.

use std::collections::BTreeMap;

use selvedge_session::{ApprovalId, BusyPolicy, Json, ToolCallId, data::Decision};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::wish::{Picture, Wish};

/// What was said, understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Plain {
    /// By which it is done once, and its answer found.
    pub id: Option<String>,
    /// What is wanted.
    pub wish: Wish,
}

#[derive(Deserialize)]
struct Frame {
    id: Option<String>,
    #[serde(flatten)]
    said: Said,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Said {
    Send {
        text: String,
        #[serde(default)]
        images: Vec<Image>,
        busy_policy: Option<BusyPolicy>,
    },
    Steer {
        text: String,
        #[serde(default)]
        images: Vec<Image>,
    },
    Interrupt,
    Fork,
    Answer(Answer),
    AnswerTool {
        tool_call_id: ToolCallId,
        success: bool,
        content: Value,
    },
}

#[derive(Deserialize)]
struct Image {
    media_type: String,
    data: String,
}

#[derive(Deserialize)]
struct Answer {
    approval_id: ApprovalId,
    decision: Choice,
    message: Option<String>,
    answers: Option<BTreeMap<String, Value>>,
    content: Option<Value>,
    amendment: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Choice {
    Accept,
    AcceptForSession,
    Decline,
    Cancel,
}

/// Understands plain words, or says why not.
pub fn understand(frame: &str) -> Result<Plain, String> {
    let Frame { id, said } = serde_json::from_str(frame).map_err(|error| error.to_string())?;
    let wish = match said {
        Said::Send { text, images, busy_policy } => send(text, images, busy_policy, id.clone()),
        Said::Steer { text, images } => send(text, images, Some(BusyPolicy::Steer), id.clone()),
        Said::Interrupt => Wish::Interrupt,
        Said::Fork => Wish::Fork,
        Said::Answer(answer) => answer.wish(),
        Said::AnswerTool { tool_call_id, success, content } => {
            Wish::AnswerTool { tool_call_id, success, content: Json::from(content) }
        }
    };
    Ok(Plain { id, wish })
}

fn send(text: String, images: Vec<Image>, when_busy: Option<BusyPolicy>, key: Option<String>) -> Wish {
    let pictures = images.into_iter().map(|Image { media_type, data }| Picture { media_type, data });
    Wish::Send { text, pictures: pictures.collect(), key, when_busy }
}

impl Answer {
    fn wish(self) -> Wish {
        let parts = [
            ("answers", self.answers.map(|answers| json!(answers))),
            ("content", self.content),
            ("amendment", self.amendment),
        ];
        let content: serde_json::Map<_, _> =
            parts.into_iter().filter_map(|(name, part)| Some((name.to_owned(), part?))).collect();
        Wish::Answer {
            approval_id: self.approval_id,
            decision: match self.decision {
                Choice::Accept => Decision::Accept,
                Choice::AcceptForSession => Decision::AcceptForSession,
                Choice::Decline => Decision::Decline,
                Choice::Cancel => Decision::Cancel,
            },
            message: self.message,
            content: (!content.is_empty()).then(|| Json::from(Value::Object(content))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(said: &Value) -> Wish {
        understand(&said.to_string()).unwrap().wish
    }

    #[test]
    fn plain_words_are_wishes() {
        let id = "01a1e353-0000-7000-8000-000000000109";
        let said = understand(&json!({"type": "send", "id": "a", "text": "Hi"}).to_string()).unwrap();
        assert_eq!(said.id.as_deref(), Some("a"));
        assert!(matches!(said.wish, Wish::Send { when_busy: None, .. }));
        assert!(matches!(
            wish(&json!({"type": "steer", "text": "Hi"})),
            Wish::Send { when_busy: Some(BusyPolicy::Steer), .. }
        ));
        assert_eq!(wish(&json!({"type": "interrupt"})), Wish::Interrupt);
        assert_eq!(wish(&json!({"type": "fork"})), Wish::Fork);
        let answered = wish(
            &json!({"type": "answer", "approval_id": id, "decision": "accept", "answers": {"q": "Yes"}}),
        );
        let Wish::Answer { decision: Decision::Accept, content: Some(content), .. } = answered else {
            panic!()
        };
        assert_eq!(content.text(), r#"{"answers":{"q":"Yes"}}"#);
        let tool =
            wish(&json!({"type": "answer_tool", "tool_call_id": id, "success": true, "content": "ok"}));
        assert!(matches!(tool, Wish::AnswerTool { success: true, .. }));
        for wrong in [
            json!({"type": "dance"}),
            json!({"type": "send"}),
            json!({"type": "answer", "approval_id": id, "decision": "perhaps"}),
        ] {
            assert!(understand(&wrong.to_string()).is_err(), "{wrong}");
        }
    }
}
