//! The gateway of a stage behind its guard, for whoever has a token.

use std::net::SocketAddr;

use selvedge_server::{Entrance, Gateway, Options, Scope, Scopes, Secret, Token, Tokens};
use tokio::{net::TcpListener, task::JoinSet};

use crate::support::stage::Stage;

/// A token that may do what a tool needs, and no more.
pub(crate) const TOKEN: &str = "the-token-of-a-tool";

/// Until it is dropped.
pub(crate) struct Door {
    pub(crate) address: SocketAddr,
    _serving: JoinSet<()>,
}

impl Door {
    pub(crate) async fn open(stage: &Stage) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let token = Token::new("tool", Scopes::of([Scope::Read, Scope::Write]), &Secret::new(TOKEN));
        let entrance = Entrance::new(address, &[], Some(Tokens::of(vec![token])));
        let gateway = Gateway::new(stage.runtime.clone(), Options::default());
        let router = selvedge_server::guarded(gateway, entrance);
        let mut serving = JoinSet::new();
        serving.spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { address, _serving: serving }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}
