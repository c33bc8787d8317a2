//! A terminal with somebody at it.

use std::{
    fs::{File, OpenOptions},
    io::{Read, Write},
    os::unix::fs::OpenOptionsExt,
    process::{Child, Command, Stdio},
};

use rustix::{
    fs::OFlags,
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{Winsize, tcsetwinsize},
};

pub struct Terminal {
    keyboard: File,
    pub child: Child,
    pub shown: String,
}

impl Terminal {
    /// Starts the program; `before` was typed before it could read anything.
    pub fn start(mut command: Command, before: &str) -> Self {
        let main = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&main).unwrap();
        unlockpt(&main).unwrap();
        tcsetwinsize(&main, Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        let name = ptsname(&main, Vec::new()).unwrap().into_string().unwrap();
        let flags = i32::try_from(OFlags::NOCTTY.bits()).unwrap();
        let open = || OpenOptions::new().read(true).write(true).custom_flags(flags).open(&name).unwrap();
        let mut keyboard = File::from(main);
        let (input, output, errors) = (open(), open(), open());
        keyboard.write_all(before.as_bytes()).unwrap();
        let child = command
            .stdin(Stdio::from(input))
            .stdout(Stdio::from(output))
            .stderr(Stdio::from(errors))
            .spawn()
            .unwrap();
        // The command holds the other end too: the end of the program must be the end of the terminal.
        drop(command);
        Self { keyboard, child, shown: String::new() }
    }

    /// Reads until this has been shown; what was shown since the last time.
    pub fn until(&mut self, wanted: &str) -> String {
        let before = self.shown.len();
        while !self.shown[before..].contains(wanted) {
            assert!(self.read(), "{wanted:?} was not shown:\n{}", self.shown);
        }
        self.shown[before..].to_owned()
    }

    /// Reads until the one has been shown, and the other after it.
    pub fn until_both(&mut self, first: &str, then: &str) {
        while !self.shown.split_once(first).is_some_and(|(_, rest)| rest.contains(then)) {
            assert!(self.read(), "{first:?} and {then:?} were not shown:\n{}", self.shown);
        }
    }

    pub fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits for the end: the exit code, and everything that was shown.
    pub fn wait(mut self) -> (Option<i32>, String) {
        while self.read() {}
        (self.child.wait().unwrap().code(), self.shown)
    }

    fn read(&mut self) -> bool {
        let mut bytes = [0; 4096];
        // A terminal whose last user has gone answers with an error, not with an end.
        let read = self.keyboard.read(&mut bytes).unwrap_or(0);
        self.shown.push_str(&String::from_utf8_lossy(&bytes[..read]));
        read > 0
    }
}
