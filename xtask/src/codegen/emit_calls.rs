//! Writes the messages by method, and the calls that tie method, parameters and result together.

use super::{
    methods::{Entry, Methods, id_paths},
    model::Model,
    output::doc_lines,
};

/// `Notification` and `ServerRequest`.
pub(crate) fn messages(model: &Model, methods: &Methods) -> String {
    let told = enumeration(model, "Notification", "What Codex tells, by method.", &methods.notifications);
    let asked = enumeration(model, "ServerRequest", "What Codex asks, by method.", &methods.asks);
    format!("{told}{asked}")
}

fn enumeration(model: &Model, name: &str, doc: &str, entries: &[Entry]) -> String {
    let row = |entry: &Entry| {
        let doc = doc_lines("        ", entry.doc.as_deref());
        let params = entry.params.as_deref().map_or("Object<'a>".to_owned(), |it| format!("{it}<'a>"));
        let [thread, turn, item] = id_paths(model, entry);
        format!(
            "{doc}        {}({params}) = {:?} ({thread:?}, {turn:?}, {item:?}),\n",
            entry.name, entry.method
        )
    };
    let rows: String = entries.iter().map(row).collect();
    format!("messages! {{\n    /// {doc}\n    {name} {{\n{rows}    }}\n}}\n\n")
}

/// The unit types of our calls.
pub(crate) fn calls(entries: &[Entry]) -> String {
    let implement = |entry: &Entry| {
        let (name, method) = (&entry.name, &entry.method);
        let params = entry.params.as_ref().map_or("()".to_owned(), |it| format!("say::{it}"));
        let reply = entry.reply.as_deref().unwrap_or_default();
        format!(
            "{}impl Call for {name} {{\nconst METHOD: &'static str = {method:?};\ntype Params = {params};\n\
             type Reply<'a> = see::{reply}<'a>;\n}}\n\n",
            unit(entry)
        )
    };
    let calls: String = entries.iter().map(implement).collect();
    let by_method: String = entries
        .iter()
        .map(|it| format!("{:?} => touch_reply::<{}>(raw, witness),\n", it.method, it.name))
        .collect();
    format!(
        "{calls}/// Walks the view of a result by its method; whether there is one. For tests.\n#[doc(hidden)]\n\
         pub fn touch(method: &str, raw: &RawValue, witness: &mut dyn FnMut(Seen<'_>)) -> bool {{\n\
         match method {{\n{by_method}_ => false,\n}}\n}}\n"
    )
}

/// The unit types of Codex's requests.
pub(crate) fn asks(entries: &[Entry]) -> String {
    let implement = |entry: &Entry| {
        let (name, method) = (&entry.name, &entry.method);
        let params = entry.params.as_ref().map_or("Object<'a>".to_owned(), |it| format!("see::{it}<'a>"));
        let answer = entry.reply.as_deref().unwrap_or_default();
        format!(
            "{}impl ServerCall for {name} {{\nconst METHOD: &'static str = {method:?};\ntype Params<'a> = {params};\n\
             type Answer = say::{answer};\n}}\n\n",
            unit(entry)
        )
    };
    entries.iter().map(implement).collect()
}

fn unit(entry: &Entry) -> String {
    let doc = doc_lines("", entry.doc.as_deref());
    format!("{doc}/// (`{}`)\n#[derive(Debug, Clone, Copy)]\npub struct {};\n\n", entry.method, entry.name)
}
