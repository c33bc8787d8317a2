//! Where tokens are kept: `token`, made at the first start, and `tokens.toml` with named ones. Both for their user alone.

use std::{
    fs, io,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use selvedge_runtime::{Error, Redactions, private};
use selvedge_session::Code;
use serde::Deserialize;

use super::{
    scope::{Scope, Scopes},
    tokens::{Secret, Token, Tokens, make},
};

/// The name of the token of whoever started it.
const OWN: &str = "local";
/// The shortest token in a file: one that cannot be guessed.
const SHORTEST: usize = 16;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    tokens: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    token: Secret,
    scopes: Scopes,
}

/// The secret of whoever starts the gateway: given, or kept in the directory.
pub(super) fn own(directory: &Path, given: Option<Secret>) -> Result<Secret, Error> {
    match given {
        Some(given) if given.reveal().is_empty() => {
            Err(refused("the token is empty", "give some characters, or leave `--token` away"))
        }
        Some(given) if !can_be_said(given.reveal()) => Err(refused(
            "the token begins or ends with a blank, or has a control character in it: no request could carry it",
            "use the letters of `openssl rand -hex 32`, for example",
        )),
        Some(given) => Ok(given),
        None => kept(&directory.join("token")),
    }
}

/// Their token: it may do everything.
pub(super) fn owner(own: &Secret) -> Token {
    Token::new(OWN, Scopes::of([Scope::Admin]), own)
}

/// Theirs, and those that the file names; no agent shows them to a reader from then on.
pub(super) fn all(
    path: &Path,
    owner: &Token,
    file: Option<&Secret>,
    hidden: &Redactions,
) -> Result<Tokens, Error> {
    let mut tokens = vec![owner.clone()];
    if let Some(file) = file {
        for (token, secret) in named(path, file.reveal())? {
            if tokens.iter().any(|known| known.name() == token.name()) {
                return Err(wrong(path, format!("the name `{}` is taken", token.name())));
            }
            tokens.push(token);
            hide(&secret, hidden);
        }
    }
    Ok(Tokens::of(tokens))
}

/// A short one is a word, and would be cut out of what people say.
pub(super) fn hide(secret: &Secret, hidden: &Redactions) {
    if secret.reveal().len() >= SHORTEST {
        hidden.add(secret.reveal());
    }
}

fn kept(path: &Path) -> Result<Secret, Error> {
    if let Some(text) = read(path)? {
        let text = text.reveal().trim();
        if text.is_empty() {
            let what = format!("{} is empty", path.display());
            return Err(refused(what, "remove it, and a new one is made"));
        }
        return Ok(Secret::new(text));
    }
    let made =
        make().map_err(|error| refused(format!("no random numbers: {error}"), "give one with --token"))?;
    private::write(path, made.reveal().as_bytes()).map_err(|error| {
        refused(format!("{} cannot be written: {error}", path.display()), "choose another with --data-dir")
    })?;
    Ok(made)
}

fn named(path: &Path, text: &str) -> Result<Vec<(Token, Secret)>, Error> {
    // The parser's own words show the line, and a line here may be a secret.
    let file: File = toml::from_str(text).map_err(|error| {
        let line = error.span().map(|span| text[..span.start].matches('\n').count() + 1);
        let line = line.map(|line| format!(", line {line}")).unwrap_or_default();
        wrong(path, format!("it is not as docs/api.md shows it{line}: {}", error.message()))
    })?;
    let mut tokens = Vec::with_capacity(file.tokens.len());
    for Entry { name, token, scopes } in file.tokens {
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if name.is_empty() || name.len() > 64 || !name.chars().all(plain) {
            return Err(wrong(path, format!("{name:?} is no name: letters, digits, `-`, `_` and `.`")));
        }
        if token.reveal().len() < SHORTEST {
            return Err(wrong(path, format!("the token of `{name}` has less than {SHORTEST} characters")));
        }
        if !can_be_said(token.reveal()) {
            let what = format!(
                "the token of `{name}` begins or ends with a blank, or has a control character in it"
            );
            return Err(wrong(path, what));
        }
        if scopes.is_empty() {
            return Err(wrong(path, format!("`{name}` has no scopes: read, write, approve, admin")));
        }
        tokens.push((Token::new(name, scopes, &token), token));
    }
    Ok(tokens)
}

/// A header says it as it is: blanks around it are lost on the way, and control characters never go.
fn can_be_said(token: &str) -> bool {
    token.trim() == token && !token.chars().any(char::is_control)
}

/// A file that others can read holds no secret.
pub(super) fn read(path: &Path) -> Result<Option<Secret>, Error> {
    let cannot = |error: io::Error| {
        refused(
            format!("{} cannot be read: {error}", path.display()),
            "it has to be readable by you, and by nobody else",
        )
    };
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(cannot(error)),
        Ok(metadata) if metadata.permissions().mode() & 0o077 != 0 => {
            let what = format!("{} can be read by others", path.display());
            return Err(refused(what, format!("chmod 600 {}", in_shell(path))));
        }
        Ok(_) => {}
    }
    fs::read_to_string(path).map(|text| Some(Secret::new(text))).map_err(cannot)
}

fn in_shell(path: &Path) -> String {
    format!("'{}'", PathBuf::from(path).display().to_string().replace('\'', r"'\''"))
}

fn wrong(path: &Path, what: impl std::fmt::Display) -> Error {
    refused(format!("{}: {what}", path.display()), "docs/api.md shows how tokens are named")
}

fn refused(what: impl Into<String>, hint: impl Into<String>) -> Error {
    Error::coded(Code::InvalidArgument, what).hint(hint)
}

#[cfg(test)]
mod tests;
