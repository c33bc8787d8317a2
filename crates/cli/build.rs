//! How the program is linked.

use std::{env, process::Command};

/// The first glibc whose loader reads packed relocations.
const PACKED: (u32, u32) = (2, 36);

/// Unpacked, the list of what is to be relocated is read whole at every start, and stays in the memory of each process:
/// 0.7 MiB of a gateway at rest, and of each relay.
fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |what: &str| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    let is_built_here = env::var("HOST").ok() == env::var("TARGET").ok();
    if target("OS") == "linux" && target("ENV") == "gnu" && is_built_here && glibc() >= Some(PACKED) {
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// The version that this machine has, as `glibc 2.36`.
#[expect(clippy::disallowed_methods, reason = "it is waited for, and there is nobody who could own it")]
fn glibc() -> Option<(u32, u32)> {
    let told = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?.stdout;
    let (major, minor) = str::from_utf8(&told).ok()?.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.split('.').next()?.parse().ok()?))
}
