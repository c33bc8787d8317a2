//! A gateway that runs, and ends with its test.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
};

use rustix::process::{Pid, Signal, kill_process};

use super::Stage;

pub struct Gateway {
    /// Until it has ended.
    child: Option<Child>,
    pub address: String,
    pub token: Option<String>,
}

impl Gateway {
    /// Waits until it says where it is.
    pub fn start(stage: &Stage, arguments: &[&str]) -> Self {
        Self::start_at(stage, "127.0.0.1:0", arguments)
    }

    pub fn start_at(stage: &Stage, address: &str, arguments: &[&str]) -> Self {
        let all: Vec<&str> = ["serve", "--listen", address].iter().chain(arguments).copied().collect();
        Self::running(stage.command(&all))
    }

    /// By another file.
    pub fn start_as(stage: &Stage, program: &Path) -> Self {
        Self::running(stage.command_of(program, &["serve", "--listen", "127.0.0.1:0"]))
    }

    /// Any command that serves.
    pub fn running(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        if line.is_empty() {
            let mut said = String::new();
            child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
            child.wait().unwrap();
            panic!("it did not start: {said}");
        }
        let address =
            line.strip_prefix("listening on http://").unwrap().split(' ').next().unwrap().to_owned();
        let open = line.split("(open ").nth(1).unwrap().trim_end().trim_end_matches(')');
        assert!(open.starts_with(&format!("http://{address}/")), "{line}");
        let token = open.split("?token=").nth(1).map(str::to_owned);
        Self { child: Some(child), address, token }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The status of a GET.
    pub fn get(&self, path: &str, token: Option<&str>) -> u16 {
        self.answer(path, token).split(' ').nth(1).unwrap().parse().unwrap()
    }

    /// What a GET answers, as JSON.
    pub fn json(&self, path: &str) -> serde_json::Value {
        let answer = self.answer(path, self.token.as_deref());
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        serde_json::from_str(body).unwrap()
    }

    /// What a GET answers, as text.
    pub fn text(&self, path: &str) -> String {
        self.answer(path, self.token.as_deref())
    }

    /// What a POST answers, as JSON.
    pub fn post(&self, path: &str, body: &serde_json::Value) -> serde_json::Value {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let (host, token, body) =
            (&self.address, self.token.as_deref().unwrap_or_default(), body.to_string());
        let head = format!("host: {host}\r\nauthorization: Bearer {token}\r\ncontent-type: application/json");
        let length = body.len();
        write!(
            stream,
            "POST {path} HTTP/1.1\r\n{head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 20"), "{answer}");
        serde_json::from_str(body).unwrap()
    }

    fn answer(&self, path: &str, token: Option<&str>) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let token = token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
        let host = &self.address;
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {host}\r\n{token}connection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Waits until it says once more where it is.
    pub fn listens_again(&mut self) {
        let mut line = String::new();
        let stdout = self.child.as_mut().unwrap().stdout.as_mut().unwrap();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        assert!(line.contains(&self.address), "{line}");
    }

    pub fn pid(&self) -> u32 {
        self.child.as_ref().unwrap().id()
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(i32::try_from(self.pid()).ok().and_then(Pid::from_raw).unwrap(), signal).unwrap();
    }

    /// The exit code, and the log.
    pub fn ended(mut self) -> (Option<i32>, String) {
        let output = self.child.take().unwrap().wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    }

    /// As `kill -9` does.
    pub fn killed(self) {
        self.signal(Signal::KILL);
        self.ended();
    }

    /// Ended as it should be, with everything it had begun.
    pub fn stopped(self) -> String {
        self.signal(Signal::INT);
        let (code, log) = self.ended();
        assert_eq!(code, Some(0), "{log}");
        log
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            // The test has failed: nothing is left behind.
            let _gone = child.kill();
            let _gone = child.wait();
        }
    }
}
