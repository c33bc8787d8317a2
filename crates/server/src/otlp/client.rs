//! How spans reach a collector: one request, over the gateway's own runtime.

use std::{pin::Pin, time::Duration};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::{Request, Response, Uri, client::conn::http1, header};
use hyper_util::rt::TokioIo;
use opentelemetry_http::{HttpClient, HttpError};
use tokio::{net::TcpStream, runtime::Handle, time::timeout};

/// How long a collector may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// The longest answer that is read.
const LONGEST: usize = 1 << 20;

/// The exporter works on a thread of its own, where no tokio runtime is.
#[derive(Debug)]
pub(super) struct Client {
    runtime: Handle,
}

impl Client {
    pub(super) fn new(runtime: Handle) -> Self {
        Self { runtime }
    }
}

impl HttpClient for Client {
    fn send_bytes<'life0, 'async_trait>(
        &'life0 self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'async_trait>>
    where
        'life0: 'async_trait,
        Self: 'async_trait,
    {
        // Whoever waits for it learns how it ended.
        let exchange = self.runtime.spawn(async { timeout(PATIENCE, exchange(request)).await });
        Box::pin(async move { exchange.await?? })
    }
}

async fn exchange(request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
    let (mut parts, body) = request.into_parts();
    let authority = parts.uri.authority().ok_or("the collector's address has no host")?.clone();
    let host = authority.host().trim_start_matches('[').trim_end_matches(']');
    let stream = TcpStream::connect((host, authority.port_u16().unwrap_or(80))).await?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    parts.headers.insert(header::HOST, authority.as_str().parse()?);
    parts.uri = parts.uri.path_and_query().map(|place| Uri::from(place.clone())).unwrap_or_default();
    let request = Request::from_parts(parts, Full::new(body));
    let asking = async move {
        let (parts, body) = sender.send_request(request).await?.into_parts();
        let body = Limited::new(body, LONGEST).collect().await?.to_bytes();
        Ok::<_, HttpError>(Response::from_parts(parts, body))
    };
    // The connection ends with its sender; what matters of it is in the answer.
    let (answer, _ended) = tokio::join!(asking, connection);
    answer
}
