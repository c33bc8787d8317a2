//! `selvedge doctor`: what is installed, whether it works, what is written on this machine, and what to do.

mod codex;
mod data;
mod finding;
mod gateway;
mod leftovers;
mod relays;
mod sandbox;
mod writes;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::Args;
use selvedge_runtime::Config;
use serde_json::json;

use crate::{
    common::Common,
    exit,
    failure::Failure,
    local,
    place::Reach,
    show::style::{Look, Style},
};
use finding::{Finding, State};

/// Options of `doctor`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// JSON for scripts
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reach: Reach,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, Failure> {
    let config = options.reach.common.config()?;
    let here = Common::directory(&config)?;
    let findings = local::block_on(async { Ok(look(&config, &options.reach, &here).await) })?;
    if options.json {
        let ok = findings.iter().all(|finding| finding.state != State::Problem);
        println!("{}", json!({"ok": ok, "findings": findings}));
    } else {
        print(&findings)?;
    }
    Ok(ExitCode::from(code(&findings)))
}

async fn look(config: &Config, reach: &Reach, here: &std::path::Path) -> Vec<Finding> {
    let mut findings = vec![Finding::good("selvedge", env!("CARGO_PKG_VERSION"))];
    findings.extend(codex::look(config).await);
    findings.extend(sandbox::look(config).await);
    findings.extend(data::look(config).await);
    findings.push(gateway::look(config, reach).await);
    findings.extend(relays::look(config).await);
    findings.push(leftovers::look().await);
    findings.extend(writes::look(config, here));
    findings
}

fn code(findings: &[Finding]) -> u8 {
    let problem = |name: &str| findings.iter().any(|it| it.name == name && it.state == State::Problem);
    if problem(codex::CODEX) || problem(codex::LOGIN) {
        return exit::NO_CODEX;
    }
    let other = findings.iter().any(|finding| finding.state == State::Problem);
    if other { exit::FAILED } else { exit::DONE }
}

fn print(findings: &[Finding]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let style = if io::IsTerminal::is_terminal(&io::stdout()) { Style::of_terminal() } else { Style::PLAIN };
    for finding in findings {
        let (mark, look) = match finding.state {
            State::Good => ("✓", Look::Good),
            State::Note => ("·", Look::Dim),
            State::Careful => ("!", Look::Careful),
            State::Problem => ("✗", Look::Bad),
        };
        writeln!(out, "{} {:<10} {}", style.paint(look, mark), finding.name, finding.detail)?;
        if let Some(hint) = &finding.hint {
            writeln!(out, "  {:<10} {}", "", style.paint(Look::Bold, &format!("hint: {hint}")))?;
        }
    }
    out.flush()
}
