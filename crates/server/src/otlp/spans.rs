//! A span for each turn that ended and for each request that was answered, made from the log's entry about it.

use std::time::{Duration, SystemTime};

use opentelemetry::{
    Context, KeyValue,
    trace::{
        Span as _, SpanBuilder, SpanContext, SpanId, SpanKind, Status, TraceContextExt as _, TraceFlags,
        TraceId, TraceState,
    },
};
use opentelemetry_sdk::trace::SdkTracer;
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{self, Layer};

use super::said::Said;

/// What the runtime says of a turn that ended.
pub(super) const TURN: &str = "selvedge::turn";
/// What the guard says of a request that was answered.
pub(super) const REQUEST: &str = "selvedge::request";

/// Listens to the log.
pub(super) struct Spans {
    tracer: SdkTracer,
}

/// Something that ended just now, and took so long.
struct Ended {
    builder: SpanBuilder,
    took: Duration,
    /// Why, if it did not end well.
    failed: Option<String>,
    parent: Context,
}

impl<S: Subscriber> Layer<S> for Spans {
    fn on_event(&self, event: &Event<'_>, _: layer::Context<'_, S>) {
        let mut said = Said::default();
        event.record(&mut said);
        if event.metadata().target() == TURN { self.turn(&said) } else { self.request(&said) }
    }
}

impl Spans {
    pub(super) fn new(tracer: SdkTracer) -> Self {
        Self { tracer }
    }

    fn turn(&self, said: &Said) {
        let names = [
            ("session_id", "selvedge.session_id"),
            ("turn_id", "selvedge.turn_id"),
            ("status", "selvedge.status"),
            ("messages", "selvedge.messages"),
            ("code", "error.type"),
        ];
        let failed = said.text("status").filter(|status| status != "completed");
        let took = Duration::from_millis(said.number("duration_ms").unwrap_or_default());
        let builder = SpanBuilder::from_name("turn").with_attributes(named(said, &names));
        self.send(Ended { builder, took, failed, parent: Context::new() });
    }

    fn request(&self, said: &Said) {
        let names = [
            ("method", "http.request.method"),
            ("route", "http.route"),
            ("status", "http.response.status_code"),
        ];
        let text = |name| said.text(name).unwrap_or_default();
        let failed = said.number("status").filter(|status| *status >= 500).map(|status| status.to_string());
        let took = Duration::from_micros(said.number("duration_us").unwrap_or_default());
        let builder = SpanBuilder::from_name(format!("{} {}", text("method"), text("route")));
        let builder = builder.with_kind(SpanKind::Server).with_attributes(named(said, &names));
        self.send(Ended { builder, took, failed, parent: parent(&text("traceparent")) });
    }

    fn send(&self, ended: Ended) {
        let Ended { builder, took, failed, parent } = ended;
        let now = SystemTime::now();
        let begun = now.checked_sub(took).unwrap_or(now);
        let mut span = builder.with_start_time(begun).start_with_context(&self.tracer, &parent);
        if let Some(why) = failed {
            span.set_status(Status::error(why));
        }
        span.end_with_timestamp(now);
    }
}

fn named(said: &Said, names: &[(&str, &'static str)]) -> Vec<KeyValue> {
    let pair = |(ours, theirs): &(&str, &'static str)| Some(KeyValue::new(*theirs, said.get(ours)?.clone()));
    names.iter().filter_map(pair).collect()
}

/// Whose request it was a part of, as `traceparent` says; what says nothing begins a trace of its own.
fn parent(header: &str) -> Context {
    let parts: Vec<&str> = header.split('-').collect();
    let ["00", trace, span, flags] = parts[..] else { return Context::new() };
    let ids = TraceId::from_hex(trace).ok().zip(SpanId::from_hex(span).ok());
    let ids = ids.filter(|_| trace.len() == 32 && span.len() == 16);
    let Some(((trace, span), flags)) = ids.zip(u8::from_str_radix(flags, 16).ok()) else {
        return Context::new();
    };
    let parent = SpanContext::new(trace, span, TraceFlags::new(flags), true, TraceState::default());
    if parent.is_valid() { Context::new().with_remote_span_context(parent) } else { Context::new() }
}
