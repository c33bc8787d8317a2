//! What the generator knows of a type, whichever direction it travels.

use std::collections::BTreeMap;

/// Every named type, by its Rust name.
pub(crate) type Model = BTreeMap<String, Named>;

/// A type with a name.
pub(crate) struct Named {
    pub(crate) doc: Option<String>,
    pub(crate) shape: Shape,
}

/// How a value of a type looks on the wire.
pub(crate) enum Shape {
    /// An object.
    Fields(Vec<Field>),
    /// A string of a known set.
    Words(Vec<Arm>),
    /// An object whose kind is the field `tag`.
    Tagged { tag: String, arms: Vec<Arm> },
    /// A string, or an object with one field that names the kind.
    Choice(Vec<Arm>),
    /// Nothing of its own: another name for this.
    Alias(Type),
}

/// One property of an object.
#[derive(Clone)]
pub(crate) struct Field {
    pub(crate) wire: String,
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) required: bool,
    pub(crate) doc: Option<String>,
}

/// One alternative of an enum.
pub(crate) struct Arm {
    pub(crate) wire: String,
    pub(crate) name: String,
    pub(crate) payload: Option<Type>,
    pub(crate) doc: Option<String>,
}

/// The type of a value.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Type {
    Text,
    Bool,
    Signed,
    Unsigned,
    Float,
    RequestId,
    /// Any JSON.
    Any,
    /// An object with any fields.
    Open,
    /// The value, or null.
    Maybe(Box<Type>),
    List(Box<Type>),
    Map(Box<Type>),
    Named(String),
}

impl Field {
    fn is_required_id(&self) -> bool {
        self.required && super::names::is_id(&self.wire) && matches!(self.ty, Type::Text | Type::RequestId)
    }
}

/// The fields that a view reads when it is made. What has an `id` is identified by it alone: the other ids it requires
/// today (a thread's `sessionId`) are missing in older versions, and the thread is the same thread without them.
pub(crate) fn eager_ids(fields: &[Field]) -> (Vec<&Field>, Vec<&Field>) {
    let has_own = fields.iter().any(|field| field.wire == "id" && field.is_required_id());
    fields.iter().partition(|field| field.is_required_id() && (!has_own || field.wire == "id"))
}

impl Type {
    /// The named type inside, if there is one.
    pub(crate) fn named(&self) -> Option<&str> {
        match self {
            Self::Named(name) => Some(name),
            Self::Maybe(inner) | Self::List(inner) | Self::Map(inner) => inner.named(),
            _ => None,
        }
    }
}

impl Shape {
    /// The types it is made of.
    pub(crate) fn parts(&self) -> Vec<&Type> {
        match self {
            Self::Fields(fields) => fields.iter().map(|field| &field.ty).collect(),
            Self::Words(arms) | Self::Tagged { arms, .. } | Self::Choice(arms) => {
                arms.iter().filter_map(|arm| arm.payload.as_ref()).collect()
            }
            Self::Alias(ty) => vec![ty],
        }
    }
}

/// Everything reachable from `roots`, roots first, each name once.
pub(crate) fn reachable(model: &Model, roots: &[String]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut next: Vec<String> = roots.iter().rev().cloned().collect();
    while let Some(name) = next.pop() {
        if found.contains(&name) {
            continue;
        }
        if let Some(named) = model.get(&name) {
            let parts = named.shape.parts();
            next.extend(parts.into_iter().rev().filter_map(Type::named).map(str::to_owned));
            found.push(name);
        }
    }
    found
}
