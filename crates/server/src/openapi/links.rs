//! Where an answer leads: which operations take the id that it gives.

use utoipa::openapi::{OpenApi, RefOr, link::LinkBuilder};

/// Everything that can be asked of a session, from the answer that made it.
pub(crate) fn from_a_session(api: &mut OpenApi) {
    let taking: Vec<String> = api
        .paths
        .paths
        .iter()
        .filter(|(path, _)| path.starts_with("/v1/sessions/{id}") && path.matches('{').count() == 1)
        .flat_map(|(_, item)| [&item.get, &item.post, &item.patch, &item.delete])
        .filter_map(|operation| operation.as_ref()?.operation_id.clone())
        .collect();
    let made = api.paths.paths.get_mut("/v1/sessions").and_then(|item| item.post.as_mut());
    let made = made.and_then(|operation| operation.responses.responses.get_mut("201"));
    if let Some(RefOr::T(made)) = made {
        made.links.extend(taking.into_iter().map(|operation| {
            let link = LinkBuilder::new().operation_id(&operation).parameter("id", "$response.body#/id");
            (operation, RefOr::T(link.build()))
        }));
    }
}
