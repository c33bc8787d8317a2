//! Whether a gateway is there for the commands, and whether it answers them.

use selvedge_runtime::{Config, Filter};

use super::finding::Finding;
use crate::{
    gateway::{Gateway, Target},
    place::Reach,
};

const GATEWAY: &str = "gateway";

pub(super) async fn look(config: &Config, reach: &Reach) -> Finding {
    let target = reach.target(config).and_then(|target| {
        target.as_ref().map_or(Ok(()), Target::is_of_our_version)?;
        Ok(target)
    });
    match target {
        Ok(Some(target)) => ask(target).await,
        Ok(None) => {
            let directory = config.data_dir.display();
            Finding::note(GATEWAY, format!("commands work by themselves on {directory}"))
        }
        Err(failure) => {
            let (what, hint) = failure.parts();
            Finding::problem(GATEWAY, what).hint_if(hint.map(str::to_owned))
        }
    }
}

async fn ask(target: Target) -> Finding {
    let where_it_is = match &target.found {
        Some(found) => format!("commands use {} (process {})", target.address, found.pid),
        None => format!("commands use {}", target.address),
    };
    let asked = async {
        let one = Filter { limit: Some(1), ..Filter::default() };
        Gateway::new(target)?.sessions(&one).await
    };
    match asked.await {
        Ok(_) => Finding::good(GATEWAY, where_it_is),
        Err(error) => Finding::problem(GATEWAY, error.message).hint_if(error.hint),
    }
}
