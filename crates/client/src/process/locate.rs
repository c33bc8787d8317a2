//! Finds Codex's native binary, also behind the Node launcher that npm puts on the PATH.

use std::{
    env,
    fs::{self, File},
    io::Read,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use crate::error::Hint;

/// Why there is no Codex to start.
#[derive(Debug, thiserror::Error)]
pub enum LocateError {
    /// Nothing of that name is on the PATH.
    #[error("`codex` was not found on the PATH")]
    NotOnPath,
    /// The path that was given leads nowhere.
    #[error("there is no Codex at {}", .0.display())]
    NotThere(PathBuf),
    /// It is there, but may not be executed.
    #[error("{} cannot be executed", .0.display())]
    NotExecutable(PathBuf),
    /// It is npm's launcher, and the binary it would start is missing.
    #[error("{} is npm's launcher for Codex, but the native binary it starts is missing", .0.display())]
    LauncherWithoutBinary(PathBuf),
}

impl Hint for LocateError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NotOnPath => {
                "install it with `npm install -g @openai/codex`, or name it with --codex PATH".into()
            }
            Self::NotThere(_) => "give the path of the `codex` program, or of its npm launcher".into(),
            Self::NotExecutable(path) => format!("make it executable: chmod +x {}", path.display()),
            Self::LauncherWithoutBinary(_) => {
                "install it again with its optional packages: npm install -g @openai/codex --include=optional"
                    .into()
            }
        })
    }
}

/// The native binary of the Codex that was named, or of the first one on the PATH.
pub fn find_codex(named: Option<&Path>) -> Result<PathBuf, LocateError> {
    match named {
        // A bare name is looked up as a shell would.
        Some(name) if name.components().count() == 1 && !name.exists() => {
            native_binary(&on_path(name).ok_or_else(|| LocateError::NotThere(name.to_owned()))?)
        }
        Some(path) => native_binary(path),
        None => native_binary(&on_path(Path::new("codex")).ok_or(LocateError::NotOnPath)?),
    }
}

/// The native binary that `program` is or starts. Killing only the launcher would leave the binary behind.
pub fn native_binary(program: &Path) -> Result<PathBuf, LocateError> {
    let missing = || LocateError::NotThere(program.to_owned());
    let program = fs::canonicalize(program).map_err(|_| missing())?;
    let metadata = fs::metadata(&program).map_err(|_| missing())?;
    if !metadata.is_file() {
        return Err(missing());
    }
    if is_node_script(&program) {
        return behind_launcher(&program).ok_or(LocateError::LauncherWithoutBinary(program));
    }
    if metadata.permissions().mode() & 0o111 == 0 {
        return Err(LocateError::NotExecutable(program));
    }
    Ok(program)
}

fn on_path(name: &Path) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|directory| directory.join(name)).find(|candidate| candidate.is_file())
}

fn is_node_script(program: &Path) -> bool {
    let mut head = [0; 64];
    let read = File::open(program).and_then(|mut file| file.read(&mut head)).unwrap_or(0);
    let first_line = head[..read].split(|byte| *byte == b'\n').next().unwrap_or_default();
    first_line.starts_with(b"#!") && first_line.windows(4).any(|window| window == b"node")
}

/// The launcher is `@openai/codex/bin/codex.js`. The binary lies in the platform's package beside or below it, or,
/// in old versions, in the package itself; in `bin/` or, in older versions, in `codex/`.
fn behind_launcher(launcher: &Path) -> Option<PathBuf> {
    let package = launcher.parent()?.parent()?;
    let (platform, triple) = platform()?;
    let scopes = [package.parent()?.to_owned(), package.join("node_modules/@openai")];
    let vendors = scopes
        .iter()
        .map(|scope| scope.join(format!("codex-{platform}/vendor")))
        .chain([package.join("vendor")]);
    vendors
        .flat_map(|vendor| ["bin", "codex"].map(|folder| vendor.join(triple).join(folder).join("codex")))
        .find(|candidate| candidate.is_file())
}

/// npm's and Rust's names for this platform.
fn platform() -> Option<(&'static str, &'static str)> {
    match (env::consts::OS, env::consts::ARCH) {
        ("linux", "x86_64") => Some(("linux-x64", "x86_64-unknown-linux-musl")),
        ("linux", "aarch64") => Some(("linux-arm64", "aarch64-unknown-linux-musl")),
        ("macos", "x86_64") => Some(("darwin-x64", "x86_64-apple-darwin")),
        ("macos", "aarch64") => Some(("darwin-arm64", "aarch64-apple-darwin")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(path: &Path, text: &str, mode: u32) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn the_binary_is_found_behind_the_launcher_in_every_layout() {
        let (platform, triple) = platform().unwrap();
        let layouts = [
            format!("@openai/codex-{platform}/vendor/{triple}/bin/codex"),
            format!("@openai/codex-{platform}/vendor/{triple}/codex/codex"),
            format!("@openai/codex/node_modules/@openai/codex-{platform}/vendor/{triple}/bin/codex"),
            format!("@openai/codex/vendor/{triple}/codex/codex"),
        ];
        for layout in layouts {
            let directory = tempfile::tempdir().unwrap();
            let modules = directory.path().canonicalize().unwrap();
            let launcher = modules.join("@openai/codex/bin/codex.js");
            put(&launcher, "#!/usr/bin/env node\n", 0o755);
            let linked = modules.join("codex");
            std::os::unix::fs::symlink(&launcher, &linked).unwrap();
            assert!(matches!(native_binary(&linked), Err(LocateError::LauncherWithoutBinary(_))));
            put(&modules.join(&layout), "binary", 0o755);
            assert_eq!(native_binary(&linked).unwrap(), modules.join(&layout));
        }
    }

    #[test]
    fn what_is_missing_is_said_with_what_to_do() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("codex");
        let error = find_codex(Some(&file)).unwrap_err();
        assert!(error.to_string().starts_with("there is no Codex at"), "{error}");
        put(&file, "binary", 0o644);
        let error = find_codex(Some(&file)).unwrap_err();
        assert!(error.to_string().ends_with("cannot be executed"), "{error}");
        assert!(error.hint().unwrap().starts_with("make it executable: chmod +x"));
    }
}
