//! What can be said: owned types behind the generated tables. Required fields are arguments, all others optional.

/// A JSON object: the first block is required, the second optional and left out when `None`.
macro_rules! said {
    ($(#[$doc:meta])* $name:ident {} {
        $($(#[$may_doc:meta])* $may:ident: $may_ty:ty = $may_key:literal,)*
    }) => {
        $(#[$doc])*
        #[doc = concat!("(`", stringify!($name), "` in Codex's schema: an object)")]
        #[derive(Debug, Clone, Default, Serialize)]
        pub struct $name {
            $($(#[$may_doc])* #[doc = concat!("(`", $may_key, "`)")]
            #[serde(rename = $may_key, skip_serializing_if = "Option::is_none")]
            pub $may: Option<$may_ty>,)*
            /// Fields that the schema did not know; also the way to say `null`.
            #[serde(flatten)]
            pub extra: Map<String, Value>,
        }
    };
    ($(#[$doc:meta])* $name:ident {
        $($(#[$need_doc:meta])* $need:ident: $need_ty:ty | $need_arg:ty = $need_key:literal,)*
    } {
        $($(#[$may_doc:meta])* $may:ident: $may_ty:ty = $may_key:literal,)*
    }) => {
        $(#[$doc])*
        #[doc = concat!("(`", stringify!($name), "` in Codex's schema: an object)")]
        #[derive(Debug, Clone, Serialize)]
        pub struct $name {
            $($(#[$need_doc])* #[doc = concat!("(`", $need_key, "`)")]
            #[serde(rename = $need_key)]
            pub $need: $need_ty,)*
            $($(#[$may_doc])* #[doc = concat!("(`", $may_key, "`)")]
            #[serde(rename = $may_key, skip_serializing_if = "Option::is_none")]
            pub $may: Option<$may_ty>,)*
            /// Fields that the schema did not know; also the way to say `null`.
            #[serde(flatten)]
            pub extra: Map<String, Value>,
        }

        impl $name {
            /// With what is required; everything else is left out.
            pub fn new($($need: $need_arg),*) -> Self {
                Self { $($need: $need.into(),)* $($may: None,)* extra: Map::new() }
            }
        }
    };
}

/// A JSON string with a known set of values.
macro_rules! said_word {
    ($(#[$doc:meta])* $name:ident { $($(#[$arm_doc:meta])* $arm:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[doc = concat!("(`", stringify!($name), "` in Codex's schema: a word)")]
        #[derive(Debug, Clone, PartialEq, Eq, Serialize)]
        pub enum $name {
            $($(#[$arm_doc])* #[doc = concat!("`", $word, "`")] #[serde(rename = $word)] $arm,)*
            /// A value that the schema did not know.
            #[serde(untagged)]
            Other(String),
        }
    };
}

/// A JSON object whose kind is a field of it.
macro_rules! said_tagged {
    ($(#[$doc:meta])* $name:ident by $tag:literal {
        $($(#[$arm_doc:meta])* $arm:ident $(($ty:ty))? = $word:literal,)*
    }) => {
        $(#[$doc])*
        #[doc = concat!("(`", stringify!($name), "` in Codex's schema: an object whose `", $tag, "` says its kind)")]
        #[derive(Debug, Clone, Serialize)]
        #[serde(tag = $tag)]
        pub enum $name {
            $($(#[$arm_doc])* #[doc = concat!("`", $word, "`")] #[serde(rename = $word)] $arm $(($ty))?,)*
            /// A kind that the schema did not know, whole.
            #[serde(untagged)]
            Other(Value),
        }

        $($(impl From<$ty> for $name {
            fn from(inner: $ty) -> Self { Self::$arm(inner) }
        })?)*
    };
}

/// A JSON string, or an object with one field whose key says which kind it is.
macro_rules! said_choice {
    ($(#[$doc:meta])* $name:ident {
        $($(#[$arm_doc:meta])* $arm:ident $(($ty:ty))? = $word:literal,)*
    }) => {
        $(#[$doc])*
        #[doc = concat!("(`", stringify!($name), "` in Codex's schema: a word, or an object with one key)")]
        #[derive(Debug, Clone, Serialize)]
        pub enum $name {
            $($(#[$arm_doc])* #[doc = concat!("`", $word, "`")] #[serde(rename = $word)] $arm $(($ty))?,)*
            /// A kind that the schema did not know, whole.
            #[serde(untagged)]
            Other(Value),
        }
    };
}

/// What a generated file of sent types needs.
pub(crate) mod prelude {
    pub(crate) use std::collections::BTreeMap;

    pub(crate) use serde::Serialize;
    pub(crate) use serde_json::{Map, Value};

    pub(crate) use super::{said, said_choice, said_tagged, said_word};
    pub(crate) use crate::{say::*, secret::Secret};
}

pub(crate) use {said, said_choice, said_tagged, said_word};
