//! `ListTasks`: newest change first.

use serde_json::{Value, json};

use super::{Desk, fault};
use crate::a2a::{
    following::Following,
    words::{Fault, List, Task},
};

impl Desk {
    pub(crate) async fn list(&self, params: &Value) -> Result<Value, Fault> {
        let asked = List::read(params)?;
        let after = asked
            .token
            .as_deref()
            .map(|token| place(token).ok_or_else(|| Fault::invalid("pageToken", "it is none of ours")));
        let after = after.transpose()?;
        let mut tasks = self.matching(&asked).await?;
        let total = tasks.len();
        tasks.sort_by_key(|task| std::cmp::Reverse(order(task)));
        tasks.retain(|task| after.as_ref().is_none_or(|after| order(task) < *after));
        let more = tasks.len() > asked.size;
        tasks.truncate(asked.size);
        let next = tasks.last().filter(|_| more).map(|last| {
            let (at, id) = order(last);
            format!("{at}.{id}")
        });
        let size = tasks.len();
        let tasks: Vec<Value> = tasks.into_iter().map(|task| shown(task, &asked)).collect();
        Ok(json!({
            "tasks": tasks, "nextPageToken": next.unwrap_or_default(), "pageSize": size, "totalSize": total,
        }))
    }

    async fn matching(&self, asked: &List) -> Result<Vec<Task>, Fault> {
        let mut tasks = Vec::new();
        for found in self.whose.all(self.runtime()).await.map_err(fault)? {
            if asked.context.as_ref().is_some_and(|context| *context != found.note.context) {
                continue;
            }
            let runtime = self.runtime();
            let following = match asked.artifacts {
                true => Following::open(runtime, found).await,
                false => Following::at_a_glance(runtime, found).await,
            };
            // Its session was removed meanwhile.
            let Ok(following) = following else { continue };
            let telling = following.telling();
            let wanted = telling.has_begun()
                && asked.state.is_none_or(|state| state == telling.state())
                && asked.after.is_none_or(|after| telling.since() >= after);
            if wanted {
                tasks.push(telling.task());
            }
        }
        Ok(tasks)
    }
}

fn order(task: &Task) -> (i64, String) {
    (task.status.at.0, task.id.clone())
}

fn place(token: &str) -> Option<(i64, String)> {
    let (at, id) = token.split_once('.')?;
    Some((at.parse().ok()?, id.to_owned()))
}

fn shown(task: Task, asked: &List) -> Value {
    let mut task = task.with_history(asked.history);
    if !asked.artifacts {
        task.artifacts.clear();
    }
    task.json()
}
