//! Views of values whose kind is a word, or the one key of an object.

/// A JSON string, or an object with one field whose key says which kind it is.
macro_rules! choice_view {
    ($(#[$doc:meta])* $name:ident {
        $($(#[$word_doc:meta])* $word_arm:ident = $word:literal,)*
    } {
        $($(#[$arm_doc:meta])* $arm:ident($ty:ty) = $key:literal,)*
    }) => {
        $(#[$doc])*
        #[doc = concat!("(`", stringify!($name), "` in Codex's schema: a word, or an object with one key)")]
        #[derive(Clone, Debug)]
        pub enum $name<'a> {
            $($(#[$word_doc])* #[doc = concat!("`", $word, "`")] $word_arm,)*
            $($(#[$arm_doc])* #[doc = concat!("`{\"", $key, "\": …}`")] $arm($ty),)*
            /// Anything else.
            Unknown(&'a RawValue),
        }

        impl<'a> $name<'a> {
            /// Which kind it is: the word, or the key. Of an unknown one, the word or the first key, if it has one.
            pub fn tag(&self) -> Option<Cow<'a, str>> {
                match self {
                    $(Self::$word_arm => Some(Cow::Borrowed($word)),)*
                    $(Self::$arm(_) => Some(Cow::Borrowed($key)),)*
                    Self::Unknown(raw) => match Object::view(raw) {
                        Some(object) => object.fields().next().map(|(key, _)| key),
                        None => Cow::view(raw),
                    },
                }
            }
        }

        impl<'a> View<'a> for $name<'a> {
            fn view(raw: &'a RawValue) -> Option<Self> {
                if let Some(object) = Object::view(raw) {
                    $(if let Some(inner) = object.get($key) { return Some(Self::$arm(inner)); })*
                    return Some(Self::Unknown(raw));
                }
                Some(match Cow::view(raw).as_deref() {
                    $(Some($word) => Self::$word_arm,)*
                    _ => Self::Unknown(raw),
                })
            }
        }

        /// Equal if they are the same kind and say the same, however they are written.
        impl PartialEq for $name<'_> {
            fn eq(&self, other: &Self) -> bool {
                match (self, other) {
                    $((Self::$arm(one), Self::$arm(other)) => one == other,)*
                    (Self::Unknown(one), Self::Unknown(other)) => says_the_same(one, other),
                    _ => mem::discriminant(self) == mem::discriminant(other),
                }
            }
        }

        impl Eq for $name<'_> {}

        impl Touch for $name<'_> {
            fn touch(&self, witness: &mut dyn FnMut(Seen<'_>)) {
                let _ = self.tag();
                match self {
                    $(Self::$word_arm => {})*
                    $(Self::$arm(inner) => inner.touch(witness),)*
                    Self::Unknown(raw) => witness(Seen::Unknown { view: stringify!($name), raw }),
                }
            }
        }
    };
}

pub(crate) use choice_view;
