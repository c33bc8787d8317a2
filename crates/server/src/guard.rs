//! What stands before every handler: whose name was called, which site asks, who it is, and whether the house is closing.

mod headers;
mod host;
mod site;
mod told;

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
};
use selvedge_session::Code;

use crate::{
    access::{self, Access, Caller, Entered, Known, TokenId, Tokens},
    gateway::Gateway,
    mcp,
    page::door,
    problem::Problem,
    routes, sse,
};
use host::Hosts;
use told::Told;

/// Where a request comes from. Set by whoever accepted the connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// Who may come in, and by which names.
#[derive(Debug)]
pub struct Entrance {
    access: Access,
    hosts: Hosts,
}

impl Entrance {
    /// At this address and these names, for these tokens; without tokens, for everybody.
    #[must_use]
    pub fn new(address: SocketAddr, names: &[String], tokens: Option<Tokens>) -> Self {
        Self::knowing(address, names, tokens.map(Known::fixed))
    }

    /// The same for tokens that may change.
    pub(crate) fn knowing(address: SocketAddr, names: &[String], tokens: Option<Known>) -> Self {
        Self { access: Access::new(tokens, address.port()), hosts: Hosts::new(address.ip(), names) }
    }
}

/// Everything that is answered, behind the guard.
pub fn guarded(gateway: Gateway, entrance: Entrance) -> Router {
    let watch = Arc::new(Watch { gateway: gateway.clone(), entrance });
    routes::router(gateway)
        .fallback(nothing_there)
        .method_not_allowed_fallback(other_method)
        .layer(from_fn_with_state(watch, pass))
}

struct Watch {
    gateway: Gateway,
    entrance: Entrance,
}

async fn pass(State(watch): State<Arc<Watch>>, mut request: Request, next: Next) -> Response {
    let _here = watch.gateway.metrics().request();
    let told = Told::of(&request);
    let entered = watch.admit(&mut request);
    let known = request.extensions().get::<Caller>().is_some();
    let (response, token) = match entered {
        Ok(Entered::As(token)) => (next.run(request).await, token),
        Ok(Entered::Answered(response)) => (*response, None),
        Err(problem) => (problem.into_response(), None),
    };
    watch.gateway.metrics().answered(response.status());
    if let Some(told) = told {
        told.answered(response.status());
    }
    let mut response = watch.ending_in_time(response, token);
    headers::secure(response.headers_mut());
    if known {
        headers::introduce(response.headers_mut());
    }
    response
}

impl Watch {
    /// Lets a request in, answers it, or says why not.
    fn admit(&self, request: &mut Request) -> Result<Entered, Problem> {
        let host = self.entrance.hosts.check(request)?;
        site::check(request, &host, &self.entrance.hosts)?;
        let peer = request.extensions().get::<Peer>();
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |Peer(address)| address.ip());
        if mcp::recognise(&self.gateway, request) {
            return Ok(Entered::As(None));
        }
        let entered = match self.entrance.access.enter(request, peer) {
            Err(problem) => return Ok(Entered::Answered(Box::new(refused(problem, request)))),
            Ok(entered) => entered,
        };
        if matches!(entered, Entered::As(_)) && self.gateway.is_draining() && begins_work(request) {
            return Err(Problem::of(Code::Draining));
        }
        Ok(entered)
    }

    /// A stream ends when the gateway closes, and until then goes on through the drain; it also ends with its token.
    fn ending_in_time(&self, response: Response, token: Option<TokenId>) -> Response {
        let kind = response.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
        if !kind.is_some_and(|kind| kind.starts_with(b"text/event-stream")) {
            return response;
        }
        let (closing, revoked) = (self.gateway.closing(), self.entrance.access.revoked(token));
        let ending = async move {
            tokio::select! {
                () = closing => "draining: the gateway ends; come back with the last id",
                () = revoked => "unauthenticated: the token is no longer known",
            }
        };
        let here = self.gateway.metrics().stream();
        response.map(|body| Body::from_stream(sse::until(body.into_data_stream(), ending, here)))
    }
}

/// Whether it asks for something new. What lets a turn go on or end is taken until the very end.
fn begins_work(request: &Request) -> bool {
    let path = request.uri().path().trim_end_matches('/');
    let goes_on = path.starts_with("/v1/approvals/")
        || path.starts_with("/v1/tool-calls/")
        || path.ends_with("/interrupt")
        || path.ends_with("/stop");
    request.method() == Method::POST && path.starts_with("/v1/") && !goes_on
}

/// Who is not let in is told so: a person by a page that says how to get in.
fn refused(problem: Problem, request: &Request) -> Response {
    let a_person = access::is_page(request.uri().path()) && door::is_for_a_person(request);
    let mut response = if a_person { door::shut(problem, request) } else { problem.into_response() };
    if response.status() == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

pub(crate) async fn nothing_there() -> Problem {
    let mut problem = Problem::coded(Code::NotFound, "there is nothing at this address");
    problem.hint = Some("`/docs` lists what there is".to_owned());
    problem
}

async fn other_method() -> Problem {
    Problem::of(Code::MethodNotAllowed)
}

/// A header as text; one that is none is not there.
fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}
