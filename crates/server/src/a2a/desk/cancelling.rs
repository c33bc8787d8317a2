//! `CancelTask`: what waits is taken back, what runs is interrupted.

use std::time::Duration;

use selvedge_runtime::SessionHandle;
use selvedge_session::{Code, MessageId};
use serde_json::Value;
use tokio::time::timeout;

use super::{Desk, fault};
use crate::a2a::{
    following::Following,
    notes::Closed,
    words::{Fault, Kind, OfTask, State},
};

/// How long an interrupted turn may take to end before the task is told as it stands: the interrupt's own ladder is
/// shorter.
const PATIENCE: Duration = Duration::from_secs(15);

impl Desk {
    pub(crate) async fn cancel(&self, params: &Value) -> Result<Value, Fault> {
        let asked = OfTask::read(params)?;
        let mut following = self.follow(&asked.id).await?;
        if following.telling().state().is_end() {
            return Err(ended(&asked.id));
        }
        if following.telling().open_messages().next().is_none() {
            following = self.give_up(following).await?;
        } else {
            self.take_back(&following).await?;
            // Past its time it is told as it stands: it will end.
            if let Ok(ended) = timeout(PATIENCE, following.end()).await {
                ended.map_err(fault)?;
            }
        }
        Ok(following.telling().task().with_history(asked.history).json())
    }

    async fn take_back(&self, following: &Following) -> Result<(), Fault> {
        let session = self.runtime().session(following.found().session).await.map_err(fault)?;
        // The newest first, so that none of them begins when another one ends.
        let open: Vec<_> = following.telling().open_messages().collect();
        for message in open.into_iter().rev() {
            self.take_back_one(&session, message).await?;
        }
        Ok(())
    }

    /// What waits does not begin, what runs is interrupted.
    pub(super) async fn take_back_one(&self, session: &SessionHandle, id: MessageId) -> Result<(), Fault> {
        match session.take_back(id).await {
            Ok(()) => Ok(()),
            // It ended meanwhile.
            Err(error) if matches!(error.code, Code::NotQueued | Code::Idle | Code::NotFound) => Ok(()),
            Err(error) => Err(fault(error)),
        }
    }

    /// Nothing runs for a task that waits until somebody logs in: that it is given up has to be remembered.
    async fn give_up(&self, following: Following) -> Result<Following, Fault> {
        let mut found = following.found().clone();
        let state = State::Canceled.name().to_owned();
        found.note.closed = Some(Closed { state, at: self.now(), why: None });
        self.write(&found).await?;
        self.gateway.deliveries().look_again(&self.gateway, found.id).await.map_err(fault)?;
        Following::open(self.runtime(), found).await.map_err(fault)
    }
}

fn ended(id: &str) -> Fault {
    Fault::new(Kind::TaskNotCancelable, format!("the task {id} has ended")).about("taskId", id)
}
