//! Walks everything a view can give: every accessor, generated ones included, and what no accessor gives.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::{
    call::Call,
    frame::RequestId,
    list::{List, Map},
    object::Object,
    view::View,
};

/// What a walk comes across.
#[derive(Debug)]
pub enum Seen<'s> {
    /// An id that was read when the view was made.
    Id {
        /// The object it was read from.
        object: &'s RawValue,
        /// Its key there.
        key: &'static str,
        /// What the view says it is.
        id: Cow<'s, str>,
    },
    /// A value of an enum that has no arm for it.
    Unknown {
        /// The enum.
        view: &'static str,
        /// The value.
        raw: &'s RawValue,
    },
    /// A field that is there, and not null, and that its accessor cannot read.
    Unread {
        /// The view.
        view: &'static str,
        /// The field.
        key: &'static str,
        /// The value.
        raw: &'s RawValue,
    },
    /// A field that has no accessor.
    Extra {
        /// The object it stands in.
        object: &'s RawValue,
        /// The view of that.
        view: &'static str,
        /// The field.
        key: Cow<'s, str>,
    },
}

/// Something whose every accessor can be called.
pub trait Touch {
    /// Calls every accessor, and those of what they give, and tells `witness` what it came across.
    fn touch(&self, witness: &mut dyn FnMut(Seen<'_>));
}

macro_rules! nothing_inside {
    ($($kind:ty),*) => { $(impl Touch for $kind {
        #[inline]
        fn touch(&self, _: &mut dyn FnMut(Seen<'_>)) {}
    })* };
}

nothing_inside!(bool, i64, u64, f64, Cow<'_, str>, &RawValue, RequestId<'_>, Object<'_>);

impl<T: Touch> Touch for Option<T> {
    #[inline]
    fn touch(&self, witness: &mut dyn FnMut(Seen<'_>)) {
        if let Some(inner) = self {
            inner.touch(witness);
        }
    }
}

impl<'a, T: View<'a> + Touch> Touch for List<'a, T> {
    fn touch(&self, witness: &mut dyn FnMut(Seen<'_>)) {
        for raw in self.raws() {
            match T::view(raw) {
                Some(element) => element.touch(witness),
                None => witness(Seen::Unread { view: "List", key: "", raw }),
            }
        }
    }
}

impl<'a, T: View<'a> + Touch> Touch for Map<'a, T> {
    fn touch(&self, witness: &mut dyn FnMut(Seen<'_>)) {
        for (_, raw) in self.object().fields() {
            match T::view(raw) {
                Some(value) => value.touch(witness),
                None => witness(Seen::Unread { view: "Map", key: "", raw }),
            }
        }
    }
}

/// One accessor's part of a walk: go on inside, or report the field that could not be read.
pub(crate) fn field<T: Touch>(
    (object, view, key): (&Object<'_>, &'static str, &'static str),
    value: Option<T>,
    witness: &mut dyn FnMut(Seen<'_>),
) {
    match (value, object.raw(key)) {
        (Some(value), _) => value.touch(witness),
        (None, Some(raw)) if raw.get() != "null" => witness(Seen::Unread { view, key, raw }),
        (None, _) => {}
    }
}

/// What stands in an object beside what its view knows.
pub(crate) fn extras(
    (object, view, known): (&Object<'_>, &'static str, &[&str]),
    witness: &mut dyn FnMut(Seen<'_>),
) {
    for (key, _) in object.fields() {
        if !known.contains(&key.as_ref()) {
            witness(Seen::Extra { object: object.as_raw(), view, key });
        }
    }
}

/// Tells what was seen, but for the field of an object that says its kind: that one is known to its enum.
pub(crate) fn but_for_tag(
    (object, tag): (&RawValue, &str),
    seen: Seen<'_>,
    witness: &mut dyn FnMut(Seen<'_>),
) {
    let is_tag = |of: &RawValue, key: &str| key == tag && of.get().as_ptr() == object.get().as_ptr();
    if !matches!(&seen, Seen::Extra { object, key, .. } if is_tag(object, key)) {
        witness(seen);
    }
}

/// Walks the view of a call's result; whether there is one.
pub(crate) fn touch_reply<'a, C: Call>(raw: &'a RawValue, witness: &mut dyn FnMut(Seen<'_>)) -> bool
where
    C::Reply<'a>: Touch,
{
    let reply = C::Reply::view(raw);
    reply.touch(witness);
    reply.is_some()
}
