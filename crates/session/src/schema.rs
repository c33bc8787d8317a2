//! Events as OpenAPI describes them: one object for each `type`, so that a reader's language can tell them apart.

use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        Object, ObjectBuilder, OneOfBuilder, Ref, RefOr, Schema,
        schema::{SchemaType, Type},
    },
};

use crate::{
    event::{
        Event, What,
        data::{Created, Updated},
    },
    ids::SessionId,
    settings::Settings,
    time::Timestamp,
};

type Named = Vec<(String, RefOr<Schema>)>;

/// One kind of event.
pub(crate) struct Kind {
    /// Its `type`.
    name: &'static str,
    /// What its `data` is called.
    data: String,
    schema: RefOr<Schema>,
    /// What its `data` refers to.
    needs: Named,
}

impl Kind {
    pub(crate) fn of<Data: ToSchema>(name: &'static str, variant: &str) -> Self {
        let mut needs = Vec::new();
        Data::schemas(&mut needs);
        Self { name, data: format!("{variant}Data"), schema: Data::schema(), needs }
    }

    fn described(&self) -> Object {
        let text = || ObjectBuilder::new().schema_type(Type::String);
        let number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1));
        let event = ObjectBuilder::new()
            .schema_type(SchemaType::new(Type::Object))
            .property("seq", number.description(Some("From 1, without gaps, in its session.")))
            .property("session_id", Ref::from_schema_name(SessionId::name()))
            .property("at", Ref::from_schema_name(Timestamp::name()))
            .property("thread_id", text().description(Some("The sub-agent's thread.")))
            .property("turn_id", text())
            .property("item_id", text())
            .property("type", text().enum_values(Some([self.name])))
            .property("data", Ref::from_schema_name(&self.data));
        ["seq", "session_id", "at", "type", "data"].into_iter().fold(event, ObjectBuilder::required).build()
    }
}

impl PartialSchema for Event {
    fn schema() -> RefOr<Schema> {
        let kinds = What::kinds();
        let one_of = kinds.iter().fold(OneOfBuilder::new(), |one_of, kind| one_of.item(kind.described()));
        one_of.description(Some("Something that happened in a session.")).into()
    }
}

impl ToSchema for Event {
    fn schemas(schemas: &mut Named) {
        schemas.push((SessionId::name().into(), SessionId::schema()));
        schemas.push((Timestamp::name().into(), Timestamp::schema()));
        for kind in What::kinds() {
            schemas.push((kind.data, kind.schema));
            schemas.extend(kind.needs);
        }
    }
}

macro_rules! settings_alone {
    ($($data:ty),+) => {$(
        impl PartialSchema for $data {
            fn schema() -> RefOr<Schema> {
                Ref::from_schema_name(Settings::name()).into()
            }
        }

        impl ToSchema for $data {
            fn schemas(schemas: &mut Named) {
                schemas.push((Settings::name().into(), Settings::schema()));
                Settings::schemas(schemas);
            }
        }
    )+};
}

settings_alone!(Created, Updated);
