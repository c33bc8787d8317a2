//! What a token may do, and what a request needs.

use axum::http::Method;
use serde::Deserialize;

/// One thing a token may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// To look.
    Read,
    /// To make sessions, to talk and to interrupt.
    Write,
    /// To answer what Codex asks a person.
    Approve,
    /// Everything, also to remove.
    Admin,
}

impl Scope {
    /// As it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Approve => "approve",
            Self::Admin => "admin",
        }
    }
}

/// Everything a token may do.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Scopes(Vec<Scope>);

impl Scopes {
    /// These.
    #[must_use]
    pub fn of(scopes: impl Into<Vec<Scope>>) -> Self {
        Self(scopes.into())
    }

    /// Whether this is among them; `admin` has everything.
    #[must_use]
    pub fn has(&self, scope: Scope) -> bool {
        self.0.iter().any(|had| *had == scope || *had == Scope::Admin)
    }

    /// Whether it may do nothing at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// What a request needs, by its method and address.
pub(super) fn needed(method: &Method, path: &str) -> Scope {
    let mut parts = path.trim_matches('/').split('/');
    let place = (parts.next(), parts.next(), parts.next(), parts.next());
    match (method, place) {
        (&Method::GET | &Method::HEAD, _) => Scope::Read,
        (&Method::POST, (Some("v1"), Some("approvals"), Some(_), None)) => Scope::Approve,
        (&Method::DELETE, (Some("v1"), Some("sessions"), Some(_), None)) => Scope::Admin,
        _ => Scope::Write,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_request_needs_its_scope() {
        for (method, path, scope) in [
            (Method::GET, "/v1/sessions", Scope::Read),
            (Method::HEAD, "/metrics", Scope::Read),
            (Method::POST, "/v1/sessions", Scope::Write),
            (Method::POST, "/v1/tool-calls/1", Scope::Write),
            (Method::POST, "/v1/approvals/1", Scope::Approve),
            (Method::DELETE, "/v1/sessions/1", Scope::Admin),
            (Method::DELETE, "/v1/sessions/1/messages/2", Scope::Write),
            (Method::PATCH, "/v1/sessions/1", Scope::Write),
            (Method::TRACE, "/", Scope::Write),
        ] {
            assert_eq!(needed(&method, path), scope, "{method} {path}");
        }
    }

    #[test]
    fn admin_may_do_everything_and_others_what_they_say() {
        let admin = Scopes::of([Scope::Admin]);
        assert!([Scope::Read, Scope::Write, Scope::Approve, Scope::Admin].into_iter().all(|s| admin.has(s)));
        let reader = Scopes::of([Scope::Read]);
        assert!(reader.has(Scope::Read) && !reader.has(Scope::Write) && !reader.has(Scope::Admin));
    }
}
