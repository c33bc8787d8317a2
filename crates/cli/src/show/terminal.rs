//! For a person: text as it comes, deeds as compact lines, and below everything how far it is.

use std::{
    collections::HashMap,
    io::{self, Write},
    time::Duration,
};

use selvedge_session::{
    Event, Item, What,
    data::{ApprovalResolved, Decision, Delta, DeltaKind, ItemData, PlanUpdated, UsageUpdated},
};
use serde_json::Value;

use super::{
    amounts,
    approval::question,
    clean::clean,
    deed::{Deed, State},
    plain::{mark, warning},
    screen::Screen,
    style::{Look, Style},
};

/// Lines of a failed command's output that are shown.
const TAIL: usize = 8;

pub(crate) struct Terminal<W> {
    pub(crate) screen: Screen<W>,
    /// What the text that stands open is a piece of.
    speaking: Option<(Key, bool)>,
    /// Items of which text has been shown.
    shown: Vec<Key>,
    /// What runs now.
    running: Vec<(Key, String)>,
    /// Files that are being changed: what is asked about them names them by their item.
    changing: HashMap<String, Value>,
    tokens: u64,
    cost: Option<f64>,
}

type Key = (Option<String>, String);

impl<W: Write> Terminal<W> {
    pub(crate) fn new(screen: Screen<W>) -> Self {
        Self {
            screen,
            speaking: None,
            shown: Vec::new(),
            running: Vec::new(),
            changing: HashMap::new(),
            tokens: 0,
            cost: None,
        }
    }

    pub(crate) fn event(&mut self, event: &Event) -> io::Result<()> {
        let key = (event.thread_id.clone(), event.item_id.clone().unwrap_or_default());
        match &event.what {
            What::ItemStarted(it) => self.started(key, it),
            What::ItemDelta(it) => self.delta(key, it),
            What::ItemCompleted(it) => self.completed(&key, it),
            What::PlanUpdated(it) => self.plan(it),
            What::ApprovalRequested(it) => {
                let request: Value = serde_json::from_str(it.request.text()).unwrap_or_default();
                let item = event.item_id.as_ref().and_then(|id| self.changing.get(id));
                let lines = question(it.kind, &request, item);
                self.question(&lines)
            }
            What::ApprovalResolved(it) => self.resolved(it),
            What::SessionWarning(it) => self.careful(&warning(&it.message, it.hint.as_deref())),
            What::CodexExited(it) => self.careful(&format!("codex ended: {}", clean(&it.reason))),
            What::CodexRestarted(it) => {
                self.careful(&format!("codex was started again (attempt {})", it.attempt))
            }
            What::UsageUpdated(it) => {
                self.used(it);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Draws how far it is.
    pub(crate) fn progress(&mut self, elapsed: Duration) -> io::Result<()> {
        let mut parts = vec![amounts::elapsed(elapsed)];
        if self.tokens > 0 {
            parts.push(format!("{} tokens", amounts::count(self.tokens)));
        }
        parts.extend(self.cost.map(amounts::money));
        parts.push(self.running.last().map_or("working", |(_, what)| what).to_owned());
        self.screen.progress(&parts.join(" · "))
    }

    /// The message has ended: nothing stands open.
    pub(crate) fn ended(&mut self) -> io::Result<()> {
        self.speaking = None;
        self.screen.end_line()
    }

    fn started(&mut self, key: Key, it: &ItemData) -> io::Result<()> {
        let Some(deed) = Deed::read(&it.item, None) else { return Ok(()) };
        let value: Value = serde_json::from_str(it.item.text()).unwrap_or_default();
        if value["type"] == "fileChange" {
            self.changing.insert(key.1.clone(), value);
        }
        self.silence()?;
        self.running.push((key, deed.what));
        Ok(())
    }

    fn delta(&mut self, key: Key, it: &Delta) -> io::Result<()> {
        let thinking = match it.kind {
            DeltaKind::Text => false,
            DeltaKind::Reasoning | DeltaKind::ReasoningSummary => true,
            DeltaKind::Output | DeltaKind::Patch | DeltaKind::Plan => return Ok(()),
        };
        // What sub-agents say comes all at once: several may speak at a time.
        if key.0.is_some() {
            return Ok(());
        }
        let now = Some((key, thinking));
        if self.speaking != now {
            self.silence()?;
            self.shown.extend(now.as_ref().map(|(key, _)| key.clone()));
            self.speaking = now;
        }
        self.screen.text(thinking.then_some(Look::Dim), &clean(&it.delta))
    }

    fn completed(&mut self, key: &Key, it: &ItemData) -> io::Result<()> {
        self.running.retain(|(running, _)| running != key);
        self.changing.remove(&key.1);
        let item = Item::read(&it.item);
        let was_shown = self.shown.iter().any(|shown| shown == key);
        self.shown.retain(|shown| shown != key);
        if item.is_message() {
            self.said(key, was_shown, item.text.as_deref().unwrap_or_default())?;
            return self.silence();
        }
        let Some(deed) = Deed::read(&it.item, it.closed.as_deref()) else { return self.silence() };
        self.silence()?;
        let line = deed.line(self.screen.style(), self.screen.width());
        self.screen.line(&line)?;
        if deed.state == State::Failed { self.tail(&deed.output) } else { Ok(()) }
    }

    fn said(&mut self, key: &Key, was_shown: bool, text: &str) -> io::Result<()> {
        if key.0.is_some() {
            self.silence()?;
            let line = self.style().paint(Look::Dim, &format!("[agent] {}", clean(text))).into_owned();
            return self.screen.line(&line);
        }
        if was_shown { Ok(()) } else { self.screen.text(None, &clean(text)) }
    }

    /// The end of what a failed command wrote.
    fn tail(&mut self, output: &str) -> io::Result<()> {
        let lines: Vec<_> = output.lines().collect();
        for line in &lines[lines.len().saturating_sub(TAIL)..] {
            let line = self.style().paint(Look::Dim, &format!("  {line}")).into_owned();
            self.screen.line(&line)?;
        }
        Ok(())
    }

    fn plan(&mut self, it: &PlanUpdated) -> io::Result<()> {
        self.silence()?;
        for step in &it.steps {
            self.screen.line(&format!("  {} {}", mark(&step.status), clean(&step.step)))?;
        }
        Ok(())
    }

    fn question(&mut self, lines: &[String]) -> io::Result<()> {
        self.silence()?;
        for (place, line) in lines.iter().enumerate() {
            let look = if place == 0 { Look::Bold } else { change_look(line) };
            let line = self.style().paint(look, line).into_owned();
            self.screen.line(&line)?;
        }
        Ok(())
    }

    fn resolved(&mut self, it: &ApprovalResolved) -> io::Result<()> {
        let (word, look) = match it.decision {
            Decision::Accept => ("accepted", Look::Good),
            Decision::AcceptForSession => ("accepted for the session", Look::Good),
            Decision::Decline => ("declined", Look::Careful),
            Decision::Cancel => ("cancelled", Look::Careful),
            Decision::Expired => ("nobody can answer any more", Look::Careful),
        };
        let line = format!("  {} by {}", self.style().paint(look, word), clean(&it.by));
        self.screen.line(&line)
    }

    fn careful(&mut self, text: &str) -> io::Result<()> {
        self.silence()?;
        let text = self.style().paint(Look::Careful, text).into_owned();
        self.screen.line(&text)
    }

    fn used(&mut self, it: &UsageUpdated) {
        self.tokens = it.turn.total;
        self.cost = it.cost_usd;
    }

    fn silence(&mut self) -> io::Result<()> {
        self.speaking = None;
        self.screen.end_line()
    }

    fn style(&self) -> Style {
        self.screen.style()
    }
}

/// Lines of a diff in their colours.
fn change_look(line: &str) -> Look {
    match line.strip_prefix("    ").and_then(|line| line.chars().next()) {
        Some('+') => Look::Good,
        Some('-') => Look::Bad,
        _ => Look::Careful,
    }
}
