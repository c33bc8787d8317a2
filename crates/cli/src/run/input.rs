//! What `run` sends: the prompt, pictures, the shape of the answer, limits.

use std::{
    fs,
    io::{Read, stdin},
    path::Path,
};

use selvedge_runtime::{Message, Part};
use selvedge_session::{Budget, Json};

use super::Options;
use crate::failure::Failure;

/// The message as it was asked for.
pub(super) fn message(options: &Options) -> Result<Message, Failure> {
    let mut message = Message::text(prompt(&options.prompt)?);
    for file in &options.image {
        message.input.push(image(file)?);
    }
    let run = &mut message.options;
    run.deadline_seconds = options.deadline;
    run.model.clone_from(&options.reach.common.model);
    run.effort.clone_from(&options.reach.common.effort);
    run.output_schema = options.output_schema.as_deref().map(schema).transpose()?;
    if options.max_tokens.is_some() || options.max_cost.is_some() {
        let (max_total_tokens, max_cost_usd) = (options.max_tokens, options.max_cost);
        run.budget = Some(Budget { max_total_tokens, max_cost_usd, ..Budget::default() });
    }
    message.sender = Some("cli".to_owned());
    Ok(message)
}

fn prompt(given: &str) -> Result<String, Failure> {
    let text = if given == "-" {
        let mut text = String::new();
        stdin().read_to_string(&mut text).map_err(|error| {
            Failure::bad_input(format!("stdin cannot be read: {error}"), "the prompt has to be UTF-8 text")
        })?;
        text
    } else {
        given.to_owned()
    };
    if text.trim().is_empty() {
        return Err(Failure::bad_input("the prompt is empty", "say something: selvedge run 'What is here?'"));
    }
    Ok(text)
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(file).map_err(|error| {
        Failure::bad_input(format!("{} cannot be read: {error}", file.display()), "give the path of a file")
    })
}

fn image(file: &Path) -> Result<Part, Failure> {
    let data = read(file)?;
    match media_type(&data) {
        Some(media_type) => Ok(Part::Image { data, media_type: media_type.to_owned() }),
        None => Err(Failure::bad_input(
            format!("{} is no picture that a model can see", file.display()),
            "make it a PNG, JPEG, GIF or WebP",
        )),
    }
}

/// By what the file begins with: names lie.
fn media_type(data: &[u8]) -> Option<&'static str> {
    match data {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

fn schema(file: &Path) -> Result<Json, Failure> {
    let text = String::from_utf8_lossy(&read(file)?).into_owned();
    Json::parse(text.trim()).map_err(|error| {
        Failure::bad_input(format!("{} is not JSON: {error}", file.display()), "give a JSON schema")
    })
}
