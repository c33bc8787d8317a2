//! Views of JSON objects.

/// A JSON object: ids are fields of the struct, everything else is an accessor that reads when called.
macro_rules! object_view {
    ($(#[$doc:meta])* $name:ident {
        $($(#[$id_doc:meta])* $id:ident: $id_ty:ty = $id_key:literal,)*
    } {
        $($(#[$field_doc:meta])* $field:ident: $ty:ty = $key:literal,)*
    }) => {
        $(#[$doc])*
        #[doc = concat!("(`", stringify!($name), "` in Codex's schema: an object)")]
        #[derive(Clone)]
        pub struct $name<'a> {
            $($(#[$id_doc])* #[doc = concat!("(`", $id_key, "`, read when the view was made)")] pub $id: $id_ty,)*
            object: Object<'a>,
        }

        impl<'a> $name<'a> {
            /// The fields that are known.
            const KEYS: &'static [&'static str] = &[$($id_key,)* $($key,)*];

            $($(#[$field_doc])* #[doc = concat!("(`", $key, "`)")]
            #[inline]
            pub fn $field(&self) -> Option<$ty> { self.object.get($key) })*

            /// Every field, also those that have no accessor.
            #[inline]
            pub fn object(&self) -> &Object<'a> { &self.object }

            /// The object as it stands in the text.
            #[inline]
            pub fn as_raw(&self) -> &'a RawValue { self.object.as_raw() }
        }

        impl<'a> FromObject<'a> for $name<'a> {
            #[inline]
            fn from_object(object: Object<'a>) -> Option<Self> {
                Some(Self { $($id: object.get($id_key)?,)* object })
            }

            #[inline]
            fn object(&self) -> &Object<'a> { &self.object }
        }

        impl<'a> View<'a> for $name<'a> {
            #[inline]
            fn view(raw: &'a RawValue) -> Option<Self> { Self::from_object(Object::view(raw)?) }
        }

        impl fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), " {}"), self.as_raw().get())
            }
        }

        /// Equal if they say the same, however they are written.
        impl PartialEq for $name<'_> {
            fn eq(&self, other: &Self) -> bool { self.object == other.object }
        }

        impl Eq for $name<'_> {}

        impl Touch for $name<'_> {
            fn touch(&self, _witness: &mut dyn FnMut(Seen<'_>)) {
                $(_witness(Seen::Id { object: self.as_raw(), key: $id_key, id: Cow::Owned(self.$id.to_string()) });)*
                $(touch::field((&self.object, stringify!($name), $key), self.$field(), _witness);)*
                touch::extras((&self.object, stringify!($name), Self::KEYS), _witness);
            }
        }
    };
}

pub(crate) use object_view;
