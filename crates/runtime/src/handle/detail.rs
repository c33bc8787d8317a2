//! A session with everything that is told about it: how it stands, what it was made with, what git says.

use selvedge_session::Settings;
use serde::{Serialize, Serializer, ser::Error as _};
use serde_json::{Map, Value};

use super::SessionHandle;
use crate::{error::Error, git::GitFacts, view::Summary};

/// A session with everything that is told about it. It is written as one object: the fields of its summary, and those of
/// its settings that the summary does not have.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionDetail {
    /// How it stands.
    pub summary: Summary,
    /// What it works with.
    pub settings: Settings,
    /// What git says of where it works; nothing outside a repository.
    pub git: Option<GitFacts>,
}

impl SessionHandle {
    /// Everything that is told about it, as of one moment.
    pub async fn detail(&self) -> Result<SessionDetail, Error> {
        let look = self.look().await?;
        // The look is of now; when something last changed, and which version last answered, stands in the index.
        let noted = self.summary().await?;
        let mut summary = Summary { updated_at: noted.updated_at, ..look.summary };
        summary.backend.version = summary.backend.version.or(noted.backend.version);
        let settings = look.session.settings().clone();
        let git = self.facts(&settings).await?;
        Ok(SessionDetail { summary, settings, git })
    }
}

impl Serialize for SessionDetail {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = |value: Result<Map<String, Value>, serde_json::Error>| value.map_err(S::Error::custom);
        let mut all = fields(as_map(&self.settings))?;
        // Both name some things; how it stands counts.
        all.extend(fields(as_map(&self.summary))?);
        if let Some(git) = &self.git {
            all.insert("git".to_owned(), serde_json::to_value(git).map_err(S::Error::custom)?);
        }
        all.serialize(serializer)
    }
}

fn as_map(value: &impl Serialize) -> Result<Map<String, Value>, serde_json::Error> {
    match serde_json::to_value(value)? {
        Value::Object(fields) => Ok(fields),
        _ => Err(serde_json::Error::custom("it is no object")),
    }
}

#[cfg(feature = "schema")]
mod schema {
    //! The same in OpenAPI, from the same two.

    use utoipa::{
        PartialSchema, ToSchema,
        openapi::{Object, ObjectBuilder, Ref, RefOr, Schema},
    };

    use super::{GitFacts, SessionDetail, Settings, Summary};

    impl PartialSchema for SessionDetail {
        fn schema() -> RefOr<Schema> {
            let summary = object(Summary::schema());
            let mut all = object(Settings::schema());
            all.properties.extend(summary.properties);
            all.required = summary.required;
            all.description = Some("A session with everything that is told about it.".to_owned());
            ObjectBuilder::from(all).property("git", Ref::from_schema_name(GitFacts::name())).into()
        }
    }

    impl ToSchema for SessionDetail {
        fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
            schemas.push((GitFacts::name().into(), GitFacts::schema()));
            Summary::schemas(schemas);
            Settings::schemas(schemas);
        }
    }

    fn object(schema: RefOr<Schema>) -> Object {
        match schema {
            RefOr::T(Schema::Object(object)) => object,
            _ => Object::new(),
        }
    }
}
