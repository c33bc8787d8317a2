//! Who may come in, and what they may do: tokens with names and scopes.

mod attempts;
mod cookie;
mod files;
mod given;
mod keeper;
mod known;
mod scope;
mod tokens;
mod visit;

pub(crate) use cookie::is_page;
pub(crate) use keeper::Keeper;
pub use keeper::open_tokens;
pub(crate) use known::Known;
pub use scope::{Scope, Scopes};
pub(crate) use tokens::TokenId;
pub use tokens::{Secret, Token, Tokens};
pub(crate) use visit::Visit;

use std::{convert::Infallible, net::IpAddr};

use axum::{
    extract::{FromRequestParts, Request},
    http::{HeaderValue, Method, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use selvedge_session::Code;

use crate::{a2a, problem::Problem};
use attempts::{Attempts, Judged};
use given::Given;

/// Who asks: the name of their token, and the surface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Caller {
    pub(crate) name: String,
}

impl Caller {
    pub(crate) fn over_http(token: &str) -> Self {
        Self { name: format!("{token}/http") }
    }

    /// The same by another surface.
    pub(crate) fn by(self, surface: &str) -> Self {
        let token = self.name.rsplit_once('/').map_or(self.name.as_str(), |(token, _)| token);
        Self { name: format!("{token}/{surface}") }
    }
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get::<Self>().cloned().unwrap_or_else(|| Self::over_http("local")))
    }
}

/// What needs no token: whether it lives says nothing about anybody, nor does how its door looks.
const OPEN: [&str; 3] = ["/healthz", "/readyz", "/door.css"];

/// Why somebody is not let in who has not even tried.
pub(crate) const NONE_GIVEN: &str = "no token was given";

/// What became of a request at the door.
pub(crate) enum Entered {
    /// It goes on, with this token if one is needed.
    As(Option<TokenId>),
    /// It is answered.
    Answered(Box<Response>),
}

/// The access of one gateway.
#[derive(Debug)]
pub(crate) struct Access {
    /// Nothing: nobody is asked.
    tokens: Option<Known>,
    attempts: Attempts,
    cookie: String,
}

impl Access {
    /// For these tokens, or for everybody. Cookies know no ports, so the page's is named after ours.
    pub(crate) fn new(tokens: Option<Known>, port: u16) -> Self {
        Self { tokens, attempts: Attempts::default(), cookie: cookie::name(port) }
    }

    /// Lets a request in, as somebody; or answers it.
    pub(crate) fn enter(&self, request: &mut Request, peer: IpAddr) -> Result<Entered, Problem> {
        if OPEN.contains(&request.uri().path()) || a2a::is_open(request.uri().path()) {
            return Ok(Entered::As(None));
        }
        let Some(known) = &self.tokens else {
            request.extensions_mut().insert(Caller::over_http("anyone"));
            return Ok(Entered::As(None));
        };
        let tokens = known.now();
        let given = Given::take(request, &self.cookie);
        let found = given.as_ref().and_then(|given| given.find(&tokens));
        let token = match (self.attempts.judge(peer, given.is_some(), found.map(Token::id)), found) {
            (Judged::Enter, Some(token)) => token,
            (Judged::TooMany, _) => return Err(Problem::of(Code::TooManyAttempts)),
            _ => return Err(unknown(given.as_ref())),
        };
        let needed = scope::needed(request.method(), request.uri().path());
        if !token.scopes().has(needed) {
            return Err(lacking(token, needed));
        }
        if let Some(Given::Address(secret)) = &given
            && request.method() == Method::GET
            && is_page(request.uri().path())
        {
            return Ok(Entered::Answered(Box::new(self.welcome(request, secret))));
        }
        request.extensions_mut().insert(Caller::over_http(token.name()));
        request.extensions_mut().insert(Visit::new(token.id(), known.clone()));
        Ok(Entered::As(Some(token.id())))
    }

    /// Waits until whoever came in with a token may look no longer; without one, for ever.
    pub(crate) fn revoked(&self, token: Option<TokenId>) -> impl Future<Output = ()> + Send + use<> {
        let revoked = token.zip(self.tokens.as_ref()).map(|(token, known)| known.revoked(token));
        async move {
            match revoked {
                Some(revoked) => revoked.await,
                None => std::future::pending().await,
            }
        }
    }

    /// The page comes again without the token in its address: that would stay in histories.
    fn welcome(&self, request: &Request, secret: &str) -> Response {
        let place = request.uri().path_and_query().map_or("/", |place| place.as_str());
        // `//host` would be another site.
        let place = format!("/{}", place.trim_start_matches('/'));
        let mut response = StatusCode::SEE_OTHER.into_response();
        for (name, value) in
            [(header::LOCATION, place), (header::SET_COOKIE, cookie::set(&self.cookie, secret))]
        {
            if let Ok(value) = HeaderValue::try_from(value) {
                response.headers_mut().insert(name, value);
            }
        }
        response
    }
}

fn unknown(given: Option<&Given>) -> Problem {
    match given {
        None => Problem::coded(Code::Unauthenticated, NONE_GIVEN),
        Some(Given::Cookie(_)) => {
            Problem::coded(Code::Unauthenticated, "the token that let this browser in is no longer known")
        }
        Some(_) => Problem::coded(Code::Unauthenticated, "nobody has this token"),
    }
}

fn lacking(token: &Token, needed: Scope) -> Problem {
    let (name, needed) = (token.name(), needed.as_str());
    let mut problem = Problem::coded(Code::Forbidden, format!("the token `{name}` has no scope `{needed}`"));
    problem.hint = Some(format!("use a token with `{needed}`, or give it to this one in tokens.toml"));
    problem
}
