//! Views of JSON strings with a known set of values.

/// A JSON string with a known set of values.
macro_rules! word_view {
    ($(#[$doc:meta])* $name:ident { $($(#[$arm_doc:meta])* $arm:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[doc = concat!("(`", stringify!($name), "` in Codex's schema: a word)")]
        #[derive(Clone, Copy, Debug)]
        pub enum $name<'a> {
            $($(#[$arm_doc])* #[doc = concat!("`", $word, "`")] $arm,)*
            /// Anything else.
            Unknown(&'a RawValue),
        }

        impl<'a> $name<'a> {
            /// The value on the wire: the text, or the raw JSON if it is no text.
            pub fn as_str(&self) -> Cow<'a, str> {
                match *self {
                    $(Self::$arm => Cow::Borrowed($word),)*
                    Self::Unknown(raw) => Cow::view(raw).unwrap_or(Cow::Borrowed(raw.get())),
                }
            }
        }

        impl<'a> View<'a> for $name<'a> {
            #[inline]
            fn view(raw: &'a RawValue) -> Option<Self> {
                Some(match Cow::view(raw).as_deref() {
                    $(Some($word) => Self::$arm,)*
                    _ => Self::Unknown(raw),
                })
            }
        }

        /// Equal if they are the same word, known or not.
        impl PartialEq for $name<'_> {
            fn eq(&self, other: &Self) -> bool {
                match (self, other) {
                    (Self::Unknown(one), Self::Unknown(other)) => says_the_same(one, other),
                    _ => mem::discriminant(self) == mem::discriminant(other),
                }
            }
        }

        impl Eq for $name<'_> {}

        impl Touch for $name<'_> {
            fn touch(&self, witness: &mut dyn FnMut(Seen<'_>)) {
                let _ = self.as_str();
                if let Self::Unknown(raw) = self {
                    witness(Seen::Unknown { view: stringify!($name), raw });
                }
            }
        }
    };
}

pub(crate) use word_view;
