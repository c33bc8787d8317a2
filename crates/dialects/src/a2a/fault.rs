//! What goes wrong, as A2A says it: one table of codes for both bindings, as version 1.0.0 has them.

use serde_json::{Map, Value, json};

/// Whose words the reasons are.
const DOMAIN: &str = "a2a-protocol.org";

macro_rules! kinds {
    ($($(#[$doc:meta])+ $kind:ident = $code:literal, $http:literal, $status:literal, $reason:expr;)+) => {
        /// What kind of thing went wrong.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Kind {
            $($(#[$doc])+ $kind,)+
        }

        impl Kind {
            /// Its code in JSON-RPC, its status in HTTP, what that is called, and its reason if it is one of A2A's own.
            fn row(self) -> (i64, u16, &'static str, Option<&'static str>) {
                match self {
                    $(Self::$kind => ($code, $http, $status, $reason),)+
                }
            }
        }
    };
}

kinds! {
    /// There is no such task, or it is somebody else's.
    TaskNotFound = -32001, 404, "NOT_FOUND", Some("TASK_NOT_FOUND");
    /// It has ended.
    TaskNotCancelable = -32002, 409, "FAILED_PRECONDITION", Some("TASK_NOT_CANCELABLE");
    /// The agent notifies nobody.
    PushNotSupported = -32003, 400, "UNIMPLEMENTED", Some("PUSH_NOTIFICATION_NOT_SUPPORTED");
    /// This cannot be done here, or not now.
    Unsupported = -32004, 400, "UNIMPLEMENTED", Some("UNSUPPORTED_OPERATION");
    /// It is not taken in this form.
    ContentType = -32005, 415, "INVALID_ARGUMENT", Some("CONTENT_TYPE_NOT_SUPPORTED");
    /// Who asks has to know an extension.
    ExtensionRequired = -32008, 400, "FAILED_PRECONDITION", Some("EXTENSION_SUPPORT_REQUIRED");
    /// Another version of the protocol.
    Version = -32009, 400, "UNIMPLEMENTED", Some("VERSION_NOT_SUPPORTED");
    /// It is no JSON.
    Parse = -32700, 400, "INVALID_ARGUMENT", None;
    /// It is no request.
    InvalidRequest = -32600, 400, "INVALID_ARGUMENT", None;
    /// There is more of it than is taken.
    TooLarge = -32600, 413, "INVALID_ARGUMENT", None;
    /// It did not come in time.
    TooSlow = -32600, 408, "DEADLINE_EXCEEDED", None;
    /// There is no such operation.
    NoMethod = -32601, 404, "NOT_FOUND", None;
    /// Something in it is not as it has to be.
    Invalid = -32602, 400, "INVALID_ARGUMENT", None;
    /// This token may not do it.
    Forbidden = -32004, 403, "PERMISSION_DENIED", Some("UNSUPPORTED_OPERATION");
    /// Not now.
    Unavailable = -32603, 503, "UNAVAILABLE", None;
    /// Something went wrong here.
    Internal = -32603, 500, "INTERNAL", None;
}

/// Something that went wrong.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// What kind of thing.
    pub kind: Kind,
    /// For people.
    pub message: String,
    /// What of the request is wrong.
    pub field: Option<String>,
    /// For programs.
    about: Map<String, Value>,
}

impl Fault {
    /// In these words.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), field: None, about: Map::new() }
    }

    /// That this part of a request is not as it has to be.
    pub fn invalid(field: &str, why: &str) -> Self {
        let message = if field.is_empty() { why.to_owned() } else { format!("{field}: {why}") };
        Self { field: Some(field.to_owned()), ..Self::new(Kind::Invalid, message) }
    }

    /// That there is no such task.
    pub fn no_task(id: &str) -> Self {
        Self::new(Kind::TaskNotFound, format!("there is no task {id:?}")).about("taskId", id)
    }

    /// With something for programs.
    pub fn about(mut self, name: &str, value: &str) -> Self {
        self.about.insert(name.to_owned(), value.into());
        self
    }

    /// As the `error` of a JSON-RPC response.
    pub fn rpc(&self) -> Value {
        let (code, ..) = self.kind.row();
        json!({"code": code, "message": self.message, "data": self.details()})
    }

    /// The status of an HTTP response.
    pub fn status(&self) -> u16 {
        self.kind.row().1
    }

    /// As the body of an HTTP response.
    pub fn body(&self) -> Value {
        let (_, code, status, _) = self.kind.row();
        json!({"error": {"code": code, "status": status, "message": self.message, "details": self.details()}})
    }

    fn details(&self) -> Vec<Value> {
        let (_, _, status, reason) = self.kind.row();
        let reason = reason.unwrap_or(match self.kind {
            Kind::Invalid => "INVALID_PARAMS",
            _ => status,
        });
        let info = json!({
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": reason, "domain": DOMAIN, "metadata": self.about,
        });
        let field = self.field.as_ref().map(|field| {
            json!({
                "@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": [{"field": field, "description": self.message}],
            })
        });
        std::iter::once(info).chain(field).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_the_same_in_both_bindings() {
        let fault = Fault::no_task("t1");
        let (rpc, http) = (fault.rpc(), fault.body());
        assert_eq!((rpc["code"].as_i64(), fault.status()), (Some(-32001), 404));
        assert_eq!(rpc["data"], http["error"]["details"]);
        assert_eq!(rpc["data"][0]["metadata"]["taskId"], "t1");
        assert_eq!(rpc.as_object().unwrap().len(), 3, "code, message and data, nothing else");
    }
}
