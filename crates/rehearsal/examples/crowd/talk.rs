//! One connection that asks and is answered, over and over.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
};

use serde_json::Value;

use crate::{Failure, server::Place};

/// The largest answer that is believed.
const LONGEST: usize = 64 << 20;

/// A connection to the server that is measured.
pub(crate) struct Talk {
    stream: BufReader<TcpStream>,
    headers: String,
    line: String,
}

/// An answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

impl Talk {
    pub(crate) fn open(place: &Place) -> Result<Self, Failure> {
        let stream = TcpStream::connect(place.address)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream), headers: place.headers.clone(), line: String::new() })
    }

    pub(crate) fn get(&mut self, path: &str) -> Result<Answer, Failure> {
        self.ask(&format!("GET {path} HTTP/1.1\r\n{}\r\n", self.headers))
    }

    /// Posts JSON, with a key of its own if there is one.
    pub(crate) fn post(&mut self, path: &str, body: &Value, key: Option<&str>) -> Result<Answer, Failure> {
        let body = body.to_string();
        let (headers, length) = (&self.headers, body.len());
        let key = key.map(|key| format!("idempotency-key: {key}\r\n")).unwrap_or_default();
        let kind = "content-type: application/json";
        self.ask(&format!(
            "POST {path} HTTP/1.1\r\n{headers}{key}{kind}\r\ncontent-length: {length}\r\n\r\n{body}"
        ))
    }

    fn ask(&mut self, request: &str) -> Result<Answer, Failure> {
        self.stream.get_mut().write_all(request.as_bytes())?;
        let status = self.next_line()?.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or("that is no answer of HTTP")?;
        let mut length = 0;
        loop {
            let line = self.next_line()?;
            if line.is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse()?;
            }
        }
        if length > LONGEST {
            return Err("an answer is too long".into());
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        Ok(Answer { status, body })
    }

    fn next_line(&mut self) -> Result<&str, Failure> {
        self.line.clear();
        if self.stream.read_line(&mut self.line)? == 0 {
            return Err("the server has hung up".into());
        }
        Ok(self.line.trim_end())
    }
}

impl Answer {
    /// What a good answer says.
    pub(crate) fn json(&self) -> Result<Value, Failure> {
        if !(200..300).contains(&self.status) {
            return Err(format!("{}: {}", self.status, String::from_utf8_lossy(&self.body)).into());
        }
        Ok(serde_json::from_slice(&self.body)?)
    }

    /// One field of it, as text.
    pub(crate) fn text(&self, field: &str) -> Result<String, Failure> {
        let value = self.json()?;
        Ok(value[field].as_str().ok_or_else(|| format!("no `{field}` in {value}"))?.to_owned())
    }
}
