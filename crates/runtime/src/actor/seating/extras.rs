//! What a thread needs beside its session's settings, and what Codex has to be asked before it can be said.

use std::sync::Arc;

use selvedge_client::Abilities;
use selvedge_session::Settings;
use serde_json::{Value, json};

use super::Errand;
use crate::{
    asking,
    fleet::Seat,
    secrets::SessionSecrets,
    to_codex::{Features, ThreadExtras, switches},
};

/// More features than any version has.
const ALL: u32 = 1000;

/// What does not answer is done without: the thread is worth more than its switches.
pub(super) async fn found_out(
    errand: &Errand,
    settings: &Settings,
    secrets: &SessionSecrets,
    (seat, can): (&Seat, &Arc<Abilities>),
) -> ThreadExtras {
    let names_features = can.has(FEATURES);
    let features =
        if names_features && switches(&settings.config) { features(seat).await } else { Features::default() };
    let skills =
        if settings.bare && can.has(SKILLS) { skills(seat, &settings.cwd).await } else { Vec::new() };
    ThreadExtras {
        mcp_servers: secrets.mcp_servers.clone(),
        can: Arc::clone(can),
        features,
        // 0.98 lists them and has no switch for one; the list of features came after it.
        skills_stay: !names_features && !skills.is_empty(),
        skills_off: skills,
        own_directory: errand.house.has_workplace(errand.id, &settings.cwd),
    }
}

const FEATURES: &str = "experimentalFeature/list";
const SKILLS: &str = "skills/list";

async fn features(seat: &Seat) -> Features {
    let reply = asking::ask_one(&seat.generation, FEATURES, &json!({"limit": ALL})).await;
    reply.map(|reply| Features::of_reply(reply.result().get())).unwrap_or_default()
}

/// The files of all skills that Codex would find here.
async fn skills(seat: &Seat, cwd: &str) -> Vec<String> {
    let Ok(reply) = asking::ask_one(&seat.generation, SKILLS, &json!({"cwds": [cwd]})).await else {
        return Vec::new();
    };
    let listed: Value = serde_json::from_str(reply.result().get()).unwrap_or_default();
    let places = listed["data"].as_array().into_iter().flatten();
    let skills = places.flat_map(|place| place["skills"].as_array().into_iter().flatten());
    skills.filter_map(|skill| Some(skill["path"].as_str()?.to_owned())).collect()
}
