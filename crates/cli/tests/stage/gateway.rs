//! A gateway that runs, and ends with its test.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Child, Stdio},
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
        let mut command = stage.command(&all);
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
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let token = token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
        let host = &self.address;
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {host}\r\n{token}connection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split(' ').nth(1).unwrap().parse().unwrap()
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

    /// Ended as it should be.
    pub fn stopped(self) -> String {
        self.signal(Signal::TERM);
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
