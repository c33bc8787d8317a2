//! The tokens a gateway knows. What it keeps of them in memory is their SHA-256, and it is compared in constant time.

use std::fmt;

use selvedge_runtime::private::same;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use super::scope::{Scope, Scopes};

/// A token as its owner has it. It is never shown.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// These characters.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The characters, for the one place that has to say them.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

type Sum = [u8; 32];

/// Which token: the same for as long as its characters are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct TokenId(Sum);

impl TokenId {
    #[cfg(test)]
    pub(super) fn of(secret: &str) -> Self {
        Self(sum(secret))
    }
}

impl fmt::Debug for TokenId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenId(…)")
    }
}

/// A token that is known: whose it is, and what it may do.
#[derive(Debug, Clone)]
pub struct Token {
    name: String,
    scopes: Scopes,
    secret: Sum,
    page: Sum,
}

impl Token {
    /// One with this name and these scopes.
    pub fn new(name: impl Into<String>, scopes: Scopes, secret: &Secret) -> Self {
        let page = page_secret(secret.reveal());
        Self { name: name.into(), scopes, secret: sum(secret.reveal()), page: sum(&page) }
    }

    /// Whose.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it may do.
    #[must_use]
    pub fn scopes(&self) -> &Scopes {
        &self.scopes
    }

    pub(super) fn id(&self) -> TokenId {
        TokenId(self.secret)
    }
}

/// All tokens that are known.
#[derive(Debug, Clone)]
pub struct Tokens(Vec<Token>);

impl Tokens {
    /// These.
    #[must_use]
    pub fn of(tokens: Vec<Token>) -> Self {
        Self(tokens)
    }

    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Whether a token is still known, and may do this.
    pub(super) fn has(&self, id: TokenId, scope: Scope) -> bool {
        self.0.iter().any(|token| token.id() == id && token.scopes.has(scope))
    }

    /// Whose token this is.
    pub(super) fn find(&self, given: &str) -> Option<&Token> {
        let given = sum(given);
        self.matching(|token| same(&token.secret, &given))
    }

    /// Whose page this is.
    pub(super) fn find_page(&self, given: &str) -> Option<&Token> {
        let given = sum(given);
        self.matching(|token| same(&token.page, &given))
    }

    /// Every one is looked at, so that the time says nothing about which it was.
    fn matching(&self, is: impl Fn(&Token) -> bool) -> Option<&Token> {
        self.0.iter().fold(None, |found, token| if is(token) { Some(token) } else { found })
    }
}

/// What the page's cookie holds: made of the token, and of no use to find it. It ends with the token.
pub(super) fn page_secret(secret: &str) -> String {
    let made = Sha256::new().chain_update(b"selvedge page\0").chain_update(secret).finalize();
    hex(&made)
}

/// 32 random bytes, written so that they can stand in an address.
pub(super) fn make() -> Result<Secret, getrandom::Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(Secret(hex(&bytes)))
}

fn sum(text: &str) -> Sum {
    Sha256::digest(text.as_bytes()).into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens() -> Tokens {
        let token = |name, secret| Token::new(name, Scopes::of([Scope::Read]), &Secret::new(secret));
        Tokens::of(vec![token("one", "first"), token("two", "second")])
    }

    #[test]
    fn a_token_is_found_by_all_of_it_and_by_nothing_else() {
        let tokens = tokens();
        assert_eq!(tokens.find("second").map(Token::name), Some("two"));
        for wrong in ["", "secon", "second ", "Second", "third"] {
            assert!(tokens.find(wrong).is_none(), "{wrong:?}");
        }
    }

    #[test]
    fn what_the_page_has_is_not_the_token_and_does_not_serve_as_one() {
        let tokens = tokens();
        let page = page_secret("first");
        assert_eq!(tokens.find_page(&page).map(Token::name), Some("one"));
        assert!(tokens.find(&page).is_none());
        assert!(tokens.find_page("first").is_none());
    }

    #[test]
    fn a_made_token_is_long_and_new_and_not_shown() {
        let (one, other) = (make().unwrap(), make().unwrap());
        assert_eq!(one.reveal().len(), 64);
        assert_ne!(one, other);
        assert!(!format!("{one:?}").contains(one.reveal()));
    }
}
