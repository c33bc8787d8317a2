//! From schema to model: which kind of type each definition is.

use serde_json::Value;

use super::{
    model::{Arm, Field, Model, Named, Shape, Type},
    names,
    schema::{Schema, alternatives, object, reference},
    unions,
};

/// Classifies definitions; structs that the schema writes in place get a name and join the model.
pub(crate) struct Classifier<'s> {
    schema: &'s Schema,
    model: Model,
}

/// The model of every definition.
pub(crate) fn classify(schema: &Schema) -> Result<Model, String> {
    let (model, unreadable) = classify_what_can_be(schema);
    unreadable.into_iter().next().map_or(Ok(model), Err)
}

/// The model of every definition that fits, and why the others do not: a Codex that nobody has seen yet may have some.
pub(crate) fn classify_what_can_be(schema: &Schema) -> (Model, Vec<String>) {
    let mut classifier = Classifier { schema, model: Model::new() };
    let mut unreadable = Vec::new();
    for (name, definition) in &schema.definitions {
        if matches!(
            name.as_str(),
            "ClientRequest" | "ServerRequest" | "ServerNotification" | "ClientNotification"
        ) {
            continue;
        }
        let shape = classifier.shape(name, definition);
        let doc = names::first_sentence(definition);
        unreadable.extend(shape.and_then(|shape| classifier.add(name, Named { doc, shape })).err());
    }
    (classifier.model, unreadable)
}

impl Classifier<'_> {
    pub(crate) fn add(&mut self, name: &str, named: Named) -> Result<(), String> {
        match self.model.insert(name.to_owned(), named) {
            Some(_) => Err(format!("two types would be called {name}")),
            None => Ok(()),
        }
    }

    fn shape(&mut self, name: &str, definition: &Value) -> Result<Shape, String> {
        if alternatives(definition).is_some() {
            return unions::shape(self, name, definition);
        }
        if let Some(words) = unions::words(definition) {
            return Ok(Shape::Words(words));
        }
        if definition["type"] == "object" && !is_map(definition) {
            return Ok(Shape::Fields(self.fields(name, definition)?));
        }
        Ok(Shape::Alias(self.ty(name, definition)?))
    }

    /// The properties of an object.
    pub(crate) fn fields(&mut self, owner: &str, schema: &Value) -> Result<Vec<Field>, String> {
        let mut fields: Vec<Field> = Vec::new();
        for (wire, property) in object(schema, "properties").into_iter().flatten() {
            let required = schema["required"].as_array().is_some_and(|all| all.iter().any(|it| it == wire));
            let in_place = format!("{owner}{}", names::pascal(wire));
            let plain = self.ty(&in_place, property)?;
            let ty = if required && is_nullable(property) { Type::Maybe(Box::new(plain)) } else { plain };
            let mut name = names::snake(wire);
            while fields.iter().any(|other| other.name == name) {
                name.push('_');
            }
            fields.push(Field {
                wire: wire.clone(),
                name,
                ty,
                required,
                doc: names::first_sentence(property),
            });
        }
        Ok(fields)
    }

    /// The type of a value. `in_place` names a struct that is written here without a name of its own.
    pub(crate) fn ty(&mut self, in_place: &str, schema: &Value) -> Result<Type, String> {
        if let Some(name) = reference(schema) {
            return self.referred(name);
        }
        if let Some([only]) = schema["allOf"].as_array().map(Vec::as_slice) {
            return self.ty(in_place, only);
        }
        if let Some(all) = alternatives(schema) {
            let mut real = all.iter().filter(|it| it["type"] != "null");
            return match (real.next(), real.next()) {
                (Some(only), None) => self.ty(in_place, only),
                _ => Ok(Type::Any),
            };
        }
        Ok(match json_type(schema) {
            Some("string") => Type::Text,
            Some("boolean") => Type::Bool,
            Some("integer") if schema["format"].as_str().is_some_and(|it| it.starts_with('u')) => {
                Type::Unsigned
            }
            Some("integer") => Type::Signed,
            Some("number") => Type::Float,
            Some("array") => Type::List(Box::new(self.element(in_place, schema.get("items"))?)),
            Some("object") if is_map(schema) => {
                Type::Map(Box::new(self.element(in_place, schema.get("additionalProperties"))?))
            }
            Some("object") if object(schema, "properties").is_some() => {
                let fields = self.fields(in_place, schema)?;
                self.add(
                    in_place,
                    Named { doc: names::first_sentence(schema), shape: Shape::Fields(fields) },
                )?;
                Type::Named(in_place.to_owned())
            }
            Some("object") => Type::Open,
            _ => Type::Any,
        })
    }

    /// What is inside a list or a map, where null is a value of its own.
    fn element(&mut self, in_place: &str, schema: Option<&Value>) -> Result<Type, String> {
        let Some(schema) = schema else { return Ok(Type::Any) };
        let plain = self.ty(in_place, schema)?;
        Ok(if is_nullable(schema) { Type::Maybe(Box::new(plain)) } else { plain })
    }

    fn referred(&mut self, name: &str) -> Result<Type, String> {
        if name == "RequestId" {
            return Ok(Type::RequestId);
        }
        let definition =
            self.schema.definitions.get(name).ok_or_else(|| format!("nothing is called {name}"))?;
        let is_type = unions::words(definition).is_some()
            || (definition["type"] == "object" && !is_map(definition))
            || (alternatives(definition).is_some() && unions::kind(definition).is_some());
        if is_type { Ok(Type::Named(name.to_owned())) } else { self.ty(name, definition) }
    }
}

/// The arm of an enum, named so that it does not clash with the arm we add.
pub(crate) fn arm(wire: &str, payload: Option<Type>, schema: &Value) -> Arm {
    Arm { wire: wire.to_owned(), name: names::pascal(wire), payload, doc: names::first_sentence(schema) }
}

/// An object used as a map: values of one type under any key.
fn is_map(schema: &Value) -> bool {
    object(schema, "properties").is_none() && schema.get("additionalProperties").is_some_and(Value::is_object)
}

fn is_nullable(schema: &Value) -> bool {
    let says_null = |it: &Value| it == "null" || it["type"] == "null";
    schema["type"].as_array().is_some_and(|all| all.iter().any(says_null))
        || alternatives(schema).is_some_and(|all| all.iter().any(says_null))
}

/// The JSON type, null left aside.
fn json_type(schema: &Value) -> Option<&str> {
    match &schema["type"] {
        Value::String(one) => Some(one),
        Value::Array(many) => {
            let mut real = many.iter().filter_map(Value::as_str).filter(|it| *it != "null");
            real.next().filter(|_| real.next().is_none())
        }
        _ => None,
    }
}
