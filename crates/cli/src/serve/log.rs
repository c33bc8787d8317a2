//! Logs go to stderr: text for a person, JSON for whatever collects them. With the feature `otlp`, turns and requests also
//! go to a collector as spans.

use std::io::{IsTerminal as _, stderr};

use tracing::level_filters::LevelFilter;
use tracing_subscriber::{
    Layer, Registry, filter::Targets, fmt, layer::SubscriberExt as _, registry, util::SubscriberInitExt as _,
};

use crate::failure::Failure;

/// Whoever listens.
pub(super) struct Log {
    #[cfg(feature = "otlp")]
    exporting: Option<selvedge_server::Exporting>,
}

impl Log {
    /// From now on. A program has one log, so a second call changes nothing.
    #[cfg(feature = "otlp")]
    pub(super) fn begin() -> Result<Self, Failure> {
        let exporting = selvedge_server::Exporting::of_environment()?;
        let spans = exporting.as_ref().map(|exporting| exporting.layer());
        let _already = registry().with(lines()).with(spans).try_init();
        Ok(Self { exporting })
    }

    /// From now on. A program has one log, so a second call changes nothing.
    #[cfg(not(feature = "otlp"))]
    pub(super) fn begin() -> Result<Self, Failure> {
        const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
        let _already = registry().with(lines()).try_init();
        if std::env::var_os(ENDPOINT).is_some() {
            tracing::warn!("{ENDPOINT} is set, but this program was built without the feature `otlp`");
        }
        Ok(Self {})
    }

    /// What waits is sent.
    pub(super) async fn end(self) {
        #[cfg(feature = "otlp")]
        if let Some(exporting) = self.exporting {
            exporting.end().await;
        }
    }
}

fn lines() -> Box<dyn Layer<Registry> + Send + Sync> {
    let lines = fmt::layer().with_writer(stderr).with_target(false);
    if stderr().is_terminal() {
        lines.with_ansi(false).compact().with_filter(told()).boxed()
    } else {
        let lines = lines.json().flatten_event(true).with_current_span(false).with_span_list(false);
        lines.with_filter(told()).boxed()
    }
}

/// The library that speaks MCP tells of every request that it ends, and takes a caller who has gone for an error.
fn told() -> Targets {
    Targets::new().with_default(LevelFilter::INFO).with_target("rmcp", LevelFilter::OFF)
}
