//! What a generated view is: the generated files are tables, and these macros are the code behind every row.

mod choice_view;
mod messages;
mod object_view;
mod tagged_view;
mod word_view;

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::object::Object;

/// What a generated file of views needs.
pub(crate) mod prelude {
    pub(crate) use std::{borrow::Cow, fmt, mem};

    pub(crate) use serde_json::value::RawValue;

    pub(crate) use super::{
        FromObject, Params, choice_view::choice_view, id_at, messages::messages, no_params,
        object_view::object_view, tagged_view::tagged_view, word_view::word_view,
    };
    pub(crate) use crate::{
        frame::RequestId,
        list::{List, Map},
        object::Object,
        see::*,
        touch::{self, Seen, Touch},
        view::{View, says_the_same},
    };
}

/// A view that wraps an [`Object`]; made from one that is already split.
pub(crate) trait FromObject<'a>: Sized {
    /// The view, or `None` if an id is missing or is no text.
    fn from_object(object: Object<'a>) -> Option<Self>;
    /// Every field, also those that have no accessor.
    fn object(&self) -> &Object<'a>;
}

impl<'a> FromObject<'a> for Object<'a> {
    #[inline]
    fn from_object(object: Object<'a>) -> Option<Self> {
        Some(object)
    }

    #[inline]
    fn object(&self) -> &Object<'a> {
        self
    }
}

/// `a` or `a.b` in an object; the empty path is nothing. How the ids of a message are found.
#[inline]
pub(crate) fn id_at<'a>(object: &Object<'a>, path: &str) -> Option<Cow<'a, str>> {
    match path.split_once('.') {
        Some((outer, inner)) => object.get::<Object<'a>>(outer)?.get(inner),
        None if path.is_empty() => None,
        None => object.get(path),
    }
}

/// The parameters of a message, whatever their kind.
pub(crate) trait Params<'a> {
    /// The id at a path such as `threadId` or `turn.id`.
    fn id_at(&self, path: &str) -> Option<Cow<'a, str>>;
    /// The parameters as they stand in the text.
    fn raw(&self) -> &'a RawValue;
}

impl<'a, T: FromObject<'a>> Params<'a> for T {
    #[inline]
    fn id_at(&self, path: &str) -> Option<Cow<'a, str>> {
        id_at(self.object(), path)
    }

    #[inline]
    fn raw(&self) -> &'a RawValue {
        self.object().as_raw()
    }
}

/// What a message without `params` is read as.
pub(crate) fn no_params<'a>() -> Option<&'a RawValue> {
    serde_json::from_str("{}").ok()
}
