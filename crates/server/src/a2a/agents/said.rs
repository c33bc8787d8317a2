//! What an agent says of itself.

use serde::Deserialize;

/// What an agent can do.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Skill {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) tags: Vec<String>,
    pub(crate) examples: Vec<String>,
}

/// An extension of the protocol that an agent knows.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Extension {
    pub(crate) uri: String,
    pub(crate) description: String,
    /// Who does not know it is refused.
    pub(crate) required: bool,
}
