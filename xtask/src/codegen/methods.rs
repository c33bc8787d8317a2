//! The methods we generate for: what the schema lists, and of the client's requests what `calls.txt` picks.

use super::{
    model::{Model, Shape, Type},
    names,
    schema::{Method, Schema, alternatives, reference},
};

/// A method with the names of its types.
pub(crate) struct Entry {
    pub(crate) method: String,
    pub(crate) name: String,
    pub(crate) params: Option<String>,
    /// The result or answer; a notification has none.
    pub(crate) reply: Option<String>,
    pub(crate) doc: Option<String>,
}

/// All methods, in the order in which they are written.
pub(crate) struct Methods {
    pub(crate) notifications: Vec<Entry>,
    pub(crate) asks: Vec<Entry>,
    pub(crate) calls: Vec<Entry>,
}

impl Methods {
    pub(crate) fn collect(schema: &Schema, calls_file: &str) -> Result<Self, String> {
        let known = schema.methods("ClientRequest")?;
        let calls = calls_file.lines().filter_map(pick).map(|(method, reply)| {
            let found = known.iter().find(|it| it.name == method);
            let found = found.ok_or_else(|| format!("calls.txt: the schema has no method {method}"))?;
            entry(schema, found, reply)
        });
        let calls = calls.collect::<Result<Vec<_>, String>>()?;
        let asks = schema.methods("ServerRequest")?;
        let asks = asks.iter().map(|it| entry(schema, it, None)).collect::<Result<_, _>>()?;
        let mut notifications: Vec<_> = schema.methods("ServerNotification")?.iter().map(plain).collect();
        // A match on texts compares one after the other: what comes in floods goes first.
        notifications.sort_by_key(|it| {
            !(it.method.starts_with("item/") && it.method.to_lowercase().ends_with("delta"))
        });
        Ok(Self { notifications, asks, calls })
    }
}

/// The method of a line of `calls.txt`, and the name of its result if it has to be told.
pub(crate) fn pick(line: &str) -> Option<(&str, Option<&str>)> {
    let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
    Some((words.next()?, words.next()))
}

fn plain(method: &Method) -> Entry {
    let name = names::pascal(&method.name);
    Entry { name, params: params(method), reply: None, doc: method.doc.clone(), method: method.name.clone() }
}

fn entry(schema: &Schema, method: &Method, told: Option<&str>) -> Result<Entry, String> {
    let mut entry = plain(method);
    let derived =
        entry.params.as_ref().and_then(|it| it.strip_suffix("Params")).map(|it| format!("{it}Response"));
    let reply = told.map(str::to_owned).or(derived).unwrap_or_default();
    if !schema.definitions.contains_key(&reply) {
        return Err(format!(
            "{}: no result named {reply:?}; write its name behind the method in calls.txt",
            method.name
        ));
    }
    entry.reply = Some(reply);
    Ok(entry)
}

/// The name of the parameters; some methods have none, some allow null instead.
pub(crate) fn params(method: &Method) -> Option<String> {
    let first = alternatives(&method.params).and_then(|all| all.first());
    reference(first.unwrap_or(&method.params)).map(str::to_owned)
}

/// Where in its parameters a message says which thread, turn and item it is about; empty where it does not.
pub(crate) fn id_paths(model: &Model, entry: &Entry) -> [String; 3] {
    ["thread", "turn", "item"].map(|what| {
        let params = entry.params.as_deref().unwrap_or_default();
        let plain = format!("{what}Id");
        if has_field(model, params, &plain, |ty| *ty == Type::Text) {
            return plain;
        }
        // Not every `item` is a thread's item: the realtime ones have ids of their own.
        let owner = names::pascal(what).replace("Item", "ThreadItem");
        let nested =
            has_field(model, params, what, |ty| ty.named() == Some(&owner) && !matches!(ty, Type::List(_)));
        if nested { format!("{what}.id") } else { String::new() }
    })
}

fn has_field(model: &Model, owner: &str, wire: &str, fits: impl Fn(&Type) -> bool + Copy) -> bool {
    match model.get(owner).map(|named| &named.shape) {
        Some(Shape::Fields(fields)) => fields.iter().any(|field| {
            let inner = if let Type::Maybe(inner) = &field.ty { inner } else { &field.ty };
            field.wire == wire && fits(inner)
        }),
        Some(Shape::Tagged { arms, .. }) => arms.iter().all(|arm| {
            arm.payload.as_ref().and_then(Type::named).is_some_and(|it| has_field(model, it, wire, fits))
        }),
        _ => false,
    }
}
