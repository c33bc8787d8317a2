//! Views of objects whose kind is one of their fields.

/// A JSON object whose kind is a field of it.
macro_rules! tagged_view {
    ($(#[$doc:meta])* $name:ident by $tag:literal ($($id:ident = $id_key:literal),*) {
        $($(#[$arm_doc:meta])* $arm:ident($ty:ty) = $word:literal,)*
    }) => {
        $(#[$doc])*
        #[doc = concat!("(`", stringify!($name), "` in Codex's schema: an object whose `", $tag, "` says its kind)")]
        #[derive(Clone, Debug)]
        pub enum $name<'a> {
            $($(#[$arm_doc])* #[doc = concat!("`", $word, "`")] $arm($ty),)*
            /// Any other kind, or one of these without its ids.
            Unknown(&'a RawValue),
        }

        impl<'a> $name<'a> {
            #[doc = concat!("Which kind it is (`", $tag, "`), also of an unknown one.")]
            pub fn tag(&self) -> Option<Cow<'a, str>> {
                match self {
                    $(Self::$arm(_) => Some(Cow::Borrowed($word)),)*
                    Self::Unknown(raw) => Object::view(raw)?.get($tag),
                }
            }

            /// The object as it stands in the text.
            pub fn as_raw(&self) -> &'a RawValue {
                match self {
                    $(Self::$arm(inner) => FromObject::object(inner).as_raw(),)*
                    Self::Unknown(raw) => raw,
                }
            }

            /// Any field, of any kind, also of an unknown one.
            pub fn get<T: View<'a>>(&self, key: &str) -> Option<T> {
                match self {
                    $(Self::$arm(inner) => FromObject::object(inner).get(key),)*
                    Self::Unknown(raw) => Object::view(raw)?.get(key),
                }
            }

            $(#[doc = concat!("`", $id_key, "`, which every kind has; an unknown one may lack it.")]
            pub fn $id(&self) -> Option<Cow<'a, str>> { self.get($id_key) })*
        }

        impl<'a> View<'a> for $name<'a> {
            fn view(raw: &'a RawValue) -> Option<Self> {
                let Some(object) = Object::view(raw) else { return Some(Self::Unknown(raw)) };
                let tag = object.get::<Cow<'a, str>>($tag);
                let known = match tag.as_deref() {
                    $(Some($word) => FromObject::from_object(object).map(Self::$arm),)*
                    _ => None,
                };
                Some(known.unwrap_or(Self::Unknown(raw)))
            }
        }

        impl<'a> Params<'a> for $name<'a> {
            fn id_at(&self, path: &str) -> Option<Cow<'a, str>> {
                if path.is_empty() { None } else { self.get(path) }
            }

            fn raw(&self) -> &'a RawValue { self.as_raw() }
        }

        /// Equal if they say the same, however they are written.
        impl PartialEq for $name<'_> {
            fn eq(&self, other: &Self) -> bool { says_the_same(self.as_raw(), other.as_raw()) }
        }

        impl Eq for $name<'_> {}

        impl Touch for $name<'_> {
            fn touch(&self, witness: &mut dyn FnMut(Seen<'_>)) {
                let _ = (self.tag(), $(self.$id()),*);
                match self {
                    $(Self::$arm(inner) => {
                        let own = FromObject::object(inner).as_raw();
                        inner.touch(&mut |seen| touch::but_for_tag((own, $tag), seen, witness));
                    })*
                    Self::Unknown(raw) => witness(Seen::Unknown { view: stringify!($name), raw }),
                }
            }
        }
    };
}

pub(crate) use tagged_view;
