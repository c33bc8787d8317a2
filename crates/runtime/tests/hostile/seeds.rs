//! Which futures are played, a few at a time. `HOSTILE_SEEDS=100` plays more of them, `HOSTILE_SEED=7` only this one.

use std::{env, fs, ops::RangeInclusive, panic, path::PathBuf, process, thread, time::Duration};

use tokio::{task::JoinSet, time::timeout};

use crate::{conversation::Talk, ends, journals::Journals, kept, proxy_log, setup::Setup, stage::Stage};

/// So many futures, if nobody says otherwise.
const USUAL: u64 = 6;
/// So many at once.
const TOGETHER: usize = 2;
/// How often something happens, from seed to seed: now and then, and nearly always.
const PERCENTS: [u8; 4] = [30, 10, 20, 5];
/// A conversation that takes longer hangs.
const LONGEST: Duration = Duration::from_secs(180);

#[tokio::test(flavor = "multi_thread")]
async fn no_turn_is_lost_and_all_that_is_unknown_is_kept() {
    let mut playing = JoinSet::new();
    for seed in seeds() {
        if playing.len() == TOGETHER {
            passed(playing.join_next().await.unwrap());
        }
        playing.spawn(played(seed));
    }
    while let Some(ended) = playing.join_next().await {
        passed(ended);
    }
}

fn seeds() -> RangeInclusive<u64> {
    let number = |name| env::var(name).ok().map(|text| text.parse().expect("a number"));
    match number("HOSTILE_SEED") {
        Some(seed) => seed..=seed,
        None => 1..=number("HOSTILE_SEEDS").unwrap_or(USUAL),
    }
}

fn passed(ended: Result<(), tokio::task::JoinError>) {
    if let Err(error) = ended {
        panic::resume_unwind(error.into_panic());
    }
}

/// Whatever goes wrong, the seed is said, with which everything can be had again, and what the proxies did stays.
struct Told {
    seed: u64,
    kept: PathBuf,
}

impl Told {
    fn of(seed: u64, stage: &Stage) -> Self {
        let log = proxy_log::place(stage);
        fs::write(&log, "").unwrap();
        let kept = env::temp_dir().join(format!("hostile-{}-{seed}.log", process::id()));
        fs::hard_link(log, &kept).unwrap();
        Self { seed, kept }
    }
}

impl Drop for Told {
    fn drop(&mut self) {
        if thread::panicking() {
            let (seed, kept) = (self.seed, self.kept.display());
            eprintln!(
                "it was seed {seed}: repeat it with HOSTILE_SEED={seed}; what the proxies did is in {kept}"
            );
        } else {
            fs::remove_file(&self.kept).unwrap();
        }
    }
}

async fn played(seed: u64) {
    let percent = PERCENTS[usize::try_from(seed).unwrap() % PERCENTS.len()];
    let stage = Setup::real().faults(format!("seed={seed},future={percent}")).open().await;
    let _told = Told::of(seed, &stage);
    timeout(LONGEST, checked(stage)).await.expect("nothing hangs");
}

async fn checked(stage: Stage) {
    let Talk { stage, ended, sessions, killed } = Talk::held(stage).await;
    let did = proxy_log::read(&stage);
    ends::check(&ended, &did);
    let journals = Journals::of(&stage, &sessions).await;
    kept::check(&did, &journals, &killed);
    stage.close().await;
}
