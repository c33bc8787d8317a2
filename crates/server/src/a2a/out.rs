//! Requests that the gateway makes itself, to addresses that strangers gave it: never into its own network, unless that is
//! wanted, and never where it is sent on to.

mod public;

use std::{
    future::Future,
    net::{IpAddr, SocketAddr},
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
    vec,
};

use axum::http::{Method, Request, Uri, header};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector, connect::dns::Name},
    rt::TokioExecutor,
};
use tokio::time::timeout;

/// How long a connection may take to be made.
const LONGEST_CONNECT: Duration = Duration::from_secs(10);
/// What is read of an answer.
const LONGEST_ANSWER: usize = 16 << 20;

#[cfg(feature = "https")]
type Connector = hyper_rustls::HttpsConnector<HttpConnector<Resolver>>;
#[cfg(not(feature = "https"))]
type Connector = HttpConnector<Resolver>;

/// Who makes requests.
#[derive(Clone)]
pub(crate) struct Out {
    client: Client<Connector, Full<Bytes>>,
    to_private: bool,
}

/// A request: where, what, and what stands above it.
pub(crate) struct Ask<'a> {
    pub(crate) url: &'a str,
    pub(crate) headers: Vec<(&'a str, String)>,
    /// Something to post; without it something is fetched.
    pub(crate) body: Option<Bytes>,
    pub(crate) within: Duration,
}

impl Out {
    /// To public addresses; to private ones too, if that is wanted.
    pub(crate) fn new(to_private: bool) -> Result<Self, String> {
        let mut tcp = HttpConnector::new_with_resolver(Resolver { to_private });
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(LONGEST_CONNECT));
        let client = Client::builder(TokioExecutor::new()).build(connector(tcp)?);
        Ok(Self { client, to_private })
    }

    /// Whether somebody can be reached there, as far as the address says.
    pub(crate) fn check(&self, url: &str) -> Result<Uri, String> {
        let uri: Uri = url.parse().map_err(|_| format!("{url:?} is no address"))?;
        let https = cfg!(feature = "https");
        match uri.scheme_str() {
            Some("http") => {}
            Some("https") if https => {}
            _ => return Err(format!("{url:?} has to begin with http:// or https://")),
        }
        let host = uri.host().ok_or_else(|| format!("{url:?} names no host"))?;
        let literal = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        match literal {
            Ok(address) if !self.to_private && !public::is_public(address) => {
                Err(format!("{host} is not a public address"))
            }
            Err(_) if !self.to_private && is_local(host) => Err(format!("{host} is not a public name")),
            _ => Ok(uri),
        }
    }

    /// The answer's status and body, or why there is none.
    pub(crate) async fn ask(&self, ask: Ask<'_>) -> Result<(u16, Bytes), String> {
        let uri = self.check(ask.url)?;
        let mut request = Request::builder()
            .method(if ask.body.is_some() { Method::POST } else { Method::GET })
            .uri(uri)
            .header(header::USER_AGENT, concat!("selvedge/", env!("CARGO_PKG_VERSION")));
        for (name, value) in ask.headers {
            request = request.header(name, value);
        }
        let request =
            request.body(Full::new(ask.body.unwrap_or_default())).map_err(|error| error.to_string())?;
        let asked = async {
            let answer = self.client.request(request).await.map_err(|error| innermost(&error))?;
            let status = answer.status().as_u16();
            let body = Limited::new(answer.into_body(), LONGEST_ANSWER).collect().await;
            let body = body.map_err(|error| format!("the answer broke off: {error}"))?.to_bytes();
            Ok((status, body))
        };
        timeout(ask.within, asked).await.unwrap_or_else(|_| Err("nobody answered in time".to_owned()))
    }
}

fn is_local(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    host == "localhost"
        || host.ends_with(".localhost")
        || host.ends_with(".local")
        || host.ends_with(".internal")
}

#[cfg(feature = "https")]
fn connector(mut tcp: HttpConnector<Resolver>) -> Result<Connector, String> {
    tcp.enforce_http(false);
    let builder = hyper_rustls::HttpsConnectorBuilder::new().with_native_roots();
    let builder = builder.map_err(|error| format!("no certificates to trust: {error}"))?;
    Ok(builder.https_or_http().enable_http1().wrap_connector(tcp))
}

#[cfg(not(feature = "https"))]
fn connector(tcp: HttpConnector<Resolver>) -> Result<Connector, String> {
    Ok(tcp)
}

/// What went wrong at the bottom: the layers above only say that something did.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut inner = error;
    while let Some(deeper) = inner.source() {
        inner = deeper;
    }
    inner.to_string()
}

/// Looks names up, and gives only addresses that may be called: what was looked at is what is connected to.
#[derive(Debug, Clone)]
struct Resolver {
    to_private: bool,
}

impl tower_service::Service<Name> for Resolver {
    type Response = vec::IntoIter<SocketAddr>;
    type Error = std::io::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let to_private = self.to_private;
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            let refused = found.iter().any(|found| !to_private && !public::is_public(found.ip()));
            if refused {
                return Err(std::io::Error::other(format!("{} leads into a private network", name.as_str())));
            }
            Ok(found.into_iter())
        })
    }
}
