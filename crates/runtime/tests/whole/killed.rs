//! `kill -9` of a program behind relays, at random points of running turns, again and again: whoever comes next goes on, and
//! nobody who reads notices anything.

mod checks;
mod dice;
mod driver;
mod evidence;
mod output;
mod point;
mod scenario;
mod seen;
mod told;

use std::{env, time::Duration};

use tokio::time::timeout;

use crate::setup::{Setup, judged};
use dice::Dice;
use driver::Driver;
use evidence::Evidence;

/// How often the program is killed.
const KILLS: usize = 100;
const PATIENCE: Duration = Duration::from_secs(300);

#[tokio::test(flavor = "multi_thread")]
async fn at_a_hundred_points_on_the_stand_in() {
    play(Setup::rehearsal()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn at_a_hundred_points_on_the_real_codex() {
    // Older ones keep no ids of ours in what they store; what becomes of their turns is told by `relays.rs`. Whoever judges
    // versions has seen it with the other tests.
    if judged() == "0.166.0" && env::var_os("JUDGE_REPORT").is_none() {
        play(Setup::real()).await;
    }
}

async fn play(setup: Setup) {
    let seed = env::var("SELVEDGE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or_else(Dice::fresh);
    let evidence = Evidence::of(seed);
    let is_real = setup.real;
    let scene = setup.rules(scenario::RULES).behind_relays().furnish().await;
    let mut driver = Driver::new(scene, seed, is_real);
    let played = async {
        for _ in 0..KILLS {
            driver.live_and_be_killed().await;
        }
        driver.bring_to_an_end().await
    };
    let ended = timeout(PATIENCE, played).await.expect("everything comes to its end");
    evidence.keep(&ended);
    checks::all(&ended);
}
