//! Routes with their descriptions, which are made when somebody asks: they are megabytes, and a gateway at rest needs none.

use axum::{Router, routing::MethodRouter};
use utoipa::openapi::OpenApi;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use crate::gateway::Gateway;

/// Addresses of the gateway.
#[derive(Default)]
pub(crate) struct Routes {
    router: Router<Gateway>,
    descriptions: Vec<Describe>,
}

/// The handlers of one address, as `routes!` makes them.
pub(crate) struct Route {
    pub(crate) path: String,
    pub(crate) handlers: MethodRouter<Gateway>,
    pub(crate) describe: Describe,
}

type Describe = fn() -> UtoipaMethodRouter<Gateway>;

impl Routes {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// With one more address.
    pub(crate) fn routes(mut self, route: Route) -> Self {
        self.descriptions.push(route.describe);
        self.route(&route.path, route.handlers)
    }

    /// With one more address that nobody needs to know.
    pub(crate) fn route(mut self, path: &str, handlers: MethodRouter<Gateway>) -> Self {
        self.router = self.router.route(path, handlers);
        self
    }

    pub(crate) fn merge(mut self, others: Self) -> Self {
        self.router = self.router.merge(others.router);
        self.descriptions.extend(others.descriptions);
        self
    }

    pub(crate) fn router(self) -> Router<Gateway> {
        self.router
    }

    /// Adds the description of each to what stands above them.
    pub(crate) fn describe(self, above: OpenApi) -> OpenApi {
        let all = OpenApiRouter::with_openapi(above);
        self.descriptions.into_iter().fold(all, |all, describe| all.routes(describe())).into_openapi()
    }
}

/// Handlers of one address, each described by its `#[utoipa::path]`. Path and method are asked of the description itself; the
/// rest of it waits.
macro_rules! routes {
    ($first:ident $(, $more:ident)*) => {{
        use utoipa_axum::PathItemExt as _;
        let handlers = axum::routing::MethodRouter::new();
        let handlers = crate::routed::routes!(@add $first to handlers);
        $(let handlers = crate::routed::routes!(@add $more to handlers);)*
        crate::routed::Route {
            path: utoipa_axum::routes!(@path [path()] of $first),
            handlers,
            describe: || utoipa_axum::routes!($first $(, $more)*),
        }
    }};
    (@add $handler:ident to $handlers:ident) => {
        utoipa_axum::routes!(@path [methods()] of $handler)
            .iter()
            .fold($handlers, |handlers, method| handlers.on(method.to_method_filter(), $handler))
    };
}

pub(crate) use routes;
