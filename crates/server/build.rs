//! Makes a table of the page's files, for `src/page.rs`. It runs nothing: without a built page the table is empty.

use std::{
    env,
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let built = place("CARGO_MANIFEST_DIR")?.join("../../ui/dist");
    let mut files = Vec::new();
    if watch(&built) && built.join("index.html").is_file() {
        collect(&built, &mut files)?;
        files.sort();
    }
    fs::write(place("OUT_DIR")?.join("page_files.rs"), table(&built, &files)?)
}

fn place(variable: &str) -> io::Result<PathBuf> {
    env::var_os(variable).map(PathBuf::from).ok_or_else(|| io::Error::other(format!("cargo sets {variable}")))
}

/// Cargo runs this again when the page was built. A directory that is not there would count as changed at every build,
/// so an empty one is made; if that cannot be, nobody will build a page here either.
fn watch(built: &Path) -> bool {
    let there = built.is_dir() || fs::create_dir(built).is_ok();
    if there {
        println!("cargo::rerun-if-changed={}", built.display());
    }
    there
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_none_or(|ending| ending != "gz") {
            files.push(path);
        }
    }
    Ok(())
}

/// Rust for a slice of `File`, in the order of their paths: `X.gz` beside `X` is the same, compressed.
fn table(built: &Path, files: &[PathBuf]) -> io::Result<String> {
    let mut table = String::from("&[\n");
    for file in files {
        let gzip = PathBuf::from(format!("{}.gz", text(file)?));
        let gzip = if gzip.is_file() { format!("Some({})", bytes(&gzip)?) } else { "None".to_owned() };
        let path = text(file.strip_prefix(built).map_err(io::Error::other)?)?.replace('\\', "/");
        let plain = bytes(file)?;
        let _ = writeln!(table, "    File {{ path: {path:?}, plain: {plain}, gzip: {gzip} }},");
    }
    table.push(']');
    Ok(table)
}

fn bytes(file: &Path) -> io::Result<String> {
    Ok(format!("include_bytes!({:?})", text(file)?))
}

fn text(path: &Path) -> io::Result<&str> {
    path.to_str().ok_or_else(|| io::Error::other(format!("{} is not UTF-8", path.display())))
}
