//! What the program reads and says of a Codex: by the names in its source.
//!
//! By name, and so rather too much than too little: a file that has to do with a type and has a name like a field's is
//! taken to use it. What a file has to do with is what can be reached from the methods and types that it names.

use std::collections::{BTreeMap, BTreeSet};

use super::sources::Source;
use super::surface::{Kind, Method, Surface};
use crate::codegen::model::{Model, Shape, reachable};
use crate::codegen::names;

/// Names of types.
pub(super) type Types = BTreeSet<String>;

/// Where something is used: files of the tree.
pub(super) type Places = Vec<String>;

/// What the program does with one Codex's methods and types.
pub(super) struct Usage<'s> {
    /// The files that name a method.
    methods: BTreeMap<(Kind, &'s str), Places>,
    /// Each file with the types that it has to do with.
    near: Vec<(&'s Source, Types)>,
    /// What we say, and what Codex says, with the methods we use.
    pub(super) said: Types,
    pub(super) seen: Types,
    /// What the generated types cover.
    pub(super) generated: Types,
    /// Types whose objects we make ourselves.
    pub(super) made: Types,
    /// Owner and name of every required field.
    required: BTreeSet<(String, String)>,
}

impl<'s> Usage<'s> {
    /// Looks through the program's files for what `surface` has.
    pub(super) fn of(surface: &'s Surface, sources: &'s [Source]) -> Self {
        let methods: BTreeMap<_, Places> = surface
            .methods
            .iter()
            .map(|method| {
                ((method.kind, method.name.as_str()), places(sources, |file| names_method(file, method)))
            })
            .collect();
        let used = |method: &&Method| {
            methods.get(&(method.kind, method.name.as_str())).is_some_and(|it| !it.is_empty())
        };
        let roots = |pick: fn(&Method) -> Option<&String>| -> Vec<String> {
            surface.methods.iter().filter(used).filter_map(pick).cloned().collect()
        };
        let generated = surface.methods.iter().filter(|method| method.generated);
        let generated: Vec<String> = generated.flat_map(types_of).collect();
        let said = roots(Method::said);
        let named = surface.types.keys().filter(|name| sources.iter().any(|file| names_type(file, name)));
        Self {
            near: near(surface, sources),
            required: required(&surface.types),
            made: named.chain(&said).cloned().collect(),
            said: reach(&surface.types, &said),
            seen: reach(&surface.types, &roots(Method::seen)),
            generated: reach(&surface.types, &generated),
            methods,
        }
    }

    /// The files that name a method.
    pub(super) fn method(&self, kind: Kind, name: &str) -> Places {
        self.methods.get(&(kind, name)).cloned().unwrap_or_default()
    }

    /// The files that seem to read a field, or to say it: of what we say, only of what we make.
    pub(super) fn field(&self, owner: &str, wire: &str) -> Places {
        let name = names::snake(wire);
        let made = self.said.contains(owner) && self.made.contains(owner);
        let mut places = self.places_near(owner, |file| {
            (made && file.says(wire, &name)) || (!self.is_only_said(owner) && file.reads(wire, &name))
        });
        if made && self.required.contains(&(owner.to_owned(), wire.to_owned())) {
            // `new` takes what is required, without a word about it.
            places.extend(self.type_named(owner));
        }
        places.sort();
        places.dedup();
        places
    }

    /// Whether Codex never says it.
    pub(super) fn is_only_said(&self, owner: &str) -> bool {
        self.said.contains(owner) && !self.seen.contains(owner)
    }

    /// The files that seem to know a value of an enum, or a kind of a union: by its word, its arm, or its payload's type.
    pub(super) fn value(&self, owner: &str, wire: &str) -> Places {
        let (arm, snake) = (names::pascal(wire), names::snake(wire));
        let payload = format!("{arm}{owner}");
        self.places_near(owner, |file| {
            let texts = &file.words.texts;
            let in_types = || file.has_path(&[owner], &arm) || file.words.names.contains(&payload);
            texts.contains(wire) || texts.contains(&snake) || (file.knows_types && in_types())
        })
    }

    /// The files that name a type.
    pub(super) fn type_named(&self, name: &str) -> Places {
        self.places_near(name, |file| names_type(file, name))
    }

    fn places_near(&self, owner: &str, uses: impl Fn(&Source) -> bool) -> Places {
        let near = self.near.iter().filter(|(_, types)| types.contains(owner));
        near.filter(|(file, _)| uses(file)).map(|(file, _)| file.path.clone()).collect()
    }
}

fn places(sources: &[Source], uses: impl Fn(&Source) -> bool) -> Places {
    sources.iter().filter(|file| uses(file)).map(|file| file.path.clone()).collect()
}

/// By its name on the wire, or by the name that the generated code gives it. A bare word (`error`) is a method only to
/// those who work with the types.
fn names_method(file: &Source, method: &Method) -> bool {
    let doors: &[&str] = match method.kind {
        Kind::Request => &["calls"],
        Kind::Notification => &["Notification"],
        Kind::Ask => &["ServerRequest", "asks"],
    };
    let literally =
        file.words.texts.contains(&method.name) && (method.name.contains('/') || file.knows_types);
    literally || (file.knows_types && file.has_path(doors, &names::pascal(&method.name)))
}

#[cfg(test)]
pub(super) fn names_method_anywhere(sources: &[Source], method: &Method) -> bool {
    sources.iter().any(|file| names_method(file, method))
}

fn names_type(file: &Source, name: &str) -> bool {
    file.knows_types && file.words.names.contains(name)
}

fn types_of(method: &Method) -> impl Iterator<Item = String> + use<> {
    method.params.clone().into_iter().chain(method.reply.clone())
}

fn reach(types: &Model, roots: &[String]) -> Types {
    reachable(types, roots).into_iter().collect()
}

/// What each file has to do with.
fn near<'s>(surface: &Surface, sources: &'s [Source]) -> Vec<(&'s Source, Types)> {
    let passed_on = reach(&surface.types, &passed_on(surface));
    let signs = telling_words(&surface.types, &passed_on);
    let one = |file: &'s Source| {
        let methods = surface.methods.iter().filter(|method| names_method(file, method));
        let named = surface.types.keys().filter(|name| names_type(file, name)).cloned();
        let roots: Vec<String> = methods.flat_map(types_of).chain(named).collect();
        let mut types = reach(&surface.types, &roots);
        if file.words.texts.iter().any(|text| signs.contains(text)) {
            types.extend(passed_on.iter().cloned());
        }
        (file, types)
    };
    sources.iter().map(one).collect()
}

/// What leaves the runtime in Codex's own words, and is read elsewhere without the generated types: items, requests, errors.
fn passed_on(surface: &Surface) -> Vec<String> {
    let asks = surface.methods.iter().filter(|method| method.kind == Kind::Ask);
    let named = ["ThreadItem", "TurnError"].map(str::to_owned);
    asks.filter_map(|method| method.params.clone()).chain(named).collect()
}

/// Words that can hardly mean anything else: `exitCode`, `commandExecution`, but not `status` or `plan`. Errors also as
/// our codes spell them: `context_window_exceeded`.
fn telling_words(types: &Model, passed_on: &Types) -> BTreeSet<String> {
    let errors = reach(types, &["TurnError".to_owned()]).into_iter().flat_map(|name| words_of(types, &name));
    let errors = errors.filter(|word| is_telling(word)).map(names::snake);
    let words = passed_on.iter().flat_map(|name| words_of(types, name)).filter(|word| is_telling(word));
    words.map(str::to_owned).chain(errors).collect()
}

fn is_telling(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_uppercase())
}

/// The fields or values of a type.
pub(super) fn words_of<'m>(types: &'m Model, name: &str) -> Vec<&'m str> {
    match types.get(name).map(|named| &named.shape) {
        Some(Shape::Fields(fields)) => fields.iter().map(|field| field.wire.as_str()).collect(),
        Some(Shape::Words(arms) | Shape::Tagged { arms, .. } | Shape::Choice(arms)) => {
            arms.iter().map(|arm| arm.wire.as_str()).collect()
        }
        Some(Shape::Alias(_)) | None => Vec::new(),
    }
}

fn required(types: &Model) -> BTreeSet<(String, String)> {
    let fields = types.iter().filter_map(|(name, named)| match &named.shape {
        Shape::Fields(fields) => Some((name, fields)),
        _ => None,
    });
    let required = fields.flat_map(|(name, fields)| {
        let required = fields.iter().filter(|field| field.required);
        required.map(move |field| (name.clone(), field.wire.clone()))
    });
    required.collect()
}
