//! The description of the API: what the routes do not say themselves.

pub(crate) mod links;

use std::collections::BTreeMap;

use utoipa::{
    IntoResponses, Modify, OpenApi, ToSchema as _,
    openapi::{
        ContentBuilder, ObjectBuilder, Ref, RefOr, Required, Response, ResponseBuilder, Schema,
        path::{ParameterBuilder, ParameterIn},
        schema::{AdditionalProperties, Type},
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

use crate::problem::Problem;

/// What stands above all routes.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Selvedge",
        description = "The durable edge around Codex: sessions that survive, messages that reach exactly one end.\n\n\
            Errors are `application/problem+json` with a stable `code`."
    ),
    components(schemas(Problem, selvedge_session::Event)),
    security(("token" = [])),
    modifiers(&Tokens),
    tags(
        (name = "sessions", description = "Agents at work."),
        (name = "messages", description = "What is said to them, and what came of it."),
        (name = "events", description = "What happened and what happens, of one session and of all."),
        (name = "approvals", description = "What Codex asks a person."),
        (name = "tools", description = "Calls of a session's own tools, run by its caller."),
        (name = "agents", description = "Agents for other agents; the rest of them is A2A."),
        (name = "files", description = "What a session changed, was sent, and can see."),
        (name = "choices", description = "What can be chosen, who is logged in, and what was used."),
        (name = "health", description = "Whether the gateway lives, and what it is.")
    )
)]
pub(crate) struct Api;

struct Tokens;

impl Modify for Tokens {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        let components = openapi.components.get_or_insert_default();
        components.add_security_scheme("token", SecurityScheme::Http(bearer));
    }
}

/// Every POST takes a key.
pub(crate) fn keys(api: &mut utoipa::openapi::OpenApi) {
    let form = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(255));
    let form = form.pattern(Some(r"^[!-~]([\t -~]*[!-~])?$"));
    let key = ParameterBuilder::new()
        .name("Idempotency-Key")
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some("ASCII. For 24 hours the same key gives the same answer, once."))
        .schema(Some(form))
        .build();
    for post in api.paths.paths.values_mut().filter_map(|path| path.post.as_mut()) {
        post.parameters.get_or_insert_default().push(RefOr::T(key.clone()));
    }
}

/// Parts of bodies that are of several kinds.
const PARTS: [&str; 2] = ["Content", "MessagePart"];

/// Each kind of a part takes no field that it does not name, like the bodies themselves; of those the derive says it.
pub(crate) fn strict_parts(api: &mut utoipa::openapi::OpenApi) {
    let schemas = api.components.as_mut().map(|components| &mut components.schemas);
    for (_, part) in schemas.into_iter().flatten().filter(|(name, _)| PARTS.contains(&name.as_str())) {
        let RefOr::T(Schema::OneOf(kinds)) = part else { continue };
        for kind in &mut kinds.items {
            if let RefOr::T(Schema::Object(kind)) = kind {
                kind.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
            }
        }
    }
}

/// How every route may refuse.
pub(crate) struct Problems;

impl IntoResponses for Problems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let whose = [
            ("4XX", "The request cannot be done as it is; `code` says why, `hint` what to do."),
            ("5XX", "It cannot be done now, or something went wrong here."),
        ];
        whose.into_iter().map(|(status, words)| (status.to_owned(), problem(words).into())).collect()
    }
}

fn problem(words: &str) -> Response {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(Problem::name()))).build();
    ResponseBuilder::new().description(words).content("application/problem+json", content).build()
}
