//! What each case found on the version that is judged, for the matrix in docs/versions.md. The format is that of the client's
//! judge (`crates/client/tests/judge/report.rs`).

use std::{env, fs, path::PathBuf};

use crate::{
    differences::{is_for, lacks},
    setup::{in_time, judged},
};

/// Plays a case on the real Codex that is judged, or says why that cannot be.
pub(crate) async fn on_the_judged(case: &str, play: impl Future<Output = ()>) {
    if !is_for(case) {
        return;
    }
    if let Some(why) = lacks(case) {
        return write(case, &format!("no: {why}"));
    }
    write(case, "failed");
    in_time(play).await;
    write(case, "passed");
}

fn write(case: &str, found: &str) {
    let Some(directory) = env::var_os("JUDGE_REPORT") else { return };
    let directory = PathBuf::from(directory).join("runtime").join(judged());
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join(case), format!("{found}\n{}\n", case.replace('_', " "))).unwrap();
}
