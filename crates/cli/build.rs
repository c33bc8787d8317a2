//! How the program is linked.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The first glibc whose loader reads packed relocations.
const PACKED: (u32, u32) = (2, 36);

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |what: &str| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    let is_built_here = env::var("HOST").ok() == env::var("TARGET").ok();
    if target("OS") == "linux" && target("ENV") == "gnu" && is_built_here && glibc() >= Some(PACKED) {
        // Unpacked, the list of what is to be relocated is read whole at every start, and stays in the memory of each
        // process: 0.7 MiB of a gateway at rest, and of each relay.
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    if target("OS") == "linux" && env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        lay_out();
    }
}

/// What is needed often lies side by side, where the linker can be told so: 2.5 MiB less of a gateway at rest.
fn lay_out() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("order.ld");
    println!("cargo:rerun-if-changed={}", script.display());
    let told = format!("-Wl,-T,{}", script.display());
    if can_link(&told) == Some(true) {
        println!("cargo:rustc-link-arg-bins={told}");
    }
}

/// Whether a program that does nothing can be linked in this way, by whichever linker and with whichever flags ours is.
#[expect(clippy::disallowed_methods, reason = "it is waited for, and there is nobody who could own it")]
fn can_link(argument: &str) -> Option<bool> {
    let place = PathBuf::from(env::var_os("OUT_DIR")?);
    let source = place.join("nothing.rs");
    std::fs::write(&source, "fn main() {}\n").ok()?;
    let mut command = Command::new(env::var_os("RUSTC")?);
    command.arg(source).arg("-o").arg(place.join("nothing")).arg("--target").arg(env::var_os("TARGET")?);
    command.args(["-C", &format!("link-arg={argument}")]);
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        let mut flag = OsString::from("linker=");
        flag.push(linker);
        command.arg("-C").arg(flag);
    }
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    command.args(flags.split('\u{1f}').filter(|flag| !flag.is_empty()));
    let ended = command.stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
    Some(ended.success())
}

/// The version that this machine has, as `glibc 2.36`.
#[expect(clippy::disallowed_methods, reason = "it is waited for, and there is nobody who could own it")]
fn glibc() -> Option<(u32, u32)> {
    let told = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?.stdout;
    let (major, minor) = str::from_utf8(&told).ok()?.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.split('.').next()?.parse().ok()?))
}
