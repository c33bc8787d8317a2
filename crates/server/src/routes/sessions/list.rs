//! Which sessions are wanted.

use std::collections::BTreeMap;

use selvedge_runtime::Filter;
use selvedge_session::{Code, Lifecycle};
use serde::Deserialize;
use uuid::Uuid;

use crate::problem::Problem;

/// Entries in one page of any list.
pub(in crate::routes) const MOST: usize = 1_000;

/// Which sessions are wanted.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Wanted {
    /// Only in this state.
    state: Option<Lifecycle>,
    /// Only with this label, as `key=value` or `key:value`; several are separated by commas.
    #[param(pattern = "^[^,=:]*[=:][^,]*(,[^,=:]*[=:][^,]*)*$")]
    label: Option<String>,
    /// Those put away too.
    archived: Option<bool>,
    /// At most so many; 100, unless given.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

impl Wanted {
    pub(super) fn filter(self) -> Result<Filter, Problem> {
        let Self { state, label, archived, limit, cursor } = self;
        let labels = label.map(|label| labels(&label)).transpose()?.unwrap_or_default();
        if cursor.as_ref().is_some_and(|cursor| cursor.parse::<Uuid>().is_err()) {
            let problem = Problem::coded(Code::QueryInvalid, "it is no cursor of this list").field("cursor");
            return Err(problem.hint("use the `next_cursor` of the page before"));
        }
        Ok(Filter { state, labels, archived: archived.unwrap_or(false), cursor, limit: page(limit)? })
    }
}

/// The size of a page that may be had.
pub(in crate::routes) fn page(limit: Option<usize>) -> Result<Option<usize>, Problem> {
    if limit.is_some_and(|limit| !(1..=MOST).contains(&limit)) {
        let detail = format!("a page has 1 to {MOST} entries");
        return Err(Problem::coded(Code::QueryInvalid, detail).field("limit"));
    }
    Ok(limit)
}

fn labels(given: &str) -> Result<BTreeMap<String, String>, Problem> {
    let label = |label: &str| {
        let place = label.find(['=', ':'])?;
        let (name, value) = label.split_at_checked(place)?;
        Some((name.to_owned(), value.get(1..)?.to_owned()))
    };
    let labels = given.split(',').map(label).collect::<Option<_>>();
    labels.ok_or_else(|| {
        Problem::coded(Code::QueryInvalid, "a label is asked for as `key=value` or `key:value`")
            .field("label")
    })
}
