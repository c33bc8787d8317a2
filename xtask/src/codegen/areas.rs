//! Which generated file a type goes to: the first area that reaches it.

use std::collections::BTreeSet;

use super::{
    methods::{Entry, Methods},
    model::{Model, Shape, reachable},
};

/// A generated file and the types it is started from.
pub(crate) struct Area {
    pub(crate) file: &'static str,
    pub(crate) doc: &'static str,
    roots: Vec<String>,
}

/// The files of what we see, common things first.
pub(crate) fn seen(methods: &Methods) -> Vec<Area> {
    let told = |area| names(&methods.notifications, area, |it| &it.params);
    let answered = |area| names(&methods.calls, area, |it| &it.reply);
    let asked = methods.asks.iter().filter_map(|it| it.params.clone()).collect();
    let both = |area| [told(area), answered(area)].concat();
    vec![
        Area { file: "items", doc: "Items: what a turn is made of.", roots: vec!["ThreadItem".to_owned()] },
        Area { file: "asked", doc: "What Codex asks: the parameters of its requests.", roots: asked },
        Area {
            file: "told",
            doc: "What Codex tells about threads, turns and items.",
            roots: told("threads"),
        },
        Area {
            file: "threads",
            doc: "Results of calls about threads and turns.",
            roots: answered("threads"),
        },
        Area { file: "account", doc: "The account, its limits and its use.", roots: both("account") },
        Area { file: "config", doc: "Configuration.", roots: both("config") },
        Area { file: "rest", doc: "Everything else that Codex tells or answers.", roots: both("rest") },
    ]
}

/// The files of what we say, common things first.
pub(crate) fn said(methods: &Methods) -> Vec<Area> {
    let given = |area| names(&methods.calls, area, |it| &it.params);
    let answers = methods.asks.iter().filter_map(|it| it.reply.clone()).collect();
    vec![
        Area {
            file: "threads",
            doc: "Parameters of calls about threads and turns.",
            roots: given("threads"),
        },
        Area { file: "answers", doc: "Answers to what Codex asks.", roots: answers },
        Area { file: "account", doc: "Parameters of calls about the account.", roots: given("account") },
        Area { file: "config", doc: "Parameters of calls about configuration.", roots: given("config") },
        Area { file: "rest", doc: "Parameters of all other calls.", roots: given("rest") },
    ]
}

/// The names of each area's types, every type once.
pub(crate) fn place(model: &Model, areas: &[Area]) -> Vec<Vec<String>> {
    let mut placed = BTreeSet::new();
    let mut place_one = |area: &Area| {
        let mut names = reachable(model, &area.roots);
        names.retain(|name| !is_alias(model, name) && placed.insert(name.clone()));
        names
    };
    areas.iter().map(&mut place_one).collect()
}

fn is_alias(model: &Model, name: &str) -> bool {
    matches!(model.get(name).map(|it| &it.shape), Some(Shape::Alias(_)) | None)
}

fn names(entries: &[Entry], area: &str, pick: fn(&Entry) -> &Option<String>) -> Vec<String> {
    entries.iter().filter(|it| area_of(&it.method) == area).filter_map(|it| pick(it).clone()).collect()
}

fn area_of(method: &str) -> &'static str {
    let head = method.split('/').next().unwrap_or_default();
    match head {
        "thread" | "turn" | "item" | "review" | "error" => "threads",
        "account" => "account",
        head if head.starts_with("config") => "config",
        _ => "rest",
    }
}
