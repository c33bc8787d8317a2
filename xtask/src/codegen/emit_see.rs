//! Writes the views: tables of ids, fields and arms for the macros of `view_macros.rs`.

use super::{
    model::{Arm, Field, Model, Named, Shape, Type, eager_ids},
    output::{Table, doc_lines},
};

/// The view of one named type.
pub(crate) fn view(model: &Model, name: &str, named: &Named) -> String {
    let doc = doc_lines("    ", named.doc.as_deref());
    let body = match &named.shape {
        Shape::Fields(fields) => object(name, fields),
        Shape::Words(arms) => {
            return format!(
                "word_view! {{\n{doc}    {name} {{\n{}    }}\n}}\n\n",
                rows(arms, |_| String::new())
            );
        }
        Shape::Tagged { tag, arms } => {
            let payload = |arm: &Arm| match &arm.payload {
                Some(ty) => format!("({})", ty_text(ty)),
                None => "(Object<'a>)".to_owned(),
            };
            let ids = shared_ids(model, arms);
            Table("tagged_view", format!("{name} by {tag:?} ({ids}) {{\n{}    }}\n", rows(arms, payload)))
        }
        Shape::Choice(arms) => {
            let (words, keyed): (Vec<_>, Vec<_>) = arms.iter().partition(|arm| arm.payload.is_none());
            let payload =
                |arm: &Arm| arm.payload.as_ref().map(|ty| format!("({})", ty_text(ty))).unwrap_or_default();
            let words = rows(words, |_| String::new());
            Table("choice_view", format!("{name} {{\n{words}    }} {{\n{}    }}\n", rows(keyed, payload)))
        }
        Shape::Alias(_) => return String::new(),
    };
    format!("{}! {{\n{doc}    {}}}\n\n", body.0, body.1)
}

fn object(name: &str, fields: &[Field]) -> Table {
    let (ids, others) = eager_ids(fields);
    let row = |field: &&Field| {
        let doc = doc_lines("        ", field.doc.as_deref());
        format!("{doc}        {}: {} = {:?},\n", field.name, field_ty(&field.ty), field.wire)
    };
    let ids: String = ids.iter().map(row).collect();
    let others: String = others.iter().map(row).collect();
    Table("object_view", format!("{name} {{\n{ids}    }} {{\n{others}    }}\n"))
}

fn rows<'m>(arms: impl IntoIterator<Item = &'m Arm>, payload: impl Fn(&Arm) -> String) -> String {
    let row = |arm: &Arm| {
        let doc = doc_lines("        ", arm.doc.as_deref());
        // `Unknown` is our own arm, for what the schema does not know.
        let name = if arm.name == "Unknown" { "NamedUnknown" } else { &arm.name };
        format!("{doc}        {name}{} = {:?},\n", payload(arm), arm.wire)
    };
    arms.into_iter().map(row).collect()
}

/// The ids that every arm has, so that they can be asked of the union.
fn shared_ids(model: &Model, arms: &[Arm]) -> String {
    let ids_of = |arm: &Arm| -> Vec<Field> {
        let shape =
            arm.payload.as_ref().and_then(Type::named).and_then(|it| model.get(it)).map(|it| &it.shape);
        match shape {
            Some(Shape::Fields(fields)) => eager_ids(fields).0.into_iter().cloned().collect(),
            _ => Vec::new(),
        }
    };
    let mut shared = arms.first().map(ids_of).unwrap_or_default();
    for arm in arms {
        let ids = ids_of(arm);
        shared.retain(|id| ids.iter().any(|other| other.wire == id.wire && id.ty == Type::Text));
    }
    let rows: Vec<_> = shared.iter().map(|id| format!("{} = {:?}", id.name, id.wire)).collect();
    rows.join(", ")
}

/// A field's null is the same as no field, so that nothing is wrapped twice.
fn field_ty(ty: &Type) -> String {
    if let Type::Maybe(inner) = ty { ty_text(inner) } else { ty_text(ty) }
}

fn ty_text(ty: &Type) -> String {
    match ty {
        Type::Text => "Cow<'a, str>".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Signed => "i64".to_owned(),
        Type::Unsigned => "u64".to_owned(),
        Type::Float => "f64".to_owned(),
        Type::RequestId => "RequestId<'a>".to_owned(),
        Type::Any => "&'a RawValue".to_owned(),
        Type::Open => "Object<'a>".to_owned(),
        Type::Maybe(inner) => format!("Option<{}>", ty_text(inner)),
        Type::List(inner) => format!("List<'a, {}>", ty_text(inner)),
        Type::Map(inner) => format!("Map<'a, {}>", ty_text(inner)),
        Type::Named(name) => format!("{name}<'a>"),
    }
}
