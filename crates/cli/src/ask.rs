//! Asks the person at the terminal what Codex asks, and makes an answer of the keys.

use std::{io, sync::Arc};

use selvedge_runtime::Answer;
use selvedge_session::data::{ApprovalKind, ApprovalRequested, Decision};
use serde_json::{Map, Value, json};

use crate::{
    show::clean::clean,
    tty::{Keys, Tty},
};

/// Who decides, in the journal.
const BY: &str = "terminal";

/// What stands before the cursor while somebody thinks.
pub(crate) const CHOICES: &str = "  [y]es, yes for the [s]ession, [n]o, [c]ancel the turn? ";

/// Waits for the person's decision.
pub(crate) async fn ask(tty: Arc<Tty>, keys: Keys, asked: ApprovalRequested) -> io::Result<Answer> {
    let request: Value = serde_json::from_str(asked.request.text()).unwrap_or_default();
    let key = keys.one_of("ysnc").await?;
    match key {
        'y' | 's' => accepted(&tty, &asked, &request, key == 's').await,
        'n' => {
            tty.write("no\n  what should it do instead? (Enter: say nothing) ")?;
            let message = tty.line().await?;
            let message = Some(message).filter(|message| !message.is_empty());
            Ok(Answer { message, ..Answer::new(Decision::Decline, BY) })
        }
        _ => {
            tty.write("cancel\n")?;
            Ok(Answer::new(Decision::Cancel, BY))
        }
    }
}

async fn accepted(
    tty: &Tty,
    asked: &ApprovalRequested,
    request: &Value,
    for_session: bool,
) -> io::Result<Answer> {
    let (decision, word) = match for_session {
        true => (Decision::AcceptForSession, "yes, for the session\n"),
        false => (Decision::Accept, "yes\n"),
    };
    tty.write(word)?;
    let content = match asked.kind {
        ApprovalKind::UserInput => Some(json!({"answers": answers(tty, request).await?})),
        ApprovalKind::Elicitation => filled(tty, request).await?.map(|filled| json!({"content": filled})),
        _ => None,
    };
    Ok(Answer { content: content.map(Into::into), ..Answer::new(decision, BY) })
}

/// One answer a question: the number of an option, or words.
async fn answers(tty: &Tty, request: &Value) -> io::Result<Value> {
    let mut answers = Map::new();
    for question in request["questions"].as_array().into_iter().flatten() {
        let options: Vec<&str> = question["options"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|it| it["label"].as_str())
            .collect();
        tty.write(&format!("  {}\n", clean(question["question"].as_str().unwrap_or_default())))?;
        for (place, option) in options.iter().enumerate() {
            tty.write(&format!("    {}. {}\n", place + 1, clean(option)))?;
        }
        tty.write("  > ")?;
        let line = tty.line().await?;
        let chosen = line.parse().ok().and_then(|place: usize| options.get(place.checked_sub(1)?)).copied();
        let id = question["id"].as_str().unwrap_or_default().to_owned();
        answers.insert(id, Value::from(chosen.unwrap_or(&line)));
    }
    Ok(Value::Object(answers))
}

/// The fields of a form; nothing where it has none.
async fn filled(tty: &Tty, request: &Value) -> io::Result<Option<Value>> {
    let Some(fields) = request["requestedSchema"]["properties"].as_object().filter(|it| !it.is_empty())
    else {
        return Ok(None);
    };
    let mut content = Map::new();
    for (name, schema) in fields {
        let title = schema["title"].as_str().unwrap_or(name);
        tty.write(&format!("  {}: ", clean(title)))?;
        let line = tty.line().await?;
        if !line.is_empty() {
            content.insert(name.clone(), typed(&line, schema["type"].as_str().unwrap_or("string")));
        }
    }
    Ok(Some(Value::Object(content)))
}

/// What was typed, as the form wants it; words where it cannot be that.
fn typed(line: &str, kind: &str) -> Value {
    let read = match kind {
        "number" | "integer" => line.parse().ok().map(Value::Number),
        "boolean" => Some(Value::Bool(matches!(line, "y" | "yes" | "true" | "1"))),
        _ => None,
    };
    read.unwrap_or_else(|| Value::from(line))
}
