//! What a message brings: words for the agent, pictures it can see, and files that are put where it can read them.

use std::path::{Path, PathBuf};

use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use selvedge_runtime::Part as Input;

use super::{
    agents::Agent,
    words::{Content, Fault, Kind, Message, Part},
};

/// Kinds of pictures that a model sees.
const PICTURES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
/// The longest name of a file, in bytes: with what is put around it while it is written it has to fit.
const LONGEST_NAME: usize = 200;
/// What an agent says.
const SAID: [&str; 2] = ["text/plain", "application/json"];

/// Whether the agent takes it, and the caller what it answers.
pub(crate) fn check(agent: &Agent, message: &Message, modes: &[String]) -> Result<(), Fault> {
    for (n, part) in message.parts.iter().enumerate() {
        let kind = kind(part);
        if !agent.input_modes.iter().any(|mode| covers(mode, kind)) {
            let what = format!("message.parts[{n}]: the agent takes no {kind}");
            return Err(Fault::new(Kind::ContentType, what).about("mediaType", kind));
        }
        if let Content::Raw(raw) = &part.content
            && raw.trim().trim_end_matches('=').len() * 3 / 4 > agent.max_file_bytes
        {
            let most = agent.max_file_bytes;
            return Err(Fault::invalid(
                &format!("message.parts[{n}]"),
                &format!("a file may have {most} bytes"),
            ));
        }
    }
    let taken = modes.is_empty() || SAID.iter().any(|said| modes.iter().any(|mode| covers(mode, said)));
    if taken {
        Ok(())
    } else {
        Err(Fault::new(Kind::ContentType, "the agent answers in text/plain or application/json"))
    }
}

/// Whether it says nothing.
pub(crate) fn is_blank(message: &Message) -> bool {
    message.parts.iter().all(|part| matches!(&part.content, Content::Text(text) if text.trim().is_empty()))
}

fn kind(part: &Part) -> &str {
    let plain = match &part.content {
        Content::Text(_) => "text/plain",
        Content::Data(_) => "application/json",
        Content::Raw(_) | Content::Url(_) => "application/octet-stream",
    };
    let given = part.media_type.as_deref().and_then(|kind| kind.split(';').next());
    given.map_or(plain, str::trim)
}

/// Whether a kind is among those that are meant: `image/png`, `image/*`, `*/*`.
fn covers(mode: &str, kind: &str) -> bool {
    let mode = mode.split(';').next().unwrap_or_default().trim();
    match mode.strip_suffix("/*") {
        Some("*") => true,
        Some(family) => kind.split('/').next() == Some(family),
        None => mode.eq_ignore_ascii_case(kind),
    }
}

/// What the agent is told. Files are written into the directory, under names that lead nowhere else.
pub(crate) async fn input(inbox: &Path, message: &Message) -> Result<Vec<Input>, Fault> {
    let mut input = Vec::with_capacity(message.parts.len());
    for (n, part) in message.parts.iter().enumerate() {
        let wrong = |why: &str| Fault::invalid(&format!("message.parts[{n}]"), why);
        input.push(match &part.content {
            Content::Text(text) => Input::Text(text.clone()),
            Content::Data(data) => {
                let text = serde_json::to_string_pretty(data).unwrap_or_default();
                Input::Text(format!("```json\n{text}\n```"))
            }
            Content::Url(url) => {
                let name = part.filename.as_deref().map(|name| format!(" ({name})")).unwrap_or_default();
                Input::Text(format!("A file to look at{name}: {url}"))
            }
            Content::Raw(raw) => {
                let kind = kind(part);
                let data = bytes(raw).ok_or_else(|| wrong("`raw` is no base64"))?;
                if PICTURES.contains(&kind) {
                    Input::Image { data, media_type: kind.to_owned() }
                } else {
                    let path = keep(inbox, n, part.filename.as_deref(), data).await?;
                    Input::Text(format!("A file ({kind}) was put at {}", path.display()))
                }
            }
        });
    }
    Ok(input)
}

/// ProtoJSON takes both alphabets, with padding or without.
fn bytes(raw: &str) -> Option<Vec<u8>> {
    const EITHER: GeneralPurposeConfig =
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let raw = raw.trim().replace('-', "+").replace('_', "/");
    GeneralPurpose::new(&alphabet::STANDARD, EITHER).decode(raw).ok()
}

/// A file's name that leads nowhere else and that a system takes.
fn plain_name(name: &str) -> Option<&str> {
    let name = Path::new(name).file_name()?.to_str()?;
    Some(name).filter(|name| name.len() <= LONGEST_NAME && !name.contains(char::is_control))
}

/// Writes a file; answers where.
async fn keep(inbox: &Path, n: usize, name: Option<&str>, bytes: Vec<u8>) -> Result<PathBuf, Fault> {
    let name = name.and_then(plain_name);
    let mut path = inbox.join(name.map_or_else(|| format!("file-{n}"), str::to_owned));
    if tokio::fs::try_exists(&path).await.unwrap_or(false) {
        // Another part of the message has the same name.
        path = inbox.join(format!("{n}-{}", name.unwrap_or("file")));
    }
    let (directory, place) = (inbox.to_owned(), path.clone());
    let written = tokio::task::spawn_blocking(move || {
        selvedge_runtime::private::directory(&directory)?;
        selvedge_runtime::private::write(&place, &bytes)
    });
    match written.await {
        Ok(Ok(())) => Ok(path),
        Ok(Err(error)) => Err(Fault::new(Kind::Internal, format!("the file cannot be kept: {error}"))),
        Err(_) => Err(Fault::new(Kind::Internal, "the file cannot be kept")),
    }
}
