//! Connections to a gateway: kept for the next request, in the clear or by TLS.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::{Request, Response, body::Incoming};
#[cfg(feature = "https")]
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use selvedge_runtime::Error;
use selvedge_session::Code;

/// How long a connection may take to be made.
const LONGEST_CONNECT: Duration = Duration::from_secs(10);

/// Whoever makes connections.
pub(super) enum Http {
    Plain(Client<HttpConnector, Full<Bytes>>),
    #[cfg(feature = "https")]
    Tls(Client<HttpsConnector<HttpConnector>, Full<Bytes>>),
}

impl Http {
    pub(super) fn new(https: bool) -> Result<Self, Error> {
        let mut tcp = HttpConnector::new();
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(LONGEST_CONNECT));
        if https { tls(tcp) } else { Ok(Self::Plain(Client::builder(TokioExecutor::new()).build(tcp))) }
    }

    /// The answer's head, or why there is none.
    pub(super) async fn request(&self, request: Request<Full<Bytes>>) -> Result<Response<Incoming>, String> {
        let answer = match self {
            Self::Plain(client) => client.request(request).await,
            #[cfg(feature = "https")]
            Self::Tls(client) => client.request(request).await,
        };
        answer.map_err(|error| innermost(&error))
    }
}

/// The machine's own certificates are trusted.
#[cfg(feature = "https")]
fn tls(mut tcp: HttpConnector) -> Result<Http, Error> {
    tcp.enforce_http(false);
    let builder = HttpsConnectorBuilder::new().with_native_roots().map_err(|error| {
        Error::coded(Code::GatewayUnreachable, format!("no certificates to trust: {error}"))
            .hint("install your system's certificates, or name a file of them in SSL_CERT_FILE")
    })?;
    let connector = builder.https_only().enable_http1().wrap_connector(tcp);
    Ok(Http::Tls(Client::builder(TokioExecutor::new()).build(connector)))
}

#[cfg(not(feature = "https"))]
fn tls(_: HttpConnector) -> Result<Http, Error> {
    let message = "this selvedge was built without https";
    Err(Error::coded(Code::InvalidArgument, message)
        .hint("build it with the feature `https`, or use an address that begins with http://"))
}

/// What went wrong at the bottom: the layers above only say that something did.
fn innermost(error: &hyper_util::client::legacy::Error) -> String {
    let mut inner: &dyn std::error::Error = error;
    while let Some(deeper) = inner.source() {
        inner = deeper;
    }
    inner.to_string()
}
