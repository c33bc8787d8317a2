//! Two transcripts side by side: the same messages in the same order, and every field of the real one.

#![expect(clippy::panic, reason = "this is a test, though clippy cannot see it")]

use serde_json::Value;

use super::{
    differences::may_differ,
    normal::{Normaliser, Said},
    sides::Side,
};

/// How exactly the order is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// Message by message.
    Exact,
    /// Without usage and limits: when a client cuts a turn, it is a race in Codex whether they are still told, and a
    /// compaction tells them several times.
    Cut,
    /// Each item in its order, and the rest in its order: how items of tools interleave with others is a race in Codex.
    PerItem,
}

/// What one side said, sorted into what has an order of its own.
#[derive(Default)]
struct Transcript {
    /// Notifications and requests, in order.
    told: Vec<Said>,
    /// Statuses: between the others Codex's own order is a race.
    statuses: Vec<Said>,
    /// Answers, by request.
    answers: Vec<Said>,
}

/// Compares what the sides have said since they were last forgotten.
pub(crate) fn compare(case: &str, order: Order, sides: &[Side; 2]) {
    let [real, simulated] = sides.each_ref().map(|side| transcript(side, order));
    let mut found = Vec::new();
    found.extend(differences("told", &real.told, &simulated.told));
    found.extend(differences("statuses", &real.statuses, &simulated.statuses));
    found.extend(differences("answers", &real.answers, &simulated.answers));
    if !found.is_empty() {
        panic!("{case}: {} differences\n{}", found.len(), found.join("\n"));
    }
}

fn transcript(side: &Side, order: Order) -> Transcript {
    let mut normaliser = Normaliser::new(&side.work, side.home());
    let mut transcript = Transcript::default();
    let mut answers: Vec<&Value> = Vec::new();
    for message in &side.client.heard {
        if message.get("method").is_none() {
            answers.push(message);
            continue;
        }
        let said = normaliser.said(message);
        if may_differ(&said.what, "") {
            continue;
        }
        match said.what.as_str() {
            "thread/status/changed" => transcript.statuses.push(said),
            what if is_raced(what) && order == Order::Cut => {}
            _ => transcript.told.push(said),
        }
    }
    // Whether Codex says twice in a row that a thread is not loaded is a race in it: about once in twenty runs it does.
    transcript.statuses.dedup_by_key(|said| said.name());
    if order == Order::PerItem {
        transcript.told.sort_by_key(|said| said.item());
    }
    // Answers may come in another order than the requests; their ids are the client's own.
    answers.sort_by_key(|answer| answer["id"].as_i64());
    transcript.answers =
        answers.into_iter().map(|answer| normaliser.answered(side.client.asked(answer), answer)).collect();
    transcript
}

fn differences(list: &str, real: &[Said], simulated: &[Said]) -> Vec<String> {
    let names = |said: &[Said]| said.iter().map(Said::name).collect::<Vec<_>>();
    if names(real) != names(simulated) {
        return vec![format!("{list}: other messages\n{}", side_by_side(&names(real), &names(simulated)))];
    }
    real.iter().zip(simulated).flat_map(|(real, simulated)| fields(list, real, simulated)).collect()
}

fn fields(list: &str, real: &Said, simulated: &Said) -> Vec<String> {
    let missing = real.fields.iter().filter_map(|(field, value)| {
        let ours = simulated.fields.get(field);
        let same = ours == Some(value) || may_differ(&real.what, field);
        (!same).then(|| format!("{list}: {}: {field}: real {value}, simulated {}", real.what, shown(ours)))
    });
    let invented = simulated.fields.iter().filter_map(|(field, value)| {
        let known = real.fields.contains_key(field) || may_differ(&real.what, field);
        (!known).then(|| format!("{list}: {}: {field}: real nothing, simulated {value}", real.what))
    });
    missing.chain(invented).collect()
}

fn is_raced(message: &str) -> bool {
    matches!(message, "thread/tokenUsage/updated" | "account/rateLimits/updated")
}

impl Said {
    /// The item it is about.
    fn item(&self) -> Option<String> {
        let ids = ["item.id", "itemId", "callId"].iter().find_map(|field| self.fields.get(*field));
        ids.and_then(Value::as_str).map(str::to_owned)
    }

    /// What it is; of a status also which, as that is all there is to it.
    fn name(&self) -> String {
        let kinds = self.fields.iter().filter(|(field, _)| field.starts_with("status."));
        let kinds: Vec<_> = kinds.filter_map(|(_, kind)| kind.as_str()).collect();
        if kinds.is_empty() { self.what.clone() } else { format!("{} {}", self.what, kinds.join(" ")) }
    }
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".to_owned(), Value::to_string)
}

fn side_by_side(real: &[String], simulated: &[String]) -> String {
    let empty = String::new();
    let rows = (0..real.len().max(simulated.len())).map(|at| {
        let (real, simulated) = (real.get(at).unwrap_or(&empty), simulated.get(at).unwrap_or(&empty));
        let mark = if real == simulated { ' ' } else { '!' };
        format!("{mark} {real:50} {simulated}\n")
    });
    rows.collect()
}
