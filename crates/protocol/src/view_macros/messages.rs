//! Messages of one direction and kind, told apart by their method.

/// Messages of one direction and kind, told apart by their method. Behind each method stand the paths of its thread,
/// turn and item id.
macro_rules! messages {
    ($(#[$doc:meta])* $name:ident {
        $($(#[$arm_doc:meta])* $arm:ident($ty:ty) = $method:literal ($thread:literal, $turn:literal, $item:literal),)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub enum $name<'a> {
            $($(#[$arm_doc])* #[doc = concat!("`", $method, "`")] $arm($ty),)*
            /// Any other method, or one of these without its ids.
            Unknown {
                /// The method on the wire.
                method: Cow<'a, str>,
                /// Its parameters, if it has any.
                params: Option<&'a RawValue>,
            },
        }

        impl<'a> $name<'a> {
            /// The methods that have a view.
            pub const METHODS: &'static [&'static str] = &[$($method),*];

            /// Reads a message. What has no view is `Unknown`, and whole.
            pub fn read(method: impl Into<Cow<'a, str>>, params: Option<&'a RawValue>) -> Self {
                let method = method.into();
                let raw = params.or_else(no_params);
                let known = match method.as_ref() {
                    $($method => raw.and_then(View::view).map(Self::$arm),)*
                    _ => None,
                };
                known.unwrap_or(Self::Unknown { method, params })
            }

            /// The method on the wire.
            pub fn method(&self) -> &str {
                match self {
                    $(Self::$arm(_) => $method,)*
                    Self::Unknown { method, .. } => method,
                }
            }

            /// The parameters as they stand in the text.
            pub fn params(&self) -> Option<&'a RawValue> {
                match self {
                    $(Self::$arm(inner) => Some(inner.raw()),)*
                    Self::Unknown { params, .. } => *params,
                }
            }

            /// The thread it is about, if it says so.
            pub fn thread_id(&self) -> Option<Cow<'a, str>> { self.id(|(thread, _, _)| thread) }

            /// The turn it is about, if it says so.
            pub fn turn_id(&self) -> Option<Cow<'a, str>> { self.id(|(_, turn, _)| turn) }

            /// The item it is about, if it says so.
            pub fn item_id(&self) -> Option<Cow<'a, str>> { self.id(|(_, _, item)| item) }

            /// Of an unknown method only the ids that all of Codex's messages spell alike are looked for.
            fn id(&self, which: fn((&'static str, &'static str, &'static str)) -> &'static str) -> Option<Cow<'a, str>> {
                match self {
                    $(Self::$arm(inner) => inner.id_at(which(($thread, $turn, $item))),)*
                    Self::Unknown { params, .. } => {
                        id_at(&Object::view((*params)?)?, which(("threadId", "turnId", "itemId")))
                    }
                }
            }
        }

        impl Touch for $name<'_> {
            fn touch(&self, witness: &mut dyn FnMut(Seen<'_>)) {
                let _ = (self.method(), self.thread_id(), self.turn_id(), self.item_id());
                match self {
                    $(Self::$arm(inner) => inner.touch(witness),)*
                    Self::Unknown { params, .. } => {
                        if let Some(raw) = params.or_else(no_params) {
                            witness(Seen::Unknown { view: stringify!($name), raw });
                        }
                    }
                }
            }
        }
    };
}

pub(crate) use messages;
