//! `ListTasks`: newest change first.

use std::{cmp::Reverse, collections::HashSet};

use selvedge_session::MessageId;
use serde_json::{Value, json};

use super::{Desk, fault};
use crate::a2a::{
    following::Following,
    register::Place,
    words::{Fault, List, State, Task},
};

/// What a list comes to before its tasks are read.
struct Found {
    /// How many there are on all pages.
    total: usize,
    /// Those of this page, and one more if there is one.
    page: Vec<Place>,
}

impl Desk {
    pub(crate) async fn list(&self, params: &Value) -> Result<Value, Fault> {
        let asked = List::read(params)?;
        let after = asked
            .token
            .as_deref()
            .map(|token| Place::read(token).ok_or_else(|| Fault::invalid("pageToken", "it is none of ours")));
        let Found { total, mut page } = self.matching(&asked, after.transpose()?).await?;
        page.sort_by_key(|place| Reverse(*place));
        // What ended while it was looked for is there twice; how it stands now comes first.
        let mut seen = HashSet::new();
        page.retain(|place| seen.insert(place.id));
        let more = page.len() > asked.size;
        page.truncate(asked.size);
        let next = page.last().filter(|_| more).map(|place| place.token());
        let mut tasks = Vec::with_capacity(page.len());
        for place in page {
            tasks.extend(self.shown(place.id, &asked).await?);
        }
        Ok(json!({
            "tasks": tasks, "nextPageToken": next.unwrap_or_default(), "pageSize": tasks.len(), "totalSize": total,
        }))
    }

    async fn matching(&self, asked: &List, after: Option<Place>) -> Result<Found, Fault> {
        let mut found = Found { total: 0, page: Vec::new() };
        let beyond = |place: Place| after.is_none_or(|after| place < after);
        // First: what has ended meanwhile is filed then, and found below.
        for following in self.open_tasks().await.map_err(fault)? {
            let (task, telling) = (following.found(), following.telling());
            let place = Place::of(task.id, telling);
            if is_wanted(asked, place, telling.state(), &task.note.context) {
                found.total += 1;
                found.page.extend(Some(place).filter(|place| beyond(*place)));
            }
        }
        let (mut at, mut room) = (None, asked.size + 1);
        loop {
            let ended = self.whose.ended(self.runtime(), at).await.map_err(fault)?;
            let Some(last) = ended.last() else { return Ok(found) };
            at = Some(last.place);
            for filed in ended {
                if asked.after.is_some_and(|after| filed.place.at < after) {
                    return Ok(found);
                }
                if !is_wanted(asked, filed.place, filed.state, &filed.context) {
                    continue;
                }
                found.total += 1;
                if room > 0 && beyond(filed.place) {
                    room -= 1;
                    found.page.push(filed.place);
                }
            }
        }
    }

    /// A task of the list; nothing, if it changed or its session was removed meanwhile.
    async fn shown(&self, id: MessageId, asked: &List) -> Result<Option<Value>, Fault> {
        let Some(found) = self.whose.find(self.runtime(), id).await.map_err(fault)? else { return Ok(None) };
        let following = match asked.artifacts {
            true => Following::open(self.runtime(), found).await,
            false => Following::at_a_glance(self.runtime(), found).await,
        };
        let Ok(following) = following else { return Ok(None) };
        let (note, telling) = (&following.found().note, following.telling());
        if !is_wanted(asked, Place::of(id, telling), telling.state(), &note.context) {
            return Ok(None);
        }
        let mut task: Task = telling.task().with_history(asked.history);
        if !asked.artifacts {
            task.artifacts.clear();
        }
        Ok(Some(task.json()))
    }
}

fn is_wanted(asked: &List, place: Place, state: State, context: &str) -> bool {
    asked.context.as_ref().is_none_or(|wanted| wanted == context)
        && asked.state.is_none_or(|wanted| wanted == state)
        && asked.after.is_none_or(|after| place.at >= after)
}
