//! Spans of requests and turns, sent over OTLP: what the log says of them, for whoever collects traces.

mod client;
mod said;
mod spans;

use std::env;

use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{SpanExporter, WithHttpConfig as _};
use opentelemetry_sdk::{Resource, trace::SdkTracerProvider};
use selvedge_runtime::Error;
use selvedge_session::Code;
use tokio::runtime::Handle;
use tracing::{Subscriber, level_filters::LevelFilter};
use tracing_subscriber::{Layer, filter::filter_fn, registry::LookupSpan};

use client::Client;
use spans::{REQUEST, Spans, TURN};

/// Where a collector is named; the second is for traces alone.
const ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];

/// Spans on their way to a collector.
#[derive(Debug)]
pub struct Exporting {
    provider: SdkTracerProvider,
}

impl Exporting {
    /// To the collector that the environment names, if it names one. Must be called inside a tokio runtime.
    pub fn of_environment() -> Result<Option<Self>, Error> {
        let named = ENDPOINTS.map(|name| env::var(name).ok().filter(|value| !value.is_empty()));
        let Some(endpoint) = named.iter().flatten().next_back() else { return Ok(None) };
        if !endpoint.starts_with("http://") {
            let message = format!("spans cannot be sent to {endpoint:?}: only to an http:// address");
            return Err(Error::coded(Code::InvalidArgument, message)
                .hint("run a collector on this machine, and let it send them on"));
        }
        let exporter = SpanExporter::builder().with_http().with_http_client(Client::new(Handle::current()));
        let exporter = exporter.build().map_err(|error| {
            Error::coded(Code::InvalidArgument, format!("spans cannot be sent: {error}"))
                .hint("look at the OTEL_EXPORTER_OTLP_ variables")
        })?;
        let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(ourselves());
        Ok(Some(Self { provider: provider.build() }))
    }

    /// What has to listen to the log.
    #[must_use]
    pub fn layer<S>(&self) -> impl Layer<S> + Send + Sync + use<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a> + 'static,
    {
        let spans = Spans::new(self.provider.tracer("selvedge"));
        let wanted = filter_fn(|what| [TURN, REQUEST].contains(&what.target()));
        spans.with_filter(wanted.with_max_level_hint(LevelFilter::DEBUG))
    }

    /// Sends what still waits.
    pub async fn end(self) {
        // It blocks until the collector has answered, which needs the threads of this runtime.
        let ended = tokio::task::spawn_blocking(move || self.provider.shutdown()).await;
        if let Ok(Err(error)) = ended {
            tracing::warn!(%error, "the last spans were not sent");
        }
    }
}

fn ourselves() -> Resource {
    let resource = Resource::builder();
    let named = env::var_os("OTEL_SERVICE_NAME").is_some();
    let resource = if named { resource } else { resource.with_service_name("selvedge") };
    resource.build()
}
