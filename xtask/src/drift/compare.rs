//! Compares what two Codexes can say: methods, and every type that both have.

mod shapes;

use std::collections::{BTreeMap, BTreeSet};

use super::difference::{Difference, Form, Subject};
use super::surface::{Kind, Method, Surface};

/// Every difference, in order, each once.
pub(super) fn compare(was: &Surface, is: &Surface) -> Vec<Difference> {
    let mut found = BTreeSet::new();
    let mut pairs: BTreeSet<(&str, &str)> = was
        .types
        .keys()
        .filter(|name| is.types.contains_key(*name))
        .map(|name| (name.as_str(), name.as_str()))
        .collect();
    let (old, new) = (by_name(was), by_name(is));
    for (key, method) in &old {
        match new.get(key) {
            None => drop(found.insert(method_differs(method, true))),
            Some(now) => pairs.extend(renamed(method, now)),
        }
    }
    let added = new.iter().filter(|(key, _)| !old.contains_key(*key));
    found.extend(added.map(|(_, method)| method_differs(method, false)));
    for (before, now) in pairs {
        if let (Some(before), Some(shape)) = (was.types.get(before), is.types.get(now)) {
            found.extend(shapes::compare(now, &before.shape, &shape.shape));
        }
    }
    found.into_iter().collect()
}

fn by_name(surface: &Surface) -> BTreeMap<(Kind, &str), &Method> {
    surface.methods.iter().map(|method| ((method.kind, method.name.as_str()), method)).collect()
}

fn method_differs(method: &Method, gone: bool) -> Difference {
    let form = Some(Form::plain(method.params.as_deref().unwrap_or("no parameters")));
    let subject = Subject::Method(method.kind, method.name.clone());
    if gone {
        Difference { subject, was: form, is: None }
    } else {
        Difference { subject, was: None, is: form }
    }
}

/// The types of a method that are called otherwise now, and have to be compared all the same.
fn renamed<'m>(was: &'m Method, is: &'m Method) -> Vec<(&'m str, &'m str)> {
    let pairs = [(&was.params, &is.params), (&was.reply, &is.reply)];
    let both = |(was, is): (&'m Option<String>, &'m Option<String>)| Some((was.as_deref()?, is.as_deref()?));
    pairs.into_iter().filter_map(both).filter(|(was, is)| was != is).collect()
}
