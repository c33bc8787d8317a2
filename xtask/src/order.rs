//! `cargo xtask order`: finds out which functions a gateway runs at its start and for each word, and writes down that the
//! linker is to put them side by side. Else they lie scattered over twenty megabytes, and each brings its neighbours into memory.

mod profile;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use self::profile::Profile;
use crate::failure::Failure;
use crate::tool::{self, Tool};
use crate::workspace;

/// What the linker is told, beside the program's manifest.
const WRITTEN: &str = "crates/cli/order.ld";
/// Deltas of one session, 50 a second, the second before they are counted included.
const SECONDS: u64 = 20;
const DELTAS: u64 = (SECONDS + 1) * 50;
/// A name without its hash may stand for many functions, one for each type; those that bring so many times what is wanted are
/// left where they are.
const AT_MOST: u64 = 3;

/// Measures, and writes the file again.
pub(crate) fn run() -> Result<(), Failure> {
    let crowd = ["--release", "--package", "selvedge-rehearsal", "--example", "crowd"];
    let selvedge = tool::build_executable(&["--release", "--package", "selvedge-cli"], "selvedge")?;
    let watched = Watched::new(&selvedge)?;
    let crowd = tool::build_executable(&crowd, "crowd")?;
    let sizes = sizes(&selvedge)?;
    let at_rest = watched.gateway(&crowd, ["rest", "0", "0"])?;
    let speaking = watched.gateway(&crowd, ["latency", "1", &SECONDS.to_string()])?;
    let relay = watched.relay()?;
    let rooms = [
        ("what a relay needs", relay.called(0)),
        ("what every delta needs", speaking.called(DELTAS * 9 / 10)),
        ("what the start of a gateway needs", at_rest.called(0)),
    ];
    let script = script(&rooms, &sizes);
    let path = workspace::root().join(WRITTEN);
    fs::write(&path, &script).map_err(Failure::file("write", &path))?;
    println!("{WRITTEN}: {} names; the next build puts them side by side", script.matches("*(.text").count());
    Ok(())
}

/// The program under a tool that counts what it calls.
struct Watched {
    selvedge: PathBuf,
    directory: TempDir,
}

impl Watched {
    fn new(selvedge: &Path) -> Result<Self, Failure> {
        let directory =
            tempfile::tempdir().map_err(|error| Failure::new(format!("no directory: {error}")))?;
        Ok(Self { selvedge: selvedge.to_owned(), directory })
    }

    /// A gateway that is started, asked and ended by the bench's own program.
    fn gateway(&self, crowd: &Path, load: [&str; 3]) -> Result<Profile, Failure> {
        let into = self.place(load[0])?;
        let wrapper = into.join("selvedge");
        let script = format!("#!/bin/sh\nexec {} \"$@\"\n", self.command(&into, "no").join(" "));
        fs::write(&wrapper, script).map_err(Failure::file("write", &wrapper))?;
        let runs = fs::Permissions::from_mode(0o755);
        fs::set_permissions(&wrapper, runs).map_err(Failure::file("set the permissions of", &wrapper))?;
        Tool::new(crowd).args(load).args([&wrapper]).hint(HINT).run()?;
        self.counted(&into, "serve")
    }

    /// A relay that holds a child which says nothing, until it is stopped.
    fn relay(&self) -> Result<Profile, Failure> {
        let into = self.place("relay")?;
        let state = into.join("state");
        let state = [std::ffi::OsStr::new("--state"), state.as_os_str()];
        let command = self.command(&into, "yes");
        let (valgrind, words) = command.split_first().ok_or_else(|| Failure::new("no command"))?;
        let held = Tool::new(valgrind).args(words).args(["relay", "serve-attach", "--dir", "."]);
        held.args(state).args(["--", "cat"]).hint(HINT).run()?;
        Tool::new(&self.selvedge).args(["relay", "stop", "--dir", "."]).args(state).run()?;
        self.counted(&into, "relay daemon")
    }

    /// It is written when the process ends, which may be a moment after it has said so.
    fn counted(&self, into: &Path, task: &str) -> Result<Profile, Failure> {
        let command = format!("{} {task} ", self.selvedge.display());
        for _ in 0..LOOKS {
            if let Some(profile) = Profile::read(into, &command)? {
                return Ok(profile);
            }
            thread::park_timeout(BETWEEN);
        }
        Err(Failure::new(format!("nothing was counted of `{command}`")))
    }

    fn command(&self, into: &Path, children: &str) -> Vec<String> {
        let words = ["valgrind", "--tool=callgrind", "--quiet", "--demangle=no"].map(str::to_owned);
        let places = [
            format!("--trace-children={children}"),
            format!("--callgrind-out-file={}/counted.%p", into.display()),
            self.selvedge.display().to_string(),
        ];
        words.into_iter().chain(places).collect()
    }

    fn place(&self, name: &str) -> Result<PathBuf, Failure> {
        let place = self.directory.path().join(name);
        fs::create_dir(&place).map_err(Failure::file("make", &place))?;
        Ok(place)
    }
}

/// How often it is looked for what was counted.
const LOOKS: usize = 100;
const BETWEEN: Duration = Duration::from_millis(100);
const HINT: &str = "it needs valgrind, and nm of the binutils";

/// How large each function is.
fn sizes(program: &Path) -> Result<BTreeMap<String, u64>, Failure> {
    let told = Tool::new("nm").args(["-S", "--defined-only"]).args([program]).hint(HINT).output()?;
    let told = String::from_utf8_lossy(&told);
    let line = |line: &str| {
        let mut words = line.split_whitespace().skip(1);
        let (size, kind, name) = (words.next()?, words.next()?, words.next()?);
        let size = u64::from_str_radix(size, 16).ok()?;
        "tTwW".contains(kind).then(|| (name.to_owned(), size))
    };
    Ok(told.lines().filter_map(line).collect())
}

/// The linker's script. Names have no hash in it, so that it stays true from one compiler to the next.
fn script(rooms: &[(&str, BTreeSet<String>)], sizes: &BTreeMap<String, u64>) -> String {
    let mut whole: BTreeMap<&str, u64> = BTreeMap::new();
    for (name, size) in sizes {
        *whole.entry(bare(name)).or_default() += size;
    }
    let mut script = String::from(
        "/* Made by `cargo xtask order`: what a gateway needs often lies side by side. docs/performance.md says why. */\n\
         SECTIONS {\n  .text.often : {\n",
    );
    let mut placed = BTreeSet::new();
    for (room, names) in rooms {
        let mut wanted: BTreeMap<&str, u64> = BTreeMap::new();
        for (name, size) in names.iter().filter_map(|name| sizes.get_key_value(name)) {
            *wanted.entry(bare(name)).or_default() += size;
        }
        let _ = writeln!(script, "    /* {room} */");
        for (name, size) in wanted {
            let all = whole.get(name).copied().unwrap_or_default();
            if all <= AT_MOST * size && placed.insert(name.to_owned()) {
                let hash = if name.starts_with("_ZN") { "17h*" } else { "" };
                let _ = writeln!(script, "    *(.text.{name}{hash})");
            }
        }
    }
    script + "  }\n}\nINSERT BEFORE .text;\n"
}

/// A name up to its hash, which ends every name of Rust.
fn bare(name: &str) -> &str {
    const HASH: usize = 16;
    let hash = name.match_indices("17h").find(|(at, mark)| {
        let after = name.get(at + mark.len()..).unwrap_or_default();
        after.get(HASH..).is_some_and(|end| end.starts_with('E'))
            && after.bytes().take(HASH).all(|byte| byte.is_ascii_hexdigit())
    });
    hash.and_then(|(at, _)| name.get(..at)).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::{bare, script};

    const ONE: &str = "_ZN4here3one17h0123456789abcdefE";
    const FOR_A: &str = "_ZN4here4many17h0123456789abcde1E";
    const FOR_B: &str = "_ZN4here4many17h0123456789abcde2E.llvm.77";

    #[test]
    fn a_name_is_told_without_its_hash() {
        assert_eq!((bare(ONE), bare(FOR_B)), ("_ZN4here3one", "_ZN4here4many"));
        assert_eq!(bare("sqlite3_step"), "sqlite3_step");
        assert_eq!(bare("_ZN4here17hello_everybody_am3one"), "_ZN4here17hello_everybody_am3one");
    }

    #[test]
    fn each_stands_once_and_who_brings_too_many_stays() {
        let sizes = [(ONE, 10), (FOR_A, 10), (FOR_B, 90), ("sqlite3_step", 5)];
        let sizes: BTreeMap<_, _> = sizes.map(|(name, size)| (name.to_owned(), size)).into();
        let room = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>();
        let rooms =
            [("often", room(&[ONE, FOR_A, "of_another_library"])), ("once", room(&[ONE, "sqlite3_step"]))];
        let lines: Vec<_> =
            script(&rooms, &sizes).lines().skip(3).map(str::trim).map(str::to_owned).collect();
        assert_eq!(
            lines,
            [
                "/* often */",
                "*(.text._ZN4here3one17h*)",
                "/* once */",
                "*(.text.sqlite3_step)",
                "}",
                "}",
                "INSERT BEFORE .text;"
            ]
        );
    }
}
