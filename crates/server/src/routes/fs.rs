//! Directories of the machine, for whoever looks for a place to work.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use axum::extract::State;
use selvedge_runtime::{PathKind, Roots};
use selvedge_session::Code;
use serde::{Deserialize, Serialize};

use crate::{
    answer::Answer,
    gateway::Gateway,
    openapi::Problems,
    problem::Problem,
    roots,
    routed::{Routes, routes},
    strict::Asked,
};

/// More is nothing to look through.
const MOST: usize = 1_000;

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(list))
}

/// What is looked at.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Wanted {
    /// An absolute path: a directory, or the beginning of a name in one. The allowed roots, unless given.
    #[param(value_type = Option<String>, pattern = "^/")]
    path: Option<PathBuf>,
}

/// What lies in a directory.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct Place {
    /// The directory, links resolved; none of the list of roots.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    path: Option<PathBuf>,
    /// Directories first, at most 1,000. Hidden ones only if a name that begins with a dot is looked for.
    items: Vec<Named>,
}

/// A file or directory.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, utoipa::ToSchema)]
struct Named {
    /// What it is; a link is what it leads to.
    kind: PathKind,
    /// Its name.
    name: String,
    /// Its absolute path.
    #[schema(value_type = String)]
    path: PathBuf,
}

/// What lies in a directory under an allowed root; without `path`, the roots themselves.
///
/// A path that is no directory is completed: what lies beside it and begins with its last part.
#[utoipa::path(
    get, path = "/v1/fs", tag = "files", params(Wanted),
    responses(
        (status = 200, description = "Files and directories", body = Place),
        Problems
    )
)]
async fn list(
    State(gateway): State<Gateway>,
    Asked(wanted): Asked<Wanted>,
) -> Result<Answer<Place>, Problem> {
    let named = roots::named(&gateway).await?;
    let looked = tokio::task::spawn_blocking(move || {
        let roots = Roots::resolved(&named);
        match wanted.path {
            Some(path) => look(&roots, &path),
            None => Ok(shown(&roots)),
        }
    });
    let looked = looked.await.map_err(|error| Problem::coded(Code::Internal, error.to_string()))?;
    looked.map(Answer::ok)
}

fn shown(roots: &Roots) -> Place {
    let named = |path: &PathBuf| Named {
        kind: PathKind::Directory,
        name: path.display().to_string(),
        path: path.clone(),
    };
    Place { path: None, items: roots.all().iter().map(named).collect() }
}

fn look(roots: &Roots, path: &Path) -> Result<Place, Problem> {
    if !path.is_absolute() {
        let words = format!("{} is not absolute", path.display());
        return Err(Problem::coded(Code::QueryInvalid, words).field("path"));
    }
    if let Ok(directory) = fs::canonicalize(path)
        && directory.is_dir()
    {
        return entries(roots, directory, "");
    }
    let beginning = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let parent = path.parent().unwrap_or(path);
    match fs::canonicalize(parent) {
        Ok(directory) => entries(roots, directory, &beginning),
        // Whether it is there is told to nobody who may not look.
        Err(_) if !roots.allow(parent) => Err(Problem::of(Code::OutsideRoots)),
        Err(_) => Err(Problem::coded(Code::NotFound, format!("there is no directory {}", parent.display()))),
    }
}

/// What lies in a directory and begins like this.
fn entries(roots: &Roots, directory: PathBuf, beginning: &str) -> Result<Place, Problem> {
    if !roots.allow(&directory) {
        return Err(Problem::of(Code::OutsideRoots));
    }
    let listed = fs::read_dir(&directory).map_err(|error| unreadable(&directory, &error))?;
    let fits =
        |name: &str| name.starts_with(beginning) && (!name.starts_with('.') || beginning.starts_with('.'));
    let mut items: Vec<Named> = listed
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok().filter(|name| fits(name))?;
            named(roots, name, entry.path())
        })
        .collect();
    items.sort();
    items.truncate(MOST);
    Ok(Place { path: Some(directory), items })
}

/// A link is what it leads to, if one may look there.
fn named(roots: &Roots, name: String, path: PathBuf) -> Option<Named> {
    let target = fs::canonicalize(&path).ok().filter(|target| roots.allow(target))?;
    let kind = if target.is_dir() { PathKind::Directory } else { PathKind::File };
    Some(Named { kind, name, path })
}

fn unreadable(directory: &Path, error: &io::Error) -> Problem {
    let words = format!("{} cannot be read: {error}", directory.display());
    let code = match error.kind() {
        io::ErrorKind::PermissionDenied => Code::Forbidden,
        _ => Code::NotFound,
    };
    Problem::coded(code, words)
}
