//! What one Codex can be asked, asks and tells, with every type: from the schema it prints.

use std::path::Path;

use serde_json::Value;

use super::definitions;
use crate::codegen::classify::classify_what_can_be;
use crate::codegen::methods::{params, pick};
use crate::codegen::model::Model;
use crate::codegen::schema::{Schema, bundle};
use crate::codegen::{picked_calls, print_schema};
use crate::failure::Failure;

/// Who says a method to whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// We ask Codex.
    Request,
    /// Codex tells us.
    Notification,
    /// Codex asks us.
    Ask,
}

/// A method with the names of its types.
#[derive(Debug)]
pub(super) struct Method {
    pub(super) kind: Kind,
    pub(super) name: String,
    pub(super) params: Option<String>,
    pub(super) reply: Option<String>,
    /// Whether types are generated for it; of our requests `calls.txt` picks some.
    pub(super) generated: bool,
}

/// All that one Codex's schema says.
pub(super) struct Surface {
    pub(super) methods: Vec<Method>,
    pub(super) types: Model,
    /// Definitions of a form that the generator does not know.
    pub(super) unreadable: Vec<String>,
}

impl Kind {
    pub(super) const ALL: [Self; 3] = [Self::Request, Self::Notification, Self::Ask];

    /// The union of the schema that lists the methods.
    fn union(self) -> &'static str {
        match self {
            Self::Request => "ClientRequest",
            Self::Notification => "ServerNotification",
            Self::Ask => "ServerRequest",
        }
    }
}

impl Method {
    /// The types of what we say with it.
    pub(super) fn said(&self) -> Option<&String> {
        match self.kind {
            Kind::Request => self.params.as_ref(),
            Kind::Ask => self.reply.as_ref(),
            Kind::Notification => None,
        }
    }

    /// The types of what Codex says with it.
    pub(super) fn seen(&self) -> Option<&String> {
        match self.kind {
            Kind::Request => self.reply.as_ref(),
            Kind::Ask | Kind::Notification => self.params.as_ref(),
        }
    }
}

impl Surface {
    /// Asks a native Codex.
    pub(super) fn of(codex: &Path) -> Result<Self, Failure> {
        let scratch =
            tempfile::tempdir().map_err(Failure::file("create a directory in", &std::env::temp_dir()))?;
        let read = || {
            print_schema(codex, scratch.path())?;
            Self::read(&bundle(scratch.path())?, &picked_calls()?)
        };
        read().map_err(|why| {
            Failure::new(format!("the schema of {} cannot be read: {why}", codex.display()))
                .hint("if Codex prints it in another way now, xtask/src/codegen/schema.rs has to learn it")
        })
    }

    /// Reads the file with all definitions; `calls` are the requests that types are generated for.
    pub(super) fn read(root: &Value, calls: &str) -> Result<Self, String> {
        let schema = Schema { definitions: definitions::merged(root)? };
        let (types, unreadable) = classify_what_can_be(&schema);
        let picked: Vec<_> = calls.lines().filter_map(pick).collect();
        let mut methods = Vec::new();
        for kind in Kind::ALL {
            for method in schema.methods(kind.union())? {
                let pick = picked.iter().find(|(name, _)| *name == method.name);
                let params = params(&method);
                let derived = params.as_ref().and_then(|it| it.strip_suffix("Params"));
                let derived = derived.map(|stem| format!("{stem}Response"));
                let told = pick.and_then(|(_, reply)| *reply).map(str::to_owned);
                let reply = told.or(derived).filter(|name| types.contains_key(name));
                let generated = kind != Kind::Request || pick.is_some();
                methods.push(Method { kind, name: method.name, params, reply, generated });
            }
        }
        Ok(Self { methods, types, unreadable })
    }
}
