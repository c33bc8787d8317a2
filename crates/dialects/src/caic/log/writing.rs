//! A log that is written from a session.

use selvedge_session::{Event, InputPart, Lifecycle, Status, What, data};

use super::{Meta, Repo, Trailer};
use crate::caic::wire::Wire;

/// Hears events, gives their lines, and knows header and trailer from them.
#[derive(Debug, Clone, Default)]
pub struct Writer {
    wire: Wire,
    meta: Meta,
    trailer: Trailer,
    milliseconds: u64,
}

impl Writer {
    /// Hears an event, and gives its line.
    pub fn hear(&mut self, event: &Event) -> Option<String> {
        match &event.what {
            What::SessionCreated(it) => self.created(event, it),
            What::MessageAccepted(it) if self.meta.prompt.is_empty() => self.meta.prompt = words(&it.input),
            What::UsageUpdated(it) => self.used(it),
            What::TurnCompleted(it) if event.thread_id.is_none() => {
                self.milliseconds += it.duration_ms;
                *self.trailer.num_turns.get_or_insert(0) += 1;
            }
            What::MessageFinished(it) => self.finished(it),
            What::SessionState(it) => self.trailer.state = state(it.state).to_owned(),
            _ => {}
        }
        self.wire.line(event)
    }

    fn created(&mut self, event: &Event, it: &data::Created) {
        let settings = &it.settings;
        let name = settings.repository.clone().unwrap_or_else(|| settings.cwd.clone());
        let branch = settings.worktree.clone().unwrap_or_default();
        self.meta = Meta {
            r#type: "caic_meta".to_owned(),
            version: 1,
            title: settings.name.clone(),
            repos: vec![Repo { name, base_branch: None, branch }],
            harness: "codex".to_owned(),
            model: settings.model.clone(),
            started_at: event.at.to_string(),
            ..Meta::default()
        };
        self.trailer.state = state(Lifecycle::Starting).to_owned();
    }

    fn used(&mut self, it: &data::UsageUpdated) {
        self.trailer.input_tokens = Some(it.session.input);
        self.trailer.output_tokens = Some(it.session.output);
        self.trailer.cache_read_input_tokens = Some(it.session.cached_input);
        self.trailer.cost_usd = it.cost_usd;
    }

    fn finished(&mut self, it: &data::Finished) {
        self.trailer.error = it.error.as_ref().map(|error| error.message.clone());
        if it.status == Status::Completed && !it.text.is_empty() {
            self.trailer.agent_result = Some(it.text.clone());
        }
    }

    /// The first line, as of what was heard. caic takes no log without a prompt: one of a session that nobody has talked to
    /// says that.
    #[must_use]
    pub fn header(&self) -> Meta {
        let mut meta = self.meta.clone();
        if meta.prompt.is_empty() {
            meta.prompt = "(nothing was said yet)".to_owned();
        }
        meta
    }

    /// The last line, as of what was heard.
    #[must_use]
    pub fn trailer(&self) -> Trailer {
        #[expect(clippy::cast_precision_loss, reason = "caic counts seconds in a float")]
        let duration = self.milliseconds as f64 / 1000.0;
        let title = self.meta.title.clone();
        Trailer { r#type: "caic_result".to_owned(), title, duration: Some(duration), ..self.trailer.clone() }
    }
}

fn words(input: &[InputPart]) -> String {
    let words = input.iter().filter_map(|part| match part {
        InputPart::Text { text } => Some(text.as_str()),
        InputPart::Image { .. } => None,
    });
    words.collect::<Vec<_>>().join("\n")
}

fn state(state: Lifecycle) -> &'static str {
    match state {
        Lifecycle::Starting => "starting",
        Lifecycle::Idle => "waiting",
        Lifecycle::Running | Lifecycle::Recovering => "running",
        Lifecycle::Waiting => "asking",
        Lifecycle::Stopped => "stopped",
        Lifecycle::Failed => "failed",
    }
}
