//! Writes what can be said: tables of fields and arms for the macros of `say_macros.rs`.

use super::{
    model::{Arm, Field, Model, Named, Shape, Type},
    names,
    output::doc_lines,
};

/// How many required fields `new` takes before a struct literal reads better.
const MOST_ARGUMENTS: usize = 4;

/// The type of one name.
pub(crate) fn sent(model: &Model, name: &str, named: &Named) -> Result<String, String> {
    let doc = doc_lines("    ", named.doc.as_deref());
    let (kind, body) = match &named.shape {
        Shape::Fields(fields) => ("said", object(model, name, fields)?),
        Shape::Words(arms) => ("said_word", format!("{name} {{\n{}    }}\n", rows(arms))),
        Shape::Tagged { tag, arms } => {
            ("said_tagged", format!("{name} by {tag:?} {{\n{}    }}\n", rows(arms)))
        }
        Shape::Choice(arms) => ("said_choice", format!("{name} {{\n{}    }}\n", rows(arms))),
        Shape::Alias(_) => return Ok(String::new()),
    };
    Ok(format!("{kind}! {{\n{doc}    {body}}}\n\n"))
}

fn object(model: &Model, name: &str, fields: &[Field]) -> Result<String, String> {
    let (mut required, optional): (Vec<&Field>, Vec<&Field>) =
        fields.iter().partition(|field| field.required);
    required.sort_by_key(|field| argument_order(&field.wire));
    if required.len() > MOST_ARGUMENTS {
        return Err(format!("{name} requires {} fields: give `said!` an arm without `new`", required.len()));
    }
    let needs: String = required
        .iter()
        .map(|field| {
            let (ty, arg) = (field_ty(field), argument(model, field));
            let doc = doc_lines("        ", field.doc.as_deref());
            format!("{doc}        {}: {ty} | {arg} = {:?},\n", field.name, field.wire)
        })
        .collect();
    let mays: String = optional
        .iter()
        .map(|field| {
            let doc = doc_lines("        ", field.doc.as_deref());
            format!("{doc}        {}: {} = {:?},\n", field.name, field_ty(field), field.wire)
        })
        .collect();
    let needs = if needs.is_empty() { "{}".to_owned() } else { format!("{{\n{needs}    }}") };
    Ok(format!("{name} {needs} {{\n{mays}    }}\n"))
}

/// Which thread, which turn, which other thing, what it is called, and then what. The schema's own order is the
/// alphabet's, by which a text would come before the name it belongs to, and two texts are easily swapped.
fn argument_order(wire: &str) -> usize {
    match wire {
        "threadId" => 0,
        "turnId" => 1,
        wire if names::is_id(wire) => 2,
        "name" => 3,
        _ => 4,
    }
}

/// Texts and unions are taken as whatever becomes one. Lists are not: `vec![text.into()]` could then mean anything.
fn argument(model: &Model, field: &Field) -> String {
    let ty = field_ty(field);
    let is_union = |name: &String| matches!(model.get(name).map(|it| &it.shape), Some(Shape::Tagged { .. }));
    match &field.ty {
        Type::Text => format!("impl Into<{ty}>"),
        Type::Named(name) if is_union(name) => format!("impl Into<{ty}>"),
        _ => ty,
    }
}

fn rows(arms: &[Arm]) -> String {
    let row = |arm: &Arm| {
        let doc = doc_lines("        ", arm.doc.as_deref());
        // `Other` is our own arm, for what the schema does not know.
        let name = if arm.name == "Other" { "NamedOther" } else { &arm.name };
        let payload = arm.payload.as_ref().map(|ty| format!("({})", ty_text(ty))).unwrap_or_default();
        format!("{doc}        {name}{payload} = {:?},\n", arm.wire)
    };
    arms.iter().map(row).collect()
}

fn field_ty(field: &Field) -> String {
    match &field.ty {
        Type::Text if names::is_secret(&field.wire) => "Secret".to_owned(),
        Type::Maybe(inner) if **inner == Type::Text && names::is_secret(&field.wire) => {
            "Option<Secret>".to_owned()
        }
        ty => ty_text(ty),
    }
}

fn ty_text(ty: &Type) -> String {
    match ty {
        Type::Text => "String".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Signed => "i64".to_owned(),
        Type::Unsigned => "u64".to_owned(),
        Type::Float => "f64".to_owned(),
        Type::RequestId => "crate::frame::RequestId<'static>".to_owned(),
        Type::Any => "Value".to_owned(),
        Type::Open => "Map<String, Value>".to_owned(),
        Type::Maybe(inner) => format!("Option<{}>", ty_text(inner)),
        Type::List(inner) => format!("Vec<{}>", ty_text(inner)),
        Type::Map(inner) => format!("BTreeMap<String, {}>", ty_text(inner)),
        Type::Named(name) => name.clone(),
    }
}
