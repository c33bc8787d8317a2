//! What was begun is finished. A request that changes something is done in a task of its own: who asked may leave in the middle,
//! and nothing half done stays behind.

use std::{
    future::poll_fn,
    sync::{Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
};

use axum::{
    extract::{Request, State},
    http::Method,
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use selvedge_session::Code;
use tokio::{sync::oneshot, task::JoinSet};

use crate::{gateway::Gateway, problem::Problem};

/// What is being done. It ends with the gateway, which waits for it.
#[derive(Default)]
pub(crate) struct Deeds(Mutex<JoinSet<()>>);

/// Does what changes something, whether or not its answer is waited for.
pub(crate) async fn finish(State(gateway): State<Gateway>, request: Request, next: Next) -> Response {
    if !is_deed(&request) {
        return next.run(request).await;
    }
    let (answer, answered) = oneshot::channel();
    gateway.deeds().begin(async move {
        // Who asked may have left.
        let _left = answer.send(next.run(request).await);
    });
    answered.await.unwrap_or_else(|_panicked| Problem::of(Code::Internal).into_response())
}

/// What looks changes nothing. Agents of others wait within what they ask, so their requests end with them; what they have
/// begun is taken up again from the journal.
fn is_deed(request: &Request) -> bool {
    let looks = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    !looks && request.uri().path().starts_with("/v1/")
}

impl Deeds {
    fn begin(&self, deed: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.tasks();
        while tasks.try_join_next().is_some() {}
        tasks.spawn(deed);
    }

    /// Waits until everything is done.
    pub(crate) async fn done(&self) {
        poll_fn(|context| self.poll_done(context)).await;
    }

    fn poll_done(&self, context: &mut Context<'_>) -> Poll<()> {
        let mut tasks = self.tasks();
        loop {
            match tasks.poll_join_next(context) {
                Poll::Ready(Some(_ended)) => {}
                Poll::Ready(None) => return Poll::Ready(()),
                Poll::Pending => return Poll::Pending,
            }
        }
    }

    fn tasks(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
