//! A client of HTTP that shows everything: one connection a request.

use std::net::SocketAddr;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::{
    HeaderMap, Method, Request, StatusCode,
    body::Incoming,
    client::conn::http1::{self, SendRequest},
};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {:?}", String::from_utf8_lossy(&self.body)))
    }

    /// The body of an answer with this status; anything else fails with what came instead.
    pub(crate) fn expect(self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", String::from_utf8_lossy(&self.body));
        if self.body.is_empty() { Value::Null } else { self.json() }
    }

    /// A problem's code, after a look at its form.
    pub(crate) fn problem(&self, status: u16) -> String {
        assert_eq!(self.status.as_u16(), status, "{}", String::from_utf8_lossy(&self.body));
        assert_eq!(self.headers["content-type"], "application/problem+json");
        let problem = self.json();
        assert_eq!(problem["status"], status);
        problem["code"].as_str().unwrap().to_owned()
    }
}

/// Somebody who asks a gateway.
#[derive(Debug, Clone)]
pub(crate) struct Http {
    pub(crate) address: SocketAddr,
    pub(crate) headers: Vec<(String, String)>,
}

impl Http {
    pub(crate) fn at(address: SocketAddr) -> Self {
        Self { address, headers: vec![("host".into(), address.to_string())] }
    }

    /// The same with a header, which replaces one of the same name.
    pub(crate) fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.ask(Method::GET, path, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.ask(Method::POST, path, Some(body)).await
    }

    pub(crate) async fn patch(&self, path: &str, body: Value) -> Answer {
        self.ask(Method::PATCH, path, Some(body)).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.ask(Method::DELETE, path, None).await
    }

    pub(crate) async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let body = body.map(|body| Bytes::from(body.to_string()));
        let (parts, body) = self.open(method, path, body).await.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Answer { status: parts.status, headers: parts.headers, body }
    }

    /// With a body that need be no JSON.
    pub(crate) async fn ask_as_it_is(&self, method: Method, path: &str, body: Bytes) -> Answer {
        let (parts, body) = self.open(method, path, Some(body)).await.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Answer { status: parts.status, headers: parts.headers, body }
    }

    /// Asks, and leaves the body to be read.
    pub(crate) async fn open(
        &self,
        method: Method,
        path: &str,
        body: Option<Bytes>,
    ) -> hyper::Response<Incoming> {
        self.try_open(method, path, body).await.unwrap()
    }

    /// What a gateway answers that may be gone before it does.
    pub(crate) async fn try_post(&self, path: &str, body: Value) -> Option<Answer> {
        let answer = self.try_open(Method::POST, path, Some(Bytes::from(body.to_string()))).await.ok()?;
        let (parts, body) = answer.into_parts();
        let body = body.collect().await.ok()?.to_bytes();
        Some(Answer { status: parts.status, headers: parts.headers, body })
    }

    async fn try_open(
        &self,
        method: Method,
        path: &str,
        body: Option<Bytes>,
    ) -> Result<hyper::Response<Incoming>, Box<dyn std::error::Error>> {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        if body.is_some() && !self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
            request = request.header("content-type", "application/json");
        }
        let request = request.body(Full::new(body.unwrap_or_default())).unwrap();
        let mut connection = self.connect().await?;
        Ok(connection.send_request(request).await?)
    }

    async fn connect(&self) -> Result<SendRequest<Full<Bytes>>, Box<dyn std::error::Error>> {
        let stream = TcpStream::connect(self.address).await?;
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        // It ends with the answer it carries, or when nobody wants that any more.
        tokio::spawn(connection);
        Ok(sender)
    }
}
