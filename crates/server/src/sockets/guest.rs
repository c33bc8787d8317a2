//! Who is connected, and to which session.

use axum::{
    extract::{
        FromRequestParts, State,
        ws::{WebSocket, WebSocketUpgrade, rejection::WebSocketUpgradeRejection},
    },
    http::request::Parts,
    response::Response,
};
use selvedge_runtime::SessionHandle;
use selvedge_session::{Code, SessionId};
use tokio::sync::OwnedSemaphorePermit;

use crate::{
    access::{Caller, Visit},
    gateway::Gateway,
    in_path::InPath,
    problem::Problem,
    sockets::wire::Wire,
};

/// A socket that is about to be opened.
pub(crate) struct Opening {
    pub(crate) guest: Guest,
    upgrade: WebSocketUpgrade,
    room: OwnedSemaphorePermit,
}

/// Somebody who is connected.
#[derive(Clone)]
pub(crate) struct Guest {
    pub(crate) gateway: Gateway,
    pub(crate) session: SessionHandle,
    pub(crate) caller: Caller,
    pub(crate) visit: Visit,
}

impl FromRequestParts<Gateway> for Opening {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Problem> {
        let InPath(id) = InPath::<SessionId>::from_request_parts(parts, gateway).await?;
        let Ok(caller) = Caller::from_request_parts(parts, gateway).await;
        let Ok(visit) = Visit::from_request_parts(parts, gateway).await;
        let Ok(State(gateway)) = State::<Gateway>::from_request_parts(parts, gateway).await;
        let session = gateway.runtime().session(id).await?;
        let upgrade = WebSocketUpgrade::from_request_parts(parts, &gateway).await.map_err(|error| {
            let mut problem = Problem::coded(Code::InvalidArgument, error.body_text()).field(header(&error));
            problem.hint = Some("this address speaks WebSocket".to_owned());
            problem
        })?;
        let room = gateway.room_for_a_socket().ok_or_else(|| {
            let most = gateway.options().max_sockets;
            Problem::coded(Code::TooMuch, format!("{most} sockets are open: there is no room for another"))
        })?;
        Ok(Self { guest: Guest { gateway, session, caller, visit }, upgrade, room })
    }
}

/// The header that is none of a WebSocket's.
fn header(error: &WebSocketUpgradeRejection) -> &'static str {
    match error {
        WebSocketUpgradeRejection::InvalidConnectionHeader(_) => "Connection",
        WebSocketUpgradeRejection::InvalidWebSocketVersionHeader(_) => "Sec-WebSocket-Version",
        WebSocketUpgradeRejection::WebSocketKeyHeaderMissing(_) => "Sec-WebSocket-Key",
        _ => "Upgrade",
    }
}

impl Opening {
    /// Opens it, by a surface's name. Whoever serves it is told to end when the gateway ends or the token is taken away.
    pub(crate) fn open<S, F>(self, surface: &str, serve: S) -> Response
    where
        S: FnOnce(Guest, Wire) -> F + Send + 'static,
        F: Future<Output = ()> + Send,
    {
        let Self { mut guest, upgrade, room } = self;
        guest.caller = guest.caller.by(surface);
        let most = guest.gateway.options().max_body;
        upgrade.max_message_size(most).max_frame_size(most).on_upgrade(move |socket: WebSocket| async move {
            let _here = (guest.gateway.metrics().stream(), room);
            let (closing, over) = (guest.gateway.closing(), guest.visit.clone().over());
            let wire = Wire::new(socket);
            tokio::select! {
                () = serve(guest, wire) => {}
                // The other side comes back, to the next gateway or to be told that it may not.
                () = closing => {}
                () = over => {}
            }
        })
    }
}
