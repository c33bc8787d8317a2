//! Two shapes of one type: which fields, which values, and of which form.

use std::collections::BTreeMap;

use super::super::difference::{Difference, Form, Subject};
use crate::codegen::model::{Arm, Field, Shape, Type};

/// How the type `name` differs.
pub(super) fn compare(name: &str, was: &Shape, is: &Shape) -> Vec<Difference> {
    let mut found = Vec::new();
    if kind(was) != kind(is) {
        let subject = Subject::Form(name.to_owned());
        found.push(Difference {
            subject,
            was: Some(Form::plain(kind(was))),
            is: Some(Form::plain(kind(is))),
        });
    }
    let field = |wire: &str| Subject::Field(name.to_owned(), wire.to_owned());
    let value = |wire: &str| Subject::Value(name.to_owned(), wire.to_owned());
    match (arms(was), arms(is)) {
        (Some(was), Some(is)) => found.extend(each(&by_word(was), &by_word(is), value)),
        (None, None) => found.extend(each(&by_wire(fields(was)), &by_wire(fields(is)), field)),
        // From fields to alternatives or back: the form says it.
        _ => {}
    }
    found
}

fn each(
    was: &BTreeMap<&str, Form>,
    is: &BTreeMap<&str, Form>,
    subject: impl Fn(&str) -> Subject,
) -> Vec<Difference> {
    let mut wires: Vec<&str> = was.keys().chain(is.keys()).copied().collect();
    wires.sort_unstable();
    wires.dedup();
    let one = |wire: &str| Difference {
        subject: subject(wire),
        was: was.get(wire).cloned(),
        is: is.get(wire).cloned(),
    };
    wires.into_iter().map(one).filter(|it| it.was != it.is).collect()
}

/// What kind of thing it is.
fn kind(shape: &Shape) -> String {
    match shape {
        Shape::Fields(_) => "an object".to_owned(),
        Shape::Words(_) => "a word".to_owned(),
        Shape::Tagged { tag, .. } => format!("an object told by `{tag}`"),
        Shape::Choice(_) => "a word, or an object told by its one key".to_owned(),
        Shape::Alias(ty) => text(ty),
    }
}

fn arms(shape: &Shape) -> Option<&[Arm]> {
    match shape {
        Shape::Words(arms) | Shape::Tagged { arms, .. } | Shape::Choice(arms) => Some(arms),
        Shape::Fields(_) | Shape::Alias(_) => None,
    }
}

fn fields(shape: &Shape) -> &[Field] {
    if let Shape::Fields(fields) = shape { fields } else { &[] }
}

fn by_word(arms: &[Arm]) -> BTreeMap<&str, Form> {
    let form = |arm: &Arm| Form::plain(arm.payload.as_ref().map(text).unwrap_or_default());
    arms.iter().map(|arm| (arm.wire.as_str(), form(arm))).collect()
}

fn by_wire(fields: &[Field]) -> BTreeMap<&str, Form> {
    let form = |field: &Field| Form { text: text(&field.ty), required: field.required };
    fields.iter().map(|field| (field.wire.as_str(), form(field))).collect()
}

/// A type in words.
fn text(ty: &Type) -> String {
    match ty {
        Type::Text => "text".to_owned(),
        Type::Bool => "yes or no".to_owned(),
        Type::Signed => "integer".to_owned(),
        Type::Unsigned => "count".to_owned(),
        Type::Float => "number".to_owned(),
        Type::RequestId => "request id".to_owned(),
        Type::Any => "anything".to_owned(),
        Type::Open => "any object".to_owned(),
        Type::Maybe(inner) => format!("{} or null", text(inner)),
        Type::List(inner) => format!("list of {}", text(inner)),
        Type::Map(inner) => format!("map of {}", text(inner)),
        Type::Named(name) => name.clone(),
    }
}
